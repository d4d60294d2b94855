// The log line about one hand-over.
import type { MailToSend } from "../../mail/emails/queries.ts";
import type { LogFields } from "../../base/log.ts";
import type { HandoverAttempt, MailSettlement } from "./settle.ts";

type HandoverLineOptions = {
  readonly outcome: MailSettlement;
  readonly relay: string | null;
  readonly withAddresses: boolean;
};

/** Relays repeat addresses in their replies, so only the codes are shown unless addresses are enabled. */
export function handoverLine(
  mail: MailToSend,
  { outcome: { reply }, tookMs }: HandoverAttempt,
  about: HandoverLineOptions,
): LogFields {
  const { outcome, relay, withAddresses } = about;
  const line = { mail: mail.id, attempt: mail.attempts, outcome, ms: tookMs };
  const where = relay === null ? {} : { relay };
  if (withAddresses) return { ...line, ...where, to: mail.toAddress, reply };
  const code = codeOf(reply);
  return { ...line, ...where, ...(code === null ? {} : { code }) };
}

/** `550 5.1.1`; null = the reply has none. */
export function codeOf(reply: string): string | null {
  return /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3})?(?=[ -]|$)/.exec(reply)?.[0] ?? null;
}
