// What follows when mails are queued: the send loop hears of it, and they are counted.
import { counter } from "../metrics/metric.ts";
import type { Tx } from "../store/store.ts";
import type { SourceType } from "./shape.ts";

/** Signalled when there may be mail to send. */
export const MAIL_QUEUED = "mail";

const ACCEPTED = counter("posthorn_mails_accepted_total", "Mails taken into the queue.", "kind", [
  "transactional",
  "campaign",
  "workflow",
]);

type Queued = { readonly workspace: number; readonly sourceType: SourceType; readonly mails?: number };

export function announce(tx: Tx, { workspace, sourceType, mails = 1 }: Queued): void {
  tx.tally({ metric: ACCEPTED, by: mails, labels: [kindOf(sourceType)], workspace });
  tx.signal(MAIL_QUEUED);
}

/** As figures name it. */
export function kindOf(sourceType: SourceType): string {
  return sourceType.toLowerCase();
}
