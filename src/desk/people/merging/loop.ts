// The loops of merges: a piece of a history is moved, there or back; and merges that cannot be undone any more are
// forgotten.
import { iso, type Clock } from "../../../base/clock.ts";
import { forgetImported } from "../../../audience/contacts/past/imported-queries.ts";
import { lockContact } from "../../../audience/contacts/queries.ts";
import { deleteStripped } from "../../../audience/contacts/removal-queries.ts";
import { restUntil, SHORT_REST_MS } from "../../../base/jobs/due.ts";
import { leaveAll } from "../../../audience/segments/membership/membership.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { bringPieceBack, movePiece } from "./history.ts";
import { LOOKED_AGAIN_MS } from "./merge.ts";
import { deleteMoved } from "./moved-queries.ts";
import * as queries from "../../../audience/contacts/past/merge-queries.ts";
import { UNDONE_WITHIN_MS } from "./undo.ts";

/** The rows of each kind in one transaction, which should take some ten milliseconds. */
const ROWS_A_PIECE = 500;
const NOTES_A_PIECE = 100;

/** Moves a piece of one history; answers how long there will be none. */
export async function mergeStep(store: Store, clock: Clock): Promise<number> {
  const restMs = restUntil(await store.read(queries.nextDue), clock.nowMs());
  if (restMs > 0) return restMs;
  const isFound = await store.write(async (tx) => {
    const merge = await queries.takeDue(tx);
    if (merge) await workAt(tx, merge);
    return merge !== null;
  });
  return isFound ? 0 : SHORT_REST_MS;
}

async function workAt(tx: Tx, merge: queries.Merge): Promise<void> {
  const { seq, state } = merge;
  const isDone = await eachFormer(tx, merge, (moving) =>
    state === "UNDOING" ? bringPieceBack(tx, moving) : movePiece(tx, moving, ROWS_A_PIECE),
  );
  if (!isDone) return;
  if (state === "UNDOING") await queries.deleteMerge(tx, seq);
  else await queries.setState(tx, seq, "MOVED", state === "MOVING" ? iso(tx.nowMs + LOOKED_AGAIN_MS) : null);
}

type MergeStep = (moving: Parameters<typeof movePiece>[1]) => Promise<boolean>;

/** Processes a piece of the first contact that has one left; true = none has. */
async function eachFormer(
  tx: Tx,
  { seq, workspace, contact: into }: queries.Merge,
  piece: MergeStep,
): Promise<boolean> {
  for (const former of (await queries.formersOf(tx, [seq])).get(seq) ?? [])
    if (!(await piece({ workspace, former, into }))) return false;
  return true;
}

/** Forgets a piece of the oldest merge that cannot be undone any more; answers 0 if there is none. */
export function forgetStep(store: Store): Promise<number> {
  return store.write(async (tx) => {
    const merge = await queries.takeOld(tx, iso(tx.nowMs - UNDONE_WITHIN_MS));
    if (!merge) return 0;
    const isDone = await eachFormer(
      tx,
      merge,
      async (moving) => (await movePiece(tx, moving, ROWS_A_PIECE)) && forgetRows(tx, moving.former),
    );
    if (isDone) await forget(tx, merge);
    return 1;
  });
}

async function forgetRows(tx: Tx, { former }: queries.MergeSource): Promise<boolean> {
  return (await deleteMoved(tx, former, NOTES_A_PIECE)) < NOTES_A_PIECE;
}

async function forget(tx: Tx, { seq, workspace }: queries.Merge): Promise<void> {
  const formers = (await queries.formersOf(tx, [seq])).get(seq) ?? [];
  await queries.forgetMerge(tx, seq);
  for (const { former } of formers) {
    await lockContact(tx, former);
    await forgetImported(tx, workspace, former);
    await leaveAll(tx, [former]);
    await deleteStripped(tx, former);
  }
}
