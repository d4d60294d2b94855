// Endpoints and their deliveries, as the interface takes and shows them (docs/webhooks.md).
import { t } from "elysia";
import { ifUpdatedAtShape } from "../../../tenant/access/saving-shape.ts";
import { countShape, idShape, nullable, oneOf, timeShape } from "../../../http/answer-shapes.ts";
import type { OutgoingRequest } from "../../../http/answers.ts";
import { tagShape } from "../../../http/label-shapes.ts";
import { dataShape, optional } from "../../../http/schemas.ts";
import type { Secrets } from "../../../base/secrets.ts";
import type { WebhookAttempt } from "../sending/attempt-queries.ts";
import { FORMATS, type FormatName } from "../formats/table.ts";
import { maskedHeaders } from "../sending/url.ts";
import type { ListedDelivery } from "./delivery-queries.ts";
import { EVENT_TYPES } from "../../../tenant/events/catalog.ts";
import { PATTERNS } from "./patterns.ts";
import type { Endpoint } from "./queries.ts";

const literals = <Word extends string>(words: readonly Word[], description: string) =>
  t.Union(
    words.map((word) => t.Literal(word)),
    { description },
  );

export const typeShape = literals(EVENT_TYPES, "A type of event.");
export const patternShape = literals(PATTERNS, "A type of event, all of a kind (`email.*`), or all there are (`*`).");

const urlShape = t.String({ minLength: 1, maxLength: 2_000 });
const eventsShape = t.Array(patternShape, { minItems: 1, maxItems: 50 });
const tagsShape = t.Array(tagShape, { maxItems: 50 });
const descriptionShape = t.String({ maxLength: 200, pattern: "^[^\\r\\n]*$" });
const headersShape = t.Record(t.String({ maxLength: 100 }), t.String({ maxLength: 2_000 }), {
  description: "Sent along with every call.",
});
const formatShape = t.Union(
  (Object.keys(FORMATS) as FormatName[]).map((name) => t.Literal(name)),
  { description: "Whose webhooks those of this endpoint look like." },
);
const enabledShape = t.Boolean({ description: "Whether it is sent anything." });

export const endpointInputShape = t.Object(
  {
    url: urlShape,
    events: eventsShape,
    tags: optional(
      tagsShape,
      "Of emails that are sent, only events of those with at least one of these tags. Other events are told all the same. None: of all emails.",
    ),
    format: optional(
      formatShape,
      "Whose webhooks they look like, and are signed as; `posthorn` unless given. Types that the provider does not have are refused, and `email.*` means those that it has.",
    ),
    description: optional(descriptionShape, "What the server is, for people."),
    headers: optional(headersShape),
    enabled: optional(enabledShape, "true unless given."),
  },
  { examples: [{ url: "https://app.example.com/posthorn", events: ["email.*", "contact.unsubscribed"] }] },
);
export type EndpointInput = typeof endpointInputShape.static;

export const endpointChangeShape = t.Object(
  {
    url: optional(urlShape),
    events: optional(eventsShape),
    tags: optional(tagsShape, "An empty list: of all emails."),
    format: optional(formatShape),
    description: optional(descriptionShape, "An empty one removes it."),
    headers: optional(headersShape, "All of them; a value of `••••••••` keeps the one that is stored."),
    enabled: optional(enabledShape),
    ifUpdatedAt: ifUpdatedAtShape,
  },
  { examples: [{ enabled: false }] },
);
export type EndpointChange = typeof endpointChangeShape.static;

export const endpointShape = t.Object(
  {
    id: idShape,
    url: t.String(),
    description: nullable(t.String()),
    events: t.Array(t.String()),
    tags: t.Array(t.String(), { description: "Empty: events of all emails." }),
    format: formatShape,
    headers: t.Record(t.String(), t.String()),
    enabled: t.Boolean(),
    failingSince: t.Union([timeShape, t.Null()], { description: "null: the last call got through." }),
    switchedOffAt: t.Union([timeShape, t.Null()], {
      description: "When it was switched off because no call had got through for three days.",
    }),
    secret: t.Union([t.String(), t.Null()], {
      description:
        "Signs what is sent. null for those who may not see it, and in the format of Postmark, which does not sign.",
    }),
    formerSecretUntil: t.Union([timeShape, t.Null()], {
      description: "Until then the secret before it signs as well.",
    }),
    createdAt: timeShape,
    updatedAt: timeShape,
  },
  { title: "Webhook" },
);

/** `secrets`: null = they are hidden from the caller. */
export type EndpointVisibility = { readonly secrets: Secrets | null; readonly headers: boolean; readonly now: string };

export function endpointRecord(endpoint: Endpoint, seenBy: EndpointVisibility): typeof endpointShape.static {
  const { seq: _, workspace: __, offAt, secret, formerUntil, headers, events, tags, ...same } = endpoint;
  return {
    ...same,
    events: [...events],
    tags: [...tags],
    headers: seenBy.headers ? { ...headers } : maskedHeaders(headers),
    switchedOffAt: offAt,
    secret: seenBy.secrets && FORMATS[same.format].signedAs !== null ? seenBy.secrets.decrypt(secret) : null,
    formerSecretUntil: formerUntil !== null && formerUntil > seenBy.now ? formerUntil : null,
  };
}

const deliveryStateShape = oneOf("DUE", "CALLING", "DELIVERED", "FAILED", "CANCELLED");

const deliveryFields = {
  id: t.String({ format: "uuid", description: "Of the event, which is the `webhook-id`." }),
  type: t.String(),
  createdAt: timeShape,
  state: t.Union([deliveryStateShape], {
    description: "DUE: waits for its next attempt. CANCELLED: the webhook was off.",
  }),
  attemptCount: countShape,
  nextAt: t.Union([timeShape, t.Null()], { description: "When it is tried again." }),
  lastAt: nullable(timeShape),
  status: t.Union([t.Number({ multipleOf: 1 }), t.Null()], {
    description: "Of the last answer. null: there was none, or none yet.",
  }),
  durationMs: nullable(countShape),
};

export const deliveryShape = t.Object(deliveryFields, { title: "WebhookDelivery" });

const attemptShape = t.Object({
  number: countShape,
  at: timeShape,
  outcome: t.Union([oneOf("delivered", "later", "failed"), t.Null()], {
    description: "`later`: it is tried again. null: under way, or cut off.",
  }),
  status: nullable(t.Number({ multipleOf: 1 })),
  durationMs: nullable(countShape),
  answer: t.Union([t.String(), t.Null()], { description: "The beginning of the answer, or why there is none." }),
});

export const wholeDeliveryShape = t.Object(
  {
    ...deliveryFields,
    contactId: t.Union([idShape, t.Null()], { description: "Of the contact that it tells of; null: of none." }),
    request: t.Object(
      { url: t.String(), headers: t.Record(t.String(), t.String()), body: t.String() },
      {
        description:
          "As it would be sent now; a signature is added to each attempt. `body` is empty if the format of the webhook has no such event.",
      },
    ),
    attempts: t.Array(attemptShape),
  },
  { title: "WebhookDeliveryWithAttempts" },
);

export function deliveryRecord(delivery: ListedDelivery): typeof deliveryShape.static {
  const { seq: _, dueAt, ...same } = delivery;
  return { ...same, nextAt: delivery.state === "DUE" ? dueAt : null };
}

type DeliveryDetails = {
  readonly contactId: string | null;
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string };
  readonly attempts: readonly (WebhookAttempt & { readonly delivery: number })[];
};

export function wholeRecord(
  delivery: ListedDelivery,
  { contactId, request, attempts }: DeliveryDetails,
): typeof wholeDeliveryShape.static {
  return {
    ...deliveryRecord(delivery),
    contactId,
    request: { ...request, headers: { ...request.headers } },
    attempts: attempts.map(({ delivery: _, ...attempt }) => attempt),
  };
}

/** For readers of /docs. */
export const EVENT_CALL: OutgoingRequest = {
  name: "webhookEvent",
  summary: "An event is sent to a webhook",
  description:
    "Any 2xx is success; 408, 429, 5xx and no answer at all are tried again, up to seven times in all. Every attempt has the same `webhook-id`, which is `id` of the body.",
  body: t.Object(
    { id: idShape, type: t.String(), createdAt: timeShape, workspaceId: idShape, data: dataShape },
    { title: "WebhookEvent" },
  ),
};
