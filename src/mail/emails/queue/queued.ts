// The effect of queueing mails: the send loop is woken.
import { LOOK_OFTEN_MS } from "../../../base/jobs/due.ts";
import type { Tx } from "../../../store/store.ts";
import type { SourceType } from "../shape.ts";

/** Signalled when there may be mail to send. */
export const MAIL_QUEUED = "mail";

/** Within this time the send loop runs twice without a signal, so mail that is due later needs none. */
const SEEN_IN_TIME_MS = 2 * LOOK_OFTEN_MS;

/** Null = immediately. */
export function wakeFor(tx: Tx, sendAtMs: number | null): void {
  if (sendAtMs === null || sendAtMs - tx.nowMs < SEEN_IN_TIME_MS) tx.signal(MAIL_QUEUED);
}

/** The label of the kind in figures. */
export function kindOf(sourceType: SourceType): string {
  return sourceType.toLowerCase();
}
