// Our refusals in Postmark's shape: { ErrorCode, Message }.
import type { AppError, ErrorCode } from "../../../base/errors.ts";
import type { AcceptanceBody } from "../../../mail/emails/send/answer-shape.ts";
import type { ApiDialect } from "../../../http/dialect.ts";
import { messageIn, type FieldNames } from "../faults.ts";

type PostmarkError = readonly [status: number, code: number];

/** https://postmarkapp.com/developer/api/overview#error-codes */
const SAID: Partial<Readonly<Record<ErrorCode, PostmarkError>>> = {
  MISSING_AUTH: [401, 10],
  INVALID_API_KEY: [401, 10],
  FORBIDDEN: [401, 10],
  WORKSPACE_DISABLED: [422, 405],
  DOMAIN_NOT_VERIFIED: [422, 401],
  DOMAIN_NOT_ALLOWED: [422, 400],
  TEMPLATE_NOT_FOUND: [422, 1101],
  VERSION_NOT_FOUND: [422, 1101],
  EMAIL_NOT_FOUND: [422, 701],
  CONTACT_UNSUBSCRIBED: [422, 406],
  RECIPIENT_SUPPRESSED: [422, 406],
  INVALID_JSON: [422, 402],
  INVALID_PARAMETERS: [422, 403],
  VALIDATION_ERROR: [422, 300],
  PAYLOAD_TOO_LARGE: [413, 300],
  RATE_LIMIT_EXCEEDED: [429, 429],
};

const NAMES: FieldNames = {
  emails: "Messages",
  from: "From",
  to: "To",
  cc: "Cc",
  bcc: "Bcc",
  subject: "Subject",
  body: "HtmlBody",
  text: "TextBody",
  reply: "ReplyTo",
  tags: "Tag",
  metadata: "Metadata",
  headers: "Headers",
  attachments: "Attachments",
  filename: "Name",
  content: "Content",
  contentType: "ContentType",
  contentId: "ContentID",
  template: "TemplateAlias",
  data: "TemplateModel",
};

export const POSTMARK: ApiDialect = {
  at: "/compat/postmark",
  title: "Postmark",
  instead: [
    [/^\w+ \/email\/bulk\b/, "Use POST /email/batch, or /campaigns of Posthorn's own API."],
    [/^PUT \/bounces\/[^/]+\/activate\b/, "Use DELETE /suppressions/{id} of Posthorn's own API."],
    [/^\w+ \/bounces\/./, "Use GET /messages/outbound/{id}/details with the MessageID of the bounce."],
    [/^(POST|PUT|DELETE) \/templates\b/, "Use /templates of Posthorn's own API."],
    [/^\w+ \/messages\/outbound\/[^/]+\/dump\b/, "Use GET /emails/{id}/raw of Posthorn's own API."],
    [/^\w+ \/messages\/outbound\/(opens|clicks)\b/, "Use GET /events of Posthorn's own API."],
    [/^\w+ \/messages\/inbound\b/, "Use GET /emails?status=RECEIVED of Posthorn's own API."],
    [/^\w+ \/stats\b/, "Use GET /statistics/mails of Posthorn's own API."],
    [/^\w+ \/webhooks\b/, 'Use /webhooks of Posthorn\'s own API, with "format": "postmark".'],
    [
      /^\w+ \/message-streams(\/[^/]+(\/(un)?archive)?)?$/,
      "There are no streams: a template or a campaign says what an email is.",
    ],
    [/^\w+ \/(domains|senders)\b/, "Use /domains of Posthorn's own API."],
    [/^\w+ \/servers?\b/, "Use /workspace of Posthorn's own API."],
    [/^\w+ \/triggers\b/, "Use /workflows of Posthorn's own API."],
    [/^\w+ \/data-removals\b/, "Use DELETE /contacts/{id} of Posthorn's own API."],
  ],
  refusal: (error) => ({ status: SAID[error.code]?.[0] ?? error.status, body: refusalOf(error) }),
};

/** In the answer to a batch, too. */
export function refusalOf(error: AppError) {
  const { code, details, status } = error;
  const inactive = details.values?.["email"] ?? details.values?.["emails"];
  const isInactive = code === "RECIPIENT_SUPPRESSED" && inactive !== undefined;
  return {
    ErrorCode: SAID[code]?.[1] ?? status,
    Message: isInactive ? allInactive(inactive) : messageIn(NAMES, error),
  };
}

/** Clients read the addresses out of this sentence and the next. */
function allInactive(addresses: string): string {
  return `You tried to send to recipients that are inactive. Found inactive addresses: ${addresses}. Inactive recipients are suppressed: they bounced, complained, or somebody suppressed them.`;
}

export function saidOf({ skipped = [] }: AcceptanceBody): string {
  const addresses = skipped.map(({ email }) => email).join(", ");
  return addresses === "" ? "OK" : `Message OK, but will not deliver to these inactive addresses: ${addresses}`;
}
