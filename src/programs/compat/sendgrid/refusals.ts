// Our refusals in SendGrid's shape: { errors: [{ message, field, help }] }.
import type { AppError, ErrorCode } from "../../../base/errors.ts";
import type { ApiDialect } from "../../../http/dialect.ts";
import { faultsIn, type FieldNames } from "../faults.ts";

const STATUS: Partial<Readonly<Record<ErrorCode, number>>> = {
  MISSING_AUTH: 401,
  INVALID_API_KEY: 401,
  VALIDATION_ERROR: 400,
  DOMAIN_NOT_VERIFIED: 403,
  CONTACT_UNSUBSCRIBED: 400,
  RECIPIENT_SUPPRESSED: 400,
};

const NAMES: FieldNames = {
  emails: "personalizations",
  body: "content",
  text: "content",
  reply: "reply_to",
  tags: "categories",
  metadata: "custom_args",
  sendAt: "send_at",
  template: "template_id",
  data: "dynamic_template_data",
  contentId: "content_id",
  contentType: "type",
};

/** https://www.twilio.com/docs/sendgrid/api-reference/how-to-use-the-sendgrid-v3-api/responses */
export const SENDGRID: ApiDialect = {
  at: "/compat/sendgrid",
  title: "SendGrid",
  instead: [
    [/^\w+ \/v3\/(marketing|contactdb)\b/, "Use /contacts, /segments and /campaigns of Posthorn's own API."],
    [/^\w+ \/v3\/(templates|designs)\b/, "Use /templates of Posthorn's own API."],
    [/^\w+ \/v3\/suppression\b/, "Use /suppressions of Posthorn's own API."],
    [/^\w+ \/v3\/asm\b/, "Use /topics of Posthorn's own API: each is a thing that people can leave."],
    [/^\w+ \/v3\/(mail\/batch|user\/scheduled_sends)\b/, "Use DELETE /emails/{id} of Posthorn's own API."],
    [
      /^\w+ \/v3\/(stats|categories|\w+\/stats)\b/,
      "Use GET /statistics/mails and GET /statistics/tags of Posthorn's own API.",
    ],
    [/^\w+ \/v3\/messages\b/, "Use GET /emails of Posthorn's own API."],
    [/^\w+ \/v3\/validations\b/, "Use POST /v1/verify of Posthorn's own API."],
    [/^\w+ \/v3\/api_keys\b/, "Use /keys of Posthorn's own API."],
    [/^\w+ \/v3\/(whitelabel|verified_senders|senders)\b/, "Use /domains of Posthorn's own API."],
    [/^\w+ \/v3\/user\/webhooks\b/, "Use /webhooks of Posthorn's own API."],
  ],
  refusal: (error: AppError) => {
    const { code, status, message } = error;
    const errors = faultsIn(NAMES, error)?.map((one) => ({ message: one.message, field: one.field, help: null }));
    return { status: STATUS[code] ?? status, body: { errors: errors ?? [{ message, field: null, help: null }] } };
  },
};
