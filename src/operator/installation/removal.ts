// A workspace with all that it has, removed piece by piece, so that other work goes on in between.
import { systemClock } from "../../base/clock.ts";
import { Stride } from "../../base/jobs/stride.ts";
import type { Store, Tx } from "../../store/store.ts";
import { allTables } from "../../store/table.ts";
import { deleteWorkspace } from "../../tenant/workspaces/workspace.ts";
import { emptyLooseTables, emptySmallTables } from "./reset-queries.ts";

/**
 * Rows in one piece: one content may be a line, or a message of 25 MB, and the first are as likely to be large as the
 * last.
 */
const PIECE = { first: 1, least: 1, most: 500, aimMs: 20 };

/** Hears how many rows of what are removed. */
export type RemovalListener = (what: string, rows: number) => void;

/** `inTheEnd`: runs in the transaction that deletes the rest, to note the removal. */
export async function removeWorkspace(
  store: Store,
  workspace: number,
  { onRemoved, inTheEnd }: { readonly onRemoved?: RemovalListener; readonly inTheEnd?: (tx: Tx) => Promise<void> } = {},
): Promise<void> {
  await emptyLargeTables(store, workspace, onRemoved);
  // Steps of workflows keep the segments that they name, also from a deletion of both by PostgreSQL.
  await store.write((tx) => emptySmallTables(tx, workspace));
  await store.write(async (tx) => {
    // First: this waits for mail that is being accepted at this moment, and deletes its facts too.
    await deleteWorkspace(tx, workspace);
    await emptyLooseTables(tx, workspace);
    await inTheEnd?.(tx);
  });
}

export async function emptyLargeTables(store: Store, workspace: number, onRemoved?: RemovalListener): Promise<void> {
  for (const { onReset } of allTables())
    if (typeof onReset === "object")
      await removeAll(
        store,
        (tx, most) => onReset.inPieces(tx, workspace, most),
        (rows) => onRemoved?.(onReset.called, rows),
      );
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
