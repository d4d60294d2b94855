// A workspace's large tables, emptied piece by piece, so that other work goes on in between.
import { systemClock } from "../../../base/clock.ts";
import { Stride } from "../../../base/jobs/stride.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { allTables } from "../../../store/table.ts";
import { grouped, ProgressLine } from "../progress.ts";
import type { Io } from "../verb.ts";

/**
 * Rows in one piece: one content may be a line, or a message of 25 MB, and the first are as likely to be large as the
 * last.
 */
const PIECE = { first: 1, least: 1, most: 500, aimMs: 20 };

export async function emptyLargeTables(store: Store, workspace: number, io: Io): Promise<void> {
  const progress = new ProgressLine(io, systemClock);
  for (const { onReset } of allTables()) {
    if (typeof onReset !== "object") continue;
    const showRemoved = (removed: number) => progress.at(`${onReset.called}: ${grouped(removed)} deleted`);
    await removeAll(store, (tx, most) => onReset.inPieces(tx, workspace, most), showRemoved);
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
