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

/** `tookMs`: from the turn to be rendered to the answer. `hop`: who was to be asked (hop-queries.ts). */
export type Attempted = Carried & { readonly tookMs: number; readonly hop: number | null };

/** What became of the mail; `unreachable`: nothing, it waits as if it had not been tried. */
export type Settled = "sent" | "bounced" | "failed" | "deferred" | "unreachable";

/** Records the outcome of one attempt: SENT, BOUNCED, FAILED, or QUEUED again until the schedule of retries is used up. */
export async function settle(tx: Tx, mail: MailToSend, attempted: Attempted, plan: RetryPlan): Promise<Settled> {
  const { outcome, subject, tookMs } = attempted;
  const { kind, reply } = outcome;
  const hop = kind !== "accepted" && outcome.isLocal ? null : attempted.hop;
  const answer = { subject, reply, tookMs, hop };
  if (kind === "accepted") {
    await markSent(tx, mail, { ...answer, remoteId: outcome.remoteId ?? null });
    return "sent";
  }
  if (kind === "bounced") return bounced(tx, mail, answer, "Permanent");
  if (kind === "unreachable") {
    await handBack(tx, mail, tx.now);
    return kind;
  }
  const delayMs = kind === "later" ? retryDelayMs(plan.scheduleSeconds, mail.attempts, plan.chance()) : null;
  if (delayMs !== null) {
    await putOff(tx, mail, answer, iso(tx.nowMs + delayMs));
    return "deferred";
  }
  if (outcome.transient) return bounced(tx, mail, answer, "Transient");
  await markFailed(tx, mail, kind === "later" ? `Given up after ${mail.attempts} attempts: ${reply}` : reply, answer);
  return "failed";
}

async function bounced(...bounce: Parameters<typeof markBounced>): Promise<Settled> {
  await markBounced(...bounce);
  return "bounced";
}
