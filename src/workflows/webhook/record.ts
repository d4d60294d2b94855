// What a webhook says, as the interface shows it (docs/webhooks.md).
import { t } from "elysia";
import { emailAddressShape, idShape, timeShape } from "../../http/answer-shapes.ts";
import type { Sent } from "../../http/answers.ts";
import { dataShape } from "../../http/schemas.ts";

/** The body, unless another is configured. */
const payloadShape = t.Object(
  {
    contact: t.Object({ email: emailAddressShape, subscribed: t.Boolean(), data: dataShape }),
    workflow: t.Object({ id: idShape, name: t.String() }),
    execution: t.Object({ id: idShape, startedAt: timeShape }),
    event: dataShape,
  },
  { title: "WebhookPayload" },
);
export type Payload = typeof payloadShape.static;

/** For readers of /docs. */
export const WEBHOOK: Sent = {
  name: "workflowWebhook",
  summary: "A WEBHOOK step calls a server",
  description:
    "Unless the step has a `body` of its own. Any 2xx is success; 408, 429, 5xx and no answer at all are tried again, up to seven times in all. Every attempt has the same `webhook-id`.",
  body: payloadShape,
};
