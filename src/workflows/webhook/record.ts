// What a webhook says, as the interface shows it (docs/webhooks.md).
import { t } from "elysia";
import { emailAddressShape, idShape, timeShape } from "../../http/answer-shapes.ts";
import type { Sent } from "../../http/answers.ts";
import { dataShape, shownAs } from "../../http/schemas.ts";

/** The body, unless another is configured. */
const payloadShape = t.Object(
  {
    contact: t.Object({ id: t.Optional(idShape), email: emailAddressShape, subscribed: t.Boolean(), data: dataShape }),
    workflow: t.Object({ id: idShape, name: t.String() }),
    execution: t.Object({ id: idShape, startedAt: timeShape }),
    event: shownAs(
      dataShape,
      t.Object(
        { name: t.Optional(t.String()), id: t.Optional(idShape), createdAt: t.Optional(timeShape) },
        {
          description:
            "Its data, and `name`, `id` and `createdAt` of the event that started the execution, unless the data has a value of that name.",
        },
      ),
    ),
  },
  { title: "WebhookPayload" },
);
export type WebhookPayload = typeof payloadShape.static;

/**
 * As it is kept until it is sent: `event` is its data alone, which is what templates see. Absent: no event started the
 * execution.
 */
export type Payload = WebhookPayload & {
  readonly startedBy?: { readonly name: string; readonly id: string; readonly createdAt: string };
};

/** For readers of /docs. */
export const WEBHOOK: Sent = {
  name: "workflowWebhook",
  summary: "A WEBHOOK step calls a server",
  description:
    "Unless the step has a `body` of its own. Any 2xx is success; 408, 429, 5xx and no answer at all are tried again, up to seven times in all. Every attempt has the same `webhook-id`.",
  body: payloadShape,
};
