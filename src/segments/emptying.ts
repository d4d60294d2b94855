// The members of segments that were deleted: they go a part at a time, so that nobody waits for the writer.
import type { Store, Tx } from "../store/store.ts";
import { deleteSomeMembers, hasToEmpty, setEmptied, takeToEmpty } from "./membership-queries.ts";

const MEMBERS_A_PIECE = 1_000;

/** Deletes some members of one segment that is gone; false if there was nothing to do that no other process has in hand. */
export async function emptyStep(store: Store): Promise<boolean> {
  return (await store.read(hasToEmpty)) && store.write(deletePiece);
}

async function deletePiece(tx: Tx): Promise<boolean> {
  const segment = await takeToEmpty(tx);
  if (segment === null) return false;
  if ((await deleteSomeMembers(tx, segment, MEMBERS_A_PIECE)) < MEMBERS_A_PIECE) await setEmptied(tx, segment);
  return true;
}
