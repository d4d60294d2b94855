// The effects of queueing mails: the send loop is woken, and the mails are counted.
import { LOOK_OFTEN_MS } from "../../../base/jobs/due.ts";
import { counter } from "../../../base/metrics/metric.ts";
import type { Tx } from "../../../store/store.ts";
import type { SourceType } from "../shape.ts";

/** Signalled when there may be mail to send. */
export const MAIL_QUEUED = "mail";

/** Within this time the send loop runs twice without a signal, so mail that is due later needs none. */
const SEEN_IN_TIME_MS = 2 * LOOK_OFTEN_MS;

const ACCEPTED = counter("posthorn_mails_accepted_total", "Emails taken into the queue.", "kind", [
  "transactional",
  "campaign",
  "workflow",
]);

type QueueAnnouncement = { readonly workspace: number; readonly sourceType: SourceType; readonly mails?: number } & {
  /** Null = immediately. */
  readonly sendAtMs?: number | null | undefined;
};

export function announce(tx: Tx, { workspace, sourceType, mails = 1, sendAtMs = null }: QueueAnnouncement): void {
  tx.tally({ metric: ACCEPTED, by: mails, labels: [kindOf(sourceType)], workspace });
  wakeFor(tx, sendAtMs);
}

/** Null = immediately. */
export function wakeFor(tx: Tx, sendAtMs: number | null): void {
  if (sendAtMs === null || sendAtMs - tx.nowMs < SEEN_IN_TIME_MS) tx.signal(MAIL_QUEUED);
}

/** The label of the kind in figures. */
export function kindOf(sourceType: SourceType): string {
  return sourceType.toLowerCase();
}
