// What follows when mails are queued: the send loop hears of it, and they are counted.
import { LONGEST_REST_MS } from "../../base/jobs/due.ts";
import { counter } from "../../base/metrics/metric.ts";
import type { Tx } from "../../store/store.ts";
import type { SourceType } from "./shape.ts";

/** Signalled when there may be mail to send. */
export const MAIL_QUEUED = "mail";

/** The send loop looks twice without a signal before mail leaves that is to leave no sooner. */
const SEEN_IN_TIME_MS = 2 * LONGEST_REST_MS;

const ACCEPTED = counter("posthorn_mails_accepted_total", "Emails taken into the queue.", "kind", [
  "transactional",
  "campaign",
  "workflow",
]);

type QueueAnnouncement = { readonly workspace: number; readonly sourceType: SourceType; readonly mails?: number } & {
  /** Null = at once. */
  readonly sendAtMs?: number | null | undefined;
};

export function announce(tx: Tx, { workspace, sourceType, mails = 1, sendAtMs = null }: QueueAnnouncement): void {
  tx.tally({ metric: ACCEPTED, by: mails, labels: [kindOf(sourceType)], workspace });
  wakeFor(tx, sendAtMs);
}

/** Null = at once. */
export function wakeFor(tx: Tx, sendAtMs: number | null): void {
  if (sendAtMs === null || sendAtMs - tx.nowMs < SEEN_IN_TIME_MS) tx.signal(MAIL_QUEUED);
}

/** As figures name it. */
export function kindOf(sourceType: SourceType): string {
  return sourceType.toLowerCase();
}
