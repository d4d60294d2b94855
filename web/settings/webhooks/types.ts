// The types of webhook events by kind, and which of them each format has.
import type { components, operations } from "../../api.gen.ts";

/** `email.bounce`, `email.*` or `*`. */
export type Pattern = operations["createWebhook"]["requestBody"]["content"]["application/json"]["events"][number];
export type EventType = operations["testWebhook"]["requestBody"]["content"]["application/json"]["type"];

/** By kind, as on the server (src/programs/webhooks/endpoints/patterns.ts). */
export const TYPES = {
  email: ["accepted", "sent", "deferred", "failed", "delivery", "open", "click", "bounce", "complaint", "received"],
  contact: ["created", "updated", "subscribed", "unsubscribed", "paused", "resumed", "merged", "erased"],
  topic: ["joined", "left"],
  suppression: ["added", "removed"],
  segment: ["entry", "exit"],
  event: ["tracked"],
  campaign: ["started", "blocked", "finished"],
  domain: ["verified", "failing", "recovered"],
  import: ["finished"],
} as const;

const ALL_TYPES = Object.entries(TYPES).flatMap(([kind, names]) => names.map((name) => `${kind}.${name}` as EventType));

export type WebhookFormat = components["schemas"]["Webhook"]["format"];
export const FORMAT_NAMES: Readonly<Record<WebhookFormat, string>> = {
  posthorn: "Posthorn",
  resend: "Resend",
  postmark: "Postmark",
};

/** Types that a format does not have (src/programs/webhooks/formats). */
const LACKING: Readonly<Record<WebhookFormat, readonly string[]>> = {
  posthorn: [],
  resend: [
    ...["email.accepted", "contact.subscribed", "contact.unsubscribed", "contact.erased"],
    ...["contact.paused", "contact.resumed", "contact.merged"],
    ...["segment", "event", "campaign", "domain", "import"],
  ],
  postmark: [
    ...["email.accepted", "email.sent", "email.deferred", "email.failed", "email.received"],
    ...["contact.created", "contact.updated", "contact.erased"],
    ...["contact.paused", "contact.resumed", "contact.merged"],
    ...["topic", "suppression", "segment", "event", "campaign", "domain", "import"],
  ],
};

/** `pattern`: a type, or all of a kind. */
export function hasType(format: WebhookFormat, pattern: string): boolean {
  const kind = pattern.slice(0, pattern.indexOf("."));
  return !LACKING[format].includes(pattern) && !LACKING[format].includes(kind);
}

export function typesIn(format: WebhookFormat): EventType[] {
  return ALL_TYPES.filter((type) => hasType(format, type));
}
