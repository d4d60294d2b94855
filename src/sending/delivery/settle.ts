// The effect of an attempt's outcome on the mail:
//
//   accepted     SENT, emits email.sent
//   bounced      BOUNCED, emits email.bounce; for good: the contact is unsubscribed
//   failed       FAILED
//   later        QUEUED, due by the retry schedule; after the last attempt FAILED or BOUNCED (Transient)
//   unreachable  QUEUED, no attempt used; the loop rests and tries with one mail now and then
//   unanswered   PERHAPS_DELIVERED, to be repeated an hour later, twice at most. It stays PERHAPS_DELIVERED unless a
//                repeat is accepted: the first copy may have arrived
import { iso } from "../../base/clock.ts";
import {
  release,
  markBounced,
  markEachSent,
  markFailed,
  markUnanswered,
  defer,
  type SentMail,
} from "../../mail/emails/email.ts";
import type { MailToSend } from "../../mail/emails/queries.ts";
import { playFate } from "../../mail/emails/feedback/simulated.ts";
import { retryDelayMs } from "../../base/jobs/retry.ts";
import type { Tx } from "../../store/store.ts";
import type { CarrierResult } from "../carrier/carrier.ts";

export type RetryPlan = {
  readonly scheduleSeconds: readonly number[];
  /** In [0, 1): spreads the retries. */
  readonly chance: () => number;
};

/** `tookMs`: from the turn to be rendered to the answer. `hop`: the next hop of the attempt (hop-queries.ts). */
export type HandoverAttempt = CarrierResult & { readonly tookMs: number; readonly hop: number | null };

/** The mail's new state; `unreachable`: unchanged, it waits as if it had not been tried. */
export type MailSettlement = "sent" | "bounced" | "failed" | "deferred" | "unreachable" | "unanswered";

/** An attempt at a mail, and its outcome. */
export type MailOutcome = { readonly mail: MailToSend; readonly attempted: HandoverAttempt };

/** Records outcomes: accepted mails together, the few others one by one. Answers the settlement of each. */
export async function settleEach(tx: Tx, outcomes: readonly MailOutcome[], plan: RetryPlan): Promise<MailSettlement[]> {
  await markEachSent(tx, outcomes.flatMap(sentOf));
  for (const outcome of outcomes) if (isSent(outcome)) await playFate(tx, outcome.mail);
  const settled: MailSettlement[] = [];
  for (const outcome of outcomes) settled.push(isSent(outcome) ? "sent" : await settle(tx, outcome, plan));
  return settled;
}

function isSent({ attempted }: MailOutcome): boolean {
  return attempted.outcome.kind === "accepted";
}

function sentOf({ mail, attempted: { outcome, subject, tookMs, hop } }: MailOutcome): SentMail[] {
  if (outcome.kind !== "accepted") return [];
  return [{ mail, answer: { subject, reply: outcome.reply, tookMs, hop, remoteId: outcome.remoteId ?? null } }];
}

/**
 * Records the outcome of a mail that was not accepted: BOUNCED, FAILED, or QUEUED again until the schedule of retries
 * is used up.
 */
async function settle(tx: Tx, { mail, attempted }: MailOutcome, plan: RetryPlan): Promise<MailSettlement> {
  const { outcome, subject, tookMs } = attempted;
  const { kind, reply } = outcome;
  if (kind === "accepted") return "sent";
  const answer = { subject, reply, tookMs, hop: outcome.isLocal ? null : attempted.hop };
  if (kind === "unreachable") {
    await release(tx, mail, iso(tx.nowMs + (outcome.waitMs ?? 0)), outcome.isTold ? reply : null);
    return kind;
  }
  if (kind === "unanswered" || mail.repeatsLeft !== null) {
    await markUnanswered(tx, mail, { ...answer, outcome: kind });
    return "unanswered";
  }
  if (kind === "bounced") return bounced(tx, mail, answer, "Permanent");
  const delayMs = kind === "later" ? retryDelayMs(plan.scheduleSeconds, mail.attempts, plan.chance()) : null;
  if (delayMs !== null) {
    await defer(tx, mail, answer, iso(tx.nowMs + delayMs));
    return "deferred";
  }
  if (outcome.transient) return bounced(tx, mail, answer, "Transient");
  await markFailed(tx, mail, kind === "later" ? `Given up after ${mail.attempts} attempts: ${reply}` : reply, answer);
  return "failed";
}

async function bounced(...bounce: Parameters<typeof markBounced>): Promise<MailSettlement> {
  await markBounced(...bounce);
  return "bounced";
}
