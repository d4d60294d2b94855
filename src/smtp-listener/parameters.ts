// The parameters that MAIL and RCPT may have here.
import type { SMTPServerAddress } from "smtp-server";
import { SmtpReply } from "./smtp-reply.ts";

/** RFC 1870, 6152, 6531. */
export const OF_MAIL: readonly string[] = ["SIZE", "BODY", "SMTPUTF8"];
/** And AUTH (RFC 4954), whose value is not used. */
export const OF_MAIL_WITH_LOG_IN: readonly string[] = [...OF_MAIL, "AUTH"];

/** Refuses a parameter that is not offered, as accepting it would promise what nobody does (RFC 5321 §4.1.1.11). @throws SmtpReply */
export function mustBeOffered({ args }: SMTPServerAddress, offered: readonly string[]): void {
  const unknown = Object.keys(args || {}).find((name) => !offered.includes(name));
  if (unknown !== undefined) throw new SmtpReply(555, "5.5.4", `The parameter ${unknown.slice(0, 40)} is not offered`);
}
