// GET /overview, /statistics/states
import { t } from "elysia";
import { certificatesOf } from "../../base/certificates/state.ts";
import { DAY_MS, iso } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { parameter, timeInputShape } from "../../http/schemas.ts";
import { spaceOf, storeSpace } from "../../store/space.ts";
import type { RelayState } from "../../sending/open-ways/way-choice.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { get, routes } from "../../tenant/access/route-table.ts";
import { overviewOf, type BounceWay } from "./overview.ts";
import { overviewShape, statesShape } from "./record.ts";
import { momentIn } from "../../http/body/moment-in.ts";
import { statesSince } from "./states.ts";

const DEFAULT_DAYS = 30;

export type OverviewOptions = {
  readonly relay: () => RelayState;
  readonly config: Config;
  readonly bounces: () => BounceWay;
};

export function overviewRoutes(access: Access, { relay, config, bounces }: OverviewOptions) {
  return routes(access, [
    get(
      "/overview",
      {
        name: "getOverview",
        summary: "See what needs somebody, and which first steps are done",
        answers: { 200: overviewShape },
        permission: "read",
        managers: true,
        description:
          "Failed emails and webhooks are those of the last 24 hours. What needs nobody is not listed, only the person whom a note is for sees it, and only owners see what is wrong with backups, the disk and what others see of the server.",
      },
      (reader, { caller: { workspace, person, by } }) => {
        const nowMs = access.clock.nowMs();
        const certificates = certificatesOf(config, nowMs);
        return overviewOf(reader, {
          ...{ workspace, nowMs, relay: relay(), certificates, bounces: bounces() },
          user: person && by.id,
          healthLimits: config.limits,
          server: person?.isOwner ? { config, disk: storeSpace(config) ?? spaceOf(config.data.dir) } : null,
        });
      },
      "long",
    ),
    get(
      "/statistics/states",
      {
        name: "countEmailStates",
        summary: "Count the emails of some days by state",
        answers: { 200: statesShape },
        permission: "read",
        query: t.Object({ since: parameter(timeInputShape, "Emails accepted since then; 30 days ago, unless given.") }),
        description:
          "Each part is what `GET /emails` lists with the same `since` and that `status`, but for email to the team, which does not count. Counting stops at 2,000,000 emails (`isLowerBound`).",
      },
      (reader, { query: { since }, caller: { workspace } }) => {
        const sinceMs = since === undefined ? access.clock.nowMs() - DEFAULT_DAYS * DAY_MS : momentIn("since", since);
        return statesSince(reader, workspace, iso(sinceMs));
      },
      "long",
    ),
  ]);
}
