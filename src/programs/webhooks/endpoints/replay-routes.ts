// POST /webhooks/:id/replay: sends the events of a period again.
import { t } from "elysia";
import type { Access } from "../../../tenant/access/auth.ts";
import { route, routes } from "../../../tenant/access/route-table.ts";
import { countShape, nullable } from "../../../http/answer-shapes.ts";
import { answerOnce, foundBefore } from "../../../http/idempotency.ts";
import { optional, timeInputShape } from "../../../http/schemas.ts";
import type { Tx } from "../../../store/store.ts";
import { EVENT_CALL, patternShape } from "./record.ts";
import { eventsToReplay, replay } from "./replay.ts";

const period = t.Object(
  {
    since: { ...timeInputShape, description: "Thirty days ago at the most." },
    until: optional(timeInputShape, "Now unless given."),
    types: optional(t.Array(patternShape, { minItems: 1, maxItems: 50 }), "Those of the webhook unless given."),
    all: optional(t.Boolean(), "Also what was delivered before; false unless given."),
    cursor: optional(t.String({ maxLength: 200 }), "The `cursor` of the answer before."),
  },
  { examples: [{ since: "2026-03-01T09:00:00Z", types: ["email.*"] }] },
);

export function replayRoutes(access: Access) {
  return routes(access, [
    route(
      "POST",
      "/webhooks/:id/replay",
      {
        name: "replayWebhook",
        summary: "Send what a webhook missed in a period",
        answers: {
          202: t.Object(
            {
              replayed: countShape,
              cursor: nullable(t.String({ description: "Of the rest; null: this was all." })),
            },
            { title: "WebhookReplay" },
          ),
        },
        permission: "keys",
        managers: true,
        body: period,
        refuses: ["WEBHOOK_NOT_FOUND", "WEBHOOK_STATE"],
        description:
          "Oldest first, with the ids that the events had: what failed, or was not sent because the webhook was off; with `all`, also what was delivered. One call goes through ten thousand events, or sends about a thousand; go on with its `cursor`.",
        sends: EVENT_CALL,
      },
      async ({ params, body, caller, request, set }) => {
        const { store, clock } = access;
        const asked = { workspace: caller.workspace, id: params.id };
        const found = await foundBefore(() => eventsToReplay(store, clock.nowMs(), asked, body));
        const send = (tx: Tx) => replay(tx, asked, found(), body.all ?? false);
        return answerOnce(store, { body, caller, request, set }, send, 202);
      },
    ),
  ]);
}
