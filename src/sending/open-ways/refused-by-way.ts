// Refusals that are about the way and not the mail: the next hop surely has not taken the mail, and another way may.
import { MINUTE_MS } from "../../base/clock.ts";
import { aboutWay } from "../carrier/transport/about-way.ts";
import type { HandoverOutcome, HopRefusal } from "../carrier/transport/transport.ts";

/** Whether another way may take the mail: this one surely has not. `isDown`: the way has deferred too many mails. */
export function mayGoElsewhere(outcome: HandoverOutcome, isDown: boolean): boolean {
  if (outcome.kind === "unreachable") return outcome.isLocal !== true;
  if (outcome.kind === "later" && isDown && !outcome.isLocal) return true;
  return aboutWay(outcome) !== null || wasLost(outcome) || ("isUnfit" in outcome && outcome.isUnfit === true);
}

/**
 * The same for a letter to the operator, which leaves by any way that takes it, also after a refusal of the letter
 * itself.
 */
export function isNotTaken({ kind, ...outcome }: HandoverOutcome): boolean {
  return kind !== "accepted" && kind !== "unanswered" && !("isLocal" in outcome && outcome.isLocal);
}

/** The next hop hung up or fell silent, and surely has not taken the mail. */
export function wasLost(outcome: HandoverOutcome): boolean {
  return outcome.kind === "later" && outcome.isLost === true;
}

/** Until a way that works for other mail is tried again with a mail that it would not take. */
const WITHOUT_SLOT_MS = 5_000;

/**
 * The attempt at a mail for which the next way has no slot: it waits in the queue, as if it had not been tried.
 * `isDown`: the way that refused it is down, so that it waits for the other one.
 */
export function untried<Attempt extends { readonly outcome: HandoverOutcome }>(
  attempted: Attempt,
  isDown: boolean,
): Attempt {
  const { outcome } = attempted;
  const reply = outcome.kind === "accepted" ? "" : outcome.reply;
  return { ...attempted, outcome: { kind: "unreachable", reply, waitMs: isDown ? 0 : WITHOUT_SLOT_MS } };
}

/** Precedes the reply, where the mail shows why it waits. */
export const SENDER_WAITS = "No way out takes its sender: ";
const ACCOUNT_WAITS = "The way out takes no email: ";

/**
 * The outcome of a mail with no way left: a refusal that is surely about the way is no reason to give the mail up. A
 * refusal that may be a recipient's server's is retried by the schedule. `senderMs`: until the way is tried with its
 * sender again.
 */
export function ifNoneIsLeft(
  outcome: HandoverOutcome,
  waits: { readonly isDown: boolean; readonly senderMs: number },
): HandoverOutcome {
  const about = aboutWay(outcome);
  if (about === null || outcome.kind === "accepted") return outcome;
  const { reply } = outcome;
  if (!about.isSure) return outcome.kind === "later" ? outcome : { kind: "later", reply };
  if (about.what === "sender") return waitsForSender(reply, Math.max(MINUTE_MS, waits.senderMs));
  return { kind: "unreachable", reply: ACCOUNT_WAITS + reply, waitMs: waits.isDown ? 0 : MINUTE_MS, isTold: true };
}

/** Another way may take it; else it waits until a person makes its sender known. */
export function waitsForSender(reply: string, waitMs: number): HopRefusal {
  return {
    kind: "unreachable",
    reply: reply.startsWith(SENDER_WAITS) ? reply : SENDER_WAITS + reply,
    waitMs,
    isTold: true,
  };
}
