// Our refusals in Resend's shape: { statusCode, name, message }.
import type { AppError, ErrorCode } from "../../../base/errors.ts";
import type { ApiDialect } from "../../../http/dialect.ts";
import { messageIn, type FieldNames } from "../faults.ts";

type ResendError = readonly [status: number, name: string];

const SAID: Partial<Readonly<Record<ErrorCode, ResendError>>> = {
  MISSING_AUTH: [401, "missing_api_key"],
  INVALID_API_KEY: [403, "invalid_api_key"],
  FORBIDDEN: [401, "restricted_api_key"],
  DOMAIN_NOT_VERIFIED: [403, "validation_error"],
  DOMAIN_NOT_ALLOWED: [403, "validation_error"],
  VALIDATION_ERROR: [422, "validation_error"],
  INVALID_JSON: [400, "validation_error"],
  INVALID_PARAMETERS: [400, "validation_error"],
  EMAIL_STATE: [400, "validation_error"],
  IDEMPOTENCY_KEY_REUSED: [409, "invalid_idempotent_request"],
  IDEMPOTENCY_KEY_IN_USE: [409, "concurrent_idempotent_requests"],
  METHOD_NOT_ALLOWED: [405, "method_not_allowed"],
  RATE_LIMIT_EXCEEDED: [429, "rate_limit_exceeded"],
};

function otherwise(status: number): ResendError {
  if (status === 404) return [404, "not_found"];
  return [status, status < 500 ? "validation_error" : "application_error"];
}

/** https://resend.com/docs/api-reference/errors */
export const RESEND: ApiDialect = {
  at: "/compat/resend",
  title: "Resend",
  instead: [
    [/^\w+ \/contact-properties\b/, "Properties need no definition: they are keys of a contact's data."],
    [/^\w+ \/contacts\/imports\b/, "Use POST /contacts/import of Posthorn's own API."],
    [/^\w+ \/api-keys\b/, "Use /keys of Posthorn's own API."],
    [/^\w+ \/events\b/, "Use POST /v1/track of Posthorn's own API: events need no definition."],
    [/^\w+ \/automations\b/, "Use /workflows of Posthorn's own API."],
    [/^\w+ \/(emails\/receiving|inboxes)\b/, "Use GET /emails?status=RECEIVED of Posthorn's own API."],
    [/^\w+ \/emails\/[^/]+\/(attachments|share)\b/, "Use GET /emails/{id}/raw of Posthorn's own API."],
    [/^\w+ \/broadcasts\/[^/]+\/(recipients|clicked-links)\b/, "Use /campaigns/{id} of Posthorn's own API."],
    [/^\w+ \/domains\/(claim\b|[^/]+\/claim\b)/, "Add the domain, and verify it."],
    [/^\w+ \/webhooks\/[^/]+\/events\b/, "Use GET /webhooks/{id}/deliveries of Posthorn's own API."],
    [/^\w+ \/(logs|usage)\b/, "Use GET /emails/counts and GET /events of Posthorn's own API."],
  ],
  refusal,
};

const NAMES: FieldNames = {
  body: "html",
  reply: "reply_to",
  replyTo: "reply_to",
  sendAt: "scheduled_at",
  scheduledFor: "scheduled_at",
  segmentId: "segment_id",
  preheader: "preview_text",
  subscribed: "unsubscribed",
  default: "default_subscription",
  visible: "visibility",
  topic: "topic_id",
  address: "email",
  url: "endpoint",
  domain: "name",
  contentType: "content_type",
  contentId: "content_id",
};

export function messageOf(error: AppError): string {
  return messageIn(NAMES, error);
}

function refusal(error: AppError) {
  const { code, status, details } = error;
  const badKey = details.errors?.some(({ field }) => field === "Idempotency-Key");
  const [statusCode, name] = badKey ? ([400, "invalid_idempotency_key"] as const) : (SAID[code] ?? otherwise(status));
  return { status: statusCode, body: { statusCode, name, message: messageOf(error) } };
}
