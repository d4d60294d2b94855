// From what nodemailer's SMTP client reports to what became of the mail.
import type { SMTPError } from "nodemailer/lib/smtp-connection";
import type { Phase } from "../../emails/blame.ts";
import { oneLine } from "../../emails/refusal.ts";
import { readReply, refusal, remoteIdOf } from "./reply.ts";
import type { Outcome, Refusal } from "../transport.ts";

const PHASE_OF: Readonly<Record<string, Phase>> = { "MAIL FROM": "mail", "RCPT TO": "rcpt", DATA: "data" };

const LOST_EARLY = "The connection was lost before the message was handed over";
const LOST_LATE =
  "The connection was lost after the message was sent and before the relay answered: it may or may not have taken it";

/** The relay took the message, with these words. */
export function accepted(response: string): Outcome {
  const remoteId = remoteIdOf(response);
  return { kind: "accepted", reply: oneLine(response), ...(remoteId === null ? {} : { remoteId }) };
}

/** What a failed hand-over means; `bodySent`: the message itself was under way or through. */
export function outcomeOf(error: SMTPError, bodySent: boolean): Refusal {
  const phase = PHASE_OF[error.command ?? ""] ?? (bodySent ? "data" : "mail");
  if (error.response) return refusal(phase, readReply(error.response));
  if (isRefusal(error)) return { kind: "failed", reply: oneLine(error.message) };
  return { kind: "later", reply: oneLine(`${bodySent ? LOST_LATE : LOST_EARLY} (${error.message})`) };
}

/** The relay, or the library on the ground of what the relay offers, said no to this one mail. */
function isRefusal(error: SMTPError): boolean {
  return error.code === "EENVELOPE" || error.code === "EMESSAGE";
}

/** After this the two sides may no longer agree on where in the session they are. */
export function isBroken(error: SMTPError): boolean {
  if (!isRefusal(error)) return true;
  const code = error.response ? readReply(error.response).code : null;
  return code === 0 || code === 421;
}
