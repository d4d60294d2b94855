// Our refusals in Mailgun's shape: { message }.
import type { ErrorCode } from "../../../base/errors.ts";
import type { ApiDialect } from "../../../http/dialect.ts";
import { messageIn, type FieldNames } from "../faults.ts";

/** Its clients try a 5xx again, and no other. */
const STATUS: Partial<Readonly<Record<ErrorCode, number>>> = {
  VALIDATION_ERROR: 400,
  DOMAIN_NOT_ALLOWED: 404,
  TEMPLATE_NOT_FOUND: 400,
  VERSION_NOT_FOUND: 400,
};

const NAMES: FieldNames = {
  body: "html",
  reply: "h:Reply-To",
  tags: "o:tag",
  sendAt: "o:deliverytime",
  attachments: "attachment",
  data: "t:variables",
};

/** https://documentation.mailgun.com/docs/mailgun/api-reference/mg-auth */
export const MAILGUN: ApiDialect = {
  at: "/compat/mailgun",
  title: "Mailgun",
  instead: [
    [/^POST \/v1\/analytics\/logs\b/, "Use GET /v3/{domain}/events."],
    [/^\w+ \/v1\/analytics\b/, "Use GET /v3/{domain}/stats/total, or GET /statistics/mails of Posthorn's own API."],
    [
      /^\w+ \/v3\/[^/]+\/(bounces|complaints|unsubscribes)\/import\b/,
      "Use POST /suppressions/imports of Posthorn's own API.",
    ],
    [/^DELETE \/v3\/[^/]+\/(bounces|complaints|unsubscribes)$/, "No whole list is emptied: name the address."],
    [
      /^\w+ \/v3\/[^/]+\/(whitelists|allowlists?)\b/,
      "Nothing suppresses an address that has not bounced or complained.",
    ],
    [/^\w+ \/v3\/(domains\/)?[^/]+\/webhooks\b/, "Use /webhooks of Posthorn's own API."],
    [/^\w+ \/v3\/[^/]+\/templates\b/, "Use /templates of Posthorn's own API."],
    [/^\w+ \/v3\/[^/]+\/tags?\b/, "Use GET /statistics/tags of Posthorn's own API."],
    [/^\w+ \/v3\/lists\b/, "Use /segments and /topics of Posthorn's own API."],
    [/^\w+ \/v3\/routes\b/, "Use /webhooks or /workflows of Posthorn's own API."],
    [/^\w+ \/v3\/domains\/[^/]+\/messages\b/, "Use GET /emails/{id} of Posthorn's own API."],
    [/^(POST|PUT|DELETE) \/v[34]\/domains\b/, "Use /domains of Posthorn's own API."],
    [/^\w+ \/v4\/address\/validate\b/, "Use POST /v1/verify of Posthorn's own API."],
  ],
  refusal: (error) => {
    const status = STATUS[error.code] ?? error.status;
    return { status, body: { message: status === 401 ? "Forbidden" : messageIn(NAMES, error) } };
  },
};
