// POST /workflows/next-runs: the next times of a schedule.
import { t } from "elysia";
import { timeShape } from "../../../http/answer-shapes.ts";
import { invalidField } from "../../../base/errors.ts";
import { optional } from "../../../http/schemas.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { queryPost, routes } from "../../../tenant/access/route-table.ts";
import { CRON_FAULTS, cronFault, nextTimes } from "./trigger.ts";

const SHOWN = 3;

export function scheduleRoutes(access: Access) {
  const { clock } = access;
  return routes(access, [
    queryPost(
      "/workflows/next-runs",
      {
        name: "getNextRuns",
        summary: "Ask when a schedule would run next",
        answers: {
          200: t.Object({ timezone: t.String(), nextRuns: t.Array(timeShape) }, { title: "WorkflowNextRuns" }),
        },
        permission: "read",
        body: t.Object(
          {
            cron: t.String({ minLength: 1, maxLength: 100, description: "As in `triggerConfig`." }),
            timezone: optional(
              t.String({ minLength: 1, maxLength: 100 }),
              "As in `triggerConfig`: `UTC` unless given.",
            ),
          },
          { examples: [{ cron: "0 9 * * 1", timezone: "Europe/Berlin" }] },
        ),
        harmless: true,
        description: `The next ${SHOWN} runs. Nothing is stored.`,
      },
      async (_, { body }) => {
        const nowMs = clock.nowMs();
        const times = { cron: body.cron, timezone: body.timezone ?? "UTC" };
        const fault = cronFault(times, nowMs);
        if (fault !== null) throw invalidField(fault, CRON_FAULTS[fault], `invalid_${fault}`);
        return { timezone: times.timezone, nextRuns: nextTimes(times, nowMs, SHOWN) };
      },
    ),
  ]);
}
