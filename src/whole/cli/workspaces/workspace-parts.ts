// A workspace's large tables, emptied piece by piece, so that other work goes on in between.
import { deleteCampaignsOf } from "../../../programs/campaigns/queries.ts";
import { deleteRecipientsOf } from "../../../programs/campaigns/recipients/recipient-queries.ts";
import { systemClock } from "../../../base/clock.ts";
import { deleteConsentsOf } from "../../../audience/consent/queries.ts";
import { deleteImportedOf } from "../../../audience/contacts/past/imported-queries.ts";
import { deleteBatchesOf } from "../../../desk/bulk/jobs/queries.ts";
import { deleteSuppressionsOf } from "../../../audience/suppressions/queries.ts";
import { deleteContactsOf } from "../../../audience/contacts/removal-queries.ts";
import { deleteContentsOf, deleteMailsOf } from "../../../desk/people/erasure-queries.ts";
import { deleteOutboxOf } from "../../../tenant/events/outbox.ts";
import { deleteEventsOf } from "../../../tenant/events/queries.ts";
import { deleteAnswersOf } from "../../../http/queries.ts";
import { deleteImagesOf } from "../../../content/images/queries.ts";
import { deleteReportsOf } from "../../../mail/reports/pruning-queries.ts";
import { Stride } from "../../../base/jobs/stride.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { grouped, ProgressLine } from "../progress.ts";
import type { Io } from "../verb.ts";

type PartRemoval = (tx: Tx, workspace: number, most: number) => Promise<number>;

/** In the order of deletion. */
const PARTS: readonly (readonly [name: string, remove: PartRemoval])[] = [
  ["changes that nobody was told of", deleteOutboxOf],
  ["imports", deleteBatchesOf],
  ["notes of imports", deleteImportedOf],
  ["events", deleteEventsOf],
  ["mails", deleteMailsOf],
  ["recipients", deleteRecipientsOf],
  ["campaigns", deleteCampaignsOf],
  ["contents", deleteContentsOf],
  ["images", deleteImagesOf],
  ["reports", deleteReportsOf],
  ["the ledger of consent", deleteConsentsOf],
  ["contacts", deleteContactsOf],
  ["suppressions", deleteSuppressionsOf],
  ["answers", deleteAnswersOf],
];

/**
 * Rows in one piece: one content may be a line, or a message of 25 MB, and the first are as likely to be large as the
 * last.
 */
const PIECE = { first: 1, least: 1, most: 500, aimMs: 20 };

export async function emptyLargeTables(store: Store, workspace: number, io: Io): Promise<void> {
  const progress = new ProgressLine(io, systemClock);
  for (const [part, remove] of PARTS) {
    const showRemoved = (removed: number) => progress.at(`${part}: ${grouped(removed)} deleted`);
    await removeAll(store, (tx, most) => remove(tx, workspace, most), showRemoved);
  }
  progress.end();
}

async function removeAll(
  store: Store,
  remove: (tx: Tx, most: number) => Promise<number>,
  tell: (removed: number) => void,
): Promise<void> {
  const stride = new Stride(PIECE);
  for (let removed = 0; ;) {
    const startMs = systemClock.monotonicMs();
    const { gone, most } = await store.write(async (tx) => {
      const most = stride.lengthOn(tx.dialect.name);
      return { gone: await remove(tx, most), most };
    });
    const tookMs = Math.max(1, systemClock.monotonicMs() - startMs);
    tell((removed += gone));
    if (gone < most) return;
    stride.took(tookMs);
    // Others get the writer in between.
    await Bun.sleep(tookMs);
  }
}
