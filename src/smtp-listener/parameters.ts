// The parameters that MAIL and RCPT may have here.
import type { SMTPServerAddress } from "smtp-server";
import { SmtpReply } from "./smtp-reply.ts";

/** RFC 1870, 6152, 6531. */
export const OF_MAIL: readonly string[] = ["SIZE", "BODY", "SMTPUTF8"];
/** And RFC 4954, where whom it names is nothing to us. */
export const OF_MAIL_WITH_LOG_IN: readonly string[] = [...OF_MAIL, "AUTH"];

/** What is not offered would be a promise that nobody keeps (RFC 5321 §4.1.1.11). @throws SmtpReply */
export function mustBeOffered({ args }: SMTPServerAddress, offered: readonly string[]): void {
  const unknown = Object.keys(args || {}).find((name) => !offered.includes(name));
  if (unknown !== undefined) throw new SmtpReply(555, "5.5.4", `The parameter ${unknown.slice(0, 40)} is not offered`);
}
