// What an error of the Amazon SES API means for the mail.
import { oneLine } from "../../emails/refusal.ts";
import type { Refusal } from "../transport.ts";

type SdkError = Error & { readonly code?: string; readonly $metadata?: { readonly httpStatusCode?: number } };

/** The account, the credentials or the configuration set: no mail would fare better. */
const ACCOUNT_TROUBLE =
  /^(AccountSuspended|SendingPaused|LimitExceeded|NotFound|Credentials|ExpiredToken|UnrecognizedClient|InvalidClientTokenId|IncompleteSignature|InvalidSignature|MissingAuthenticationToken|OptInRequired)/;
const THROTTLED = /^(TooManyRequests|Throttling)/;
const DAILY_QUOTA = /daily message quota/i;
const SUPPRESSED = /suppression list|address (is )?blacklisted/i;
/** No connection came about, so nothing was sent. */
const NO_CONNECTION =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_SSL|ERR_TLS|CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO)/;
const NEVER_CONNECTED = /did not establish a connection/;
const MAYBE = "SES was asked to send and did not answer: it may or may not have taken the message";

/** Never throws; what is not known for sure to be the mail's fault is not held against it. */
export function sesRefusal(error: SdkError): Refusal {
  const status = error.$metadata?.httpStatusCode;
  const reply = oneLine(`${status ?? ""} ${error.name}: ${error.message}`);
  if (ACCOUNT_TROUBLE.test(error.name) || status === 401 || status === 403) return { kind: "unreachable", reply };
  if (status === undefined || status < 400) return withoutAnswer(error, reply);
  if (THROTTLED.test(error.name) || status === 429)
    return { kind: quotaIsSpent(error) ? "unreachable" : "later", reply };
  if (status >= 500) return { kind: "later", reply };
  return { kind: SUPPRESSED.test(error.message) ? "bounced" : "failed", reply };
}

function quotaIsSpent(error: SdkError): boolean {
  return DAILY_QUOTA.test(error.message);
}

function withoutAnswer(error: SdkError, reply: string): Refusal {
  const neverSent = NO_CONNECTION.test(error.code ?? "") || NEVER_CONNECTED.test(error.message);
  return neverSent ? { kind: "unreachable", reply } : { kind: "later", reply: oneLine(`${MAYBE} (${reply})`) };
}
