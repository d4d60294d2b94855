// The payload of a webhook, as the interface shows it (docs/webhooks.md).
import { t } from "elysia";
import { emailAddressShape, idShape, timeShape } from "../../../http/answer-shapes.ts";
import type { OutgoingRequest } from "../../../http/answers.ts";
import { dataShape, shownAs } from "../../../http/schemas.ts";

/** The body, unless another is configured. */
const payloadShape = t.Object(
  {
    contact: t.Object({ id: t.Optional(idShape), email: emailAddressShape, subscribed: t.Boolean(), data: dataShape }),
    workflow: t.Object({ id: idShape, name: t.String() }),
    execution: t.Object({ id: idShape, startedAt: timeShape }),
    event: shownAs(
      dataShape,
      t.Object(
        {},
        { description: "The data of the event that started the execution; an empty object where there is none." },
      ),
    ),
    eventName: t.Optional(t.String({ description: "Of that event; not there where none started the execution." })),
    eventId: t.Optional(idShape),
    eventAt: t.Optional(timeShape),
  },
  { title: "WebhookPayload" },
);
export type WebhookPayload = typeof payloadShape.static;

/** As it is kept until it is sent. `startedBy` absent: no event started the execution. */
export type Payload = Omit<WebhookPayload, "eventName" | "eventId" | "eventAt"> & {
  readonly startedBy?: { readonly name: string; readonly id: string; readonly createdAt: string };
};

/** For readers of /docs. */
export const WEBHOOK: OutgoingRequest = {
  name: "workflowWebhook",
  summary: "A WEBHOOK step calls a server",
  description:
    "Unless the step has a `body` of its own. Any 2xx is success; 408, 429, 5xx and no answer at all are tried again, up to seven times in all. Every attempt has the same `webhook-id`.",
  body: payloadShape,
};
