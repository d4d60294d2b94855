// Our refusals as Postmark says them: { ErrorCode, Message }.
import type { AppError, ErrorCode } from "../../errors.ts";
import type { Dialect } from "../../http/dialect.ts";

type Said = readonly [status: number, code: number];

/** https://postmarkapp.com/developer/api/overview#error-codes */
const SAID: Partial<Readonly<Record<ErrorCode, Said>>> = {
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
  INVALID_JSON: [422, 402],
  INVALID_PARAMETERS: [422, 403],
  VALIDATION_ERROR: [422, 300],
  PAYLOAD_TOO_LARGE: [413, 300],
  RATE_LIMIT_EXCEEDED: [429, 429],
};

export const POSTMARK: Dialect = {
  at: "/compat/postmark",
  refusal: (error) => ({ status: SAID[error.code]?.[0] ?? error.status, body: refusalOf(error) }),
};

/** In the answer to a batch, too. */
export function refusalOf({ code, status, message }: AppError) {
  return { ErrorCode: SAID[code]?.[1] ?? status, Message: message };
}
