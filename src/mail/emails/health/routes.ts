// GET /workspace/health: the rates by which mailbox providers judge a sender.
import type { Log } from "../../../base/log.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { route, routes } from "../../../tenant/access/route-table.ts";
import { healthOf, type HealthLimits } from "./health.ts";
import { healthShape } from "./record.ts";
import { setStop } from "./watch.ts";

export function healthRoutes(access: Access, limits: HealthLimits, log: Log) {
  const { store, clock } = access;
  return routes(access, [
    route(
      "GET",
      "/workspace/health",
      {
        name: "getWorkspaceHealth",
        summary: "Get bounce and complaint rates",
        answers: { 200: healthShape },
        permission: "read",
        description:
          "Covers the last 30 days, or the last 10,000 emails if there were more. Rates are in per cent. If they stop marketing email, it is stopped before this is answered.",
      },
      async ({ caller: { workspace: seq, workspaceId: id } }) => {
        const health = await store.read((reader) => healthOf(reader, seq, clock.nowMs(), limits), { longFor: seq });
        await setStop({ store, log }, { seq, id }, health);
        return health;
      },
    ),
  ]);
}
