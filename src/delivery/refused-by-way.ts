// Refusals that are about the way and no mail of it: the next hop surely has not taken the mail, and another one may.
import type { Outcome } from "./transport/transport.ts";

/**
 * Service not available, and everything about our login (RFC 5321 §4.2.3, RFC 4954 §6). 421 with 4.7.x is what a
 * mailbox provider says of our pace (pace/signs.ts).
 */
const CODES = /^(421(?! 4\.7\.)|454|530|534|535|538)\b|\b[45]\.7\.(8|9|11|12|13|14)\b/;
/** Of the account at the relay or provider. */
const WORDS =
  /\b(account|user|domain|sending)\b.{0,40}\b(suspended|disabled|blocked|paused|inactive|not (yet )?(active|activated))\b|\b(daily|hourly|monthly|sending|message|email) (sending )?(quota|limit)\b|\bquota\b.{0,20}\bexceeded\b|\bmaximum credits\b|\bout of credits?\b|\brelay(ing)? (access )?(denied|not permitted|prohibited)\b|\bauthentication required\b/i;

/** A full mailbox is the recipient's. */
const MAILBOX = /\bmailbox\b|\b[45]\.2\.\d/i;

/** The next hop was asked and would take no mail from us, or none by this account. */
export function isOfTheWay(outcome: Outcome): boolean {
  if (outcome.kind !== "failed" && outcome.kind !== "later") return false;
  if (outcome.isLocal || outcome.isTakenOver) return false;
  return CODES.test(outcome.reply) || (WORDS.test(outcome.reply) && !MAILBOX.test(outcome.reply));
}

/** Whether another way may take the mail: this one surely has not. `isDown`: it has put off too much. */
export function mayGoElsewhere(outcome: Outcome, isDown: boolean): boolean {
  if (outcome.kind === "unreachable") return outcome.isLocal !== true;
  if (outcome.kind === "later" && isDown && !outcome.isLocal) return true;
  return isOfTheWay(outcome) || wasLost(outcome);
}

/**
 * The same for a letter to the operator, which leaves by any way that takes it: so does one that is refused for a reason
 * of its own.
 */
export function isNotTaken({ kind, ...outcome }: Outcome): boolean {
  return kind !== "accepted" && kind !== "unanswered" && !("isLocal" in outcome && outcome.isLocal);
}

/** The next hop hung up or fell silent, and surely has not taken the mail. */
export function wasLost(outcome: Outcome): boolean {
  return outcome.kind === "later" && outcome.isLost === true;
}

/** Until a way that works for others is asked again for what it would not have. */
const WITHOUT_SLOT_MS = 5_000;

/**
 * Of a mail for which the next way has no slot: it waits in the queue, as if it had not been tried. `isDown`: the way
 * that has not taken it, so that it waits for the other one.
 */
export function untried<Attempt extends { readonly outcome: Outcome }>(attempted: Attempt, isDown: boolean): Attempt {
  const { outcome } = attempted;
  const reply = outcome.kind === "accepted" ? "" : outcome.reply;
  return { ...attempted, outcome: { kind: "unreachable", reply, waitMs: isDown ? 0 : WITHOUT_SLOT_MS } };
}
