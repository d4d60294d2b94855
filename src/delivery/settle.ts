// What the outcome of an attempt does to the mail:
//
//   accepted     SENT, emits email.sent
//   bounced      BOUNCED, emits email.bounce; for good: the contact is unsubscribed
//   failed       FAILED
//   later        QUEUED, due by the retry schedule; after the last attempt FAILED or BOUNCED (Transient)
//   unreachable  QUEUED, no attempt used; the loop rests and tries with one mail now and then
import { iso } from "../clock.ts";
import { handBack, markBounced, markFailed, markSent, putOff } from "../emails/email.ts";
import type { MailToSend } from "../emails/queries.ts";
import { retryDelayMs } from "../jobs/retry.ts";
import type { Tx } from "../store/store.ts";
import type { Carried } from "./carrier/carrier.ts";

export type RetryPlan = {
  readonly scheduleSeconds: readonly number[];
  /** In [0, 1): spreads the retries. */
  readonly chance: () => number;
};

/** `tookMs`: from the turn to be rendered to the answer. */
export type Attempted = Carried & { readonly tookMs: number };

/** Records the outcome of one attempt: SENT, BOUNCED, FAILED, or QUEUED again until the schedule of retries is used up. */
export async function settle(tx: Tx, mail: MailToSend, attempted: Attempted, plan: RetryPlan): Promise<void> {
  const { outcome, subject, tookMs } = attempted;
  const { kind, reply } = outcome;
  const answer = { subject, reply, tookMs };
  if (kind === "accepted") return markSent(tx, mail, { ...answer, remoteId: outcome.remoteId ?? null });
  if (kind === "bounced") return markBounced(tx, mail, answer, "Permanent");
  if (kind === "failed")
    return outcome.transient ? markBounced(tx, mail, answer, "Transient") : markFailed(tx, mail, reply, tookMs);
  if (kind === "unreachable") return handBack(tx, mail, tx.now);
  const delayMs = retryDelayMs(plan.scheduleSeconds, mail.attempts, plan.chance());
  if (delayMs !== null) return putOff(tx, mail, answer, iso(tx.nowMs + delayMs));
  if (outcome.transient) return markBounced(tx, mail, answer, "Transient");
  return markFailed(tx, mail, `Given up after ${mail.attempts} attempts: ${reply}`, tookMs);
}
