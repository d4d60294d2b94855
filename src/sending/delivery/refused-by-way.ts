// Refusals that are about the way and no mail of it: the next hop surely has not taken the mail, and another one may.
import { MINUTE_MS } from "../../base/clock.ts";
import { aboutWay } from "./transport/about-way.ts";
import type { HandoverOutcome, HopRefusal } from "./transport/transport.ts";

/** Whether another way may take the mail: this one surely has not. `isDown`: it has deferred too much. */
export function mayGoElsewhere(outcome: HandoverOutcome, isDown: boolean): boolean {
  if (outcome.kind === "unreachable") return outcome.isLocal !== true;
  if (outcome.kind === "later" && isDown && !outcome.isLocal) return true;
  return aboutWay(outcome) !== null || wasLost(outcome);
}

/**
 * The same for a letter to the operator, which leaves by any way that takes it: so does one that is refused for a reason
 * of its own.
 */
export function isNotTaken({ kind, ...outcome }: HandoverOutcome): boolean {
  return kind !== "accepted" && kind !== "unanswered" && !("isLocal" in outcome && outcome.isLocal);
}

/** The next hop hung up or fell silent, and surely has not taken the mail. */
export function wasLost(outcome: HandoverOutcome): boolean {
  return outcome.kind === "later" && outcome.isLost === true;
}

/** Until a way that works for others is asked again for what it would not have. */
const WITHOUT_SLOT_MS = 5_000;

/**
 * Of a mail for which the next way has no slot: it waits in the queue, as if it had not been tried. `isDown`: the way
 * that has not taken it, so that it waits for the other one.
 */
export function untried<Attempt extends { readonly outcome: HandoverOutcome }>(
  attempted: Attempt,
  isDown: boolean,
): Attempt {
  const { outcome } = attempted;
  const reply = outcome.kind === "accepted" ? "" : outcome.reply;
  return { ...attempted, outcome: { kind: "unreachable", reply, waitMs: isDown ? 0 : WITHOUT_SLOT_MS } };
}

/** In front of what was said, where the mail shows why it waits. */
export const SENDER_WAITS = "No way out takes its sender: ";
const ACCOUNT_WAITS = "The way out takes no email: ";

/**
 * Of a mail that no way is left for: what is surely about the way is no reason to give the mail up. What may be the word
 * of a recipient's server is tried again by the schedule. `waitMs`: until it is asked about its sender again.
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

/** Another way may take it; else it waits for somebody who makes its sender known. */
export function waitsForSender(reply: string, waitMs: number): HopRefusal {
  return {
    kind: "unreachable",
    reply: reply.startsWith(SENDER_WAITS) ? reply : SENDER_WAITS + reply,
    waitMs,
    isTold: true,
  };
}
