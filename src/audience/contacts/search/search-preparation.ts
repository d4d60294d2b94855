// Prepares contacts for a search: after a workspace has chosen other search fields, a loop updates its contacts.
import { NOTHING_DUE } from "../../../base/jobs/due.ts";
import type { Store, Tx } from "../../../store/store.ts";
import {
  hasPieceToIndex,
  indexPiece,
  lockToPrepare,
  searchesToPrepare,
  setSought,
  takePreparing,
} from "./search-queries.ts";
import { soughtOf } from "./sought.ts";
import { setSearchPrepared } from "../../../tenant/workspaces/queries.ts";

const CONTACTS_A_PIECE = 500;
export const INDEX_EVERY_MS = 1_000;

/** Updates some contacts of a workspace that has chosen other fields; answers for how long to rest. */
export async function prepareStep(store: Store): Promise<number> {
  if (!(await store.read(searchesToPrepare))) return NOTHING_DUE;
  return (await store.write(preparePiece)) ? 0 : NOTHING_DUE;
}

/** False if another process holds the workspace's lock. */
async function preparePiece(tx: Tx): Promise<boolean> {
  const preparing = await takePreparing(tx);
  if (!preparing) return false;
  const contacts = await lockToPrepare(tx, preparing, CONTACTS_A_PIECE);
  const changed = contacts.flatMap(({ seq, email, data, sought }) => {
    const now = email.includes("@") ? soughtOf(email, data, preparing.fields) : "";
    return now === sought ? [] : [{ seq, sought: now }];
  });
  await setSought(tx, changed);
  const isLast = contacts.length < CONTACTS_A_PIECE;
  await setSearchPrepared(tx, preparing.workspace, isLast ? null : (contacts.at(-1)?.seq ?? null));
  return true;
}

/** Indexes new contacts; answers for how long to rest. PostgreSQL maintains its index by itself. */
export async function indexStep(store: Store): Promise<number> {
  if (!store.exclusive) return NOTHING_DUE;
  if (!(await store.read((reader) => hasPieceToIndex(reader, CONTACTS_A_PIECE)))) return NOTHING_DUE;
  await store.write((tx) => indexPiece(tx, CONTACTS_A_PIECE));
  return 0;
}
