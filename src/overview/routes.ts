// GET /overview
import { answers } from "../http/answers.ts";
import type { RelayState } from "../delivery/reachability.ts";
import type { Access } from "../workspaces/auth.ts";
import { get, routes } from "../workspaces/route-table.ts";
import { overviewOf, type BounceWay } from "./overview.ts";
import { overviewShape } from "./record.ts";

const shown = answers(
  "getOverview",
  "See what needs somebody, and which first steps are done",
  { 200: overviewShape },
  {
    permission: "read",
    managers: true,
    description: "Failed mails and webhooks are those of the last 24 hours. What needs nobody is not listed.",
  },
);

export type OverviewOptions = { readonly relay: () => RelayState; readonly bounces: BounceWay };

export function overviewRoutes(access: Access, { relay, bounces }: OverviewOptions) {
  return routes(access, [
    get(
      "/overview",
      shown,
      (reader, { caller: { workspace } }) =>
        overviewOf(reader, { workspace, nowMs: access.clock.nowMs(), relay: relay(), bounces }),
      "long",
    ),
  ]);
}
