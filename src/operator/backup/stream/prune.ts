// Deletes the part of a stream that is older than it is to be kept.
import type { BackupPlace } from "../place.ts";
import { segmentOf, SNAPSHOTS, snapshotOf, type SnapshotName } from "./names.ts";

type SnapshotEntry = { readonly name: string; readonly of: SnapshotName };

/**
 * Removes what no restore to a moment from `since` on needs: the newest snapshot before that stays, with its segments.
 * Answers the number of names removed. Segments without a snapshot are left over from a server that ended before it had
 * made one; those of `current` stay.
 */
export async function pruneStream(place: BackupPlace, since: string, current: string): Promise<number> {
  const snapshots: SnapshotEntry[] = [];
  for await (const name of place.names(SNAPSHOTS)) {
    const of = snapshotOf(name);
    if (of) snapshots.push({ name, of });
  }
  const firstKept = Math.max(
    0,
    snapshots.findLastIndex(({ of }) => of.at <= since),
  );
  const needed = new Map<string, number>([[current, 0]]);
  for (const { of } of snapshots.slice(firstKept).reverse())
    if (of.generation !== current) needed.set(of.generation, of.from);
  const ofCurrent = snapshots.slice(firstKept).find(({ of }) => of.generation === current);
  if (ofCurrent) needed.set(current, ofCurrent.of.from);
  let removed = 0;
  const remove = (name: string) => {
    removed++;
    return place.remove(name);
  };
  for (const { name } of snapshots.slice(0, firstKept)) await remove(name);
  for await (const name of place.names()) if (isUnneeded(name, needed)) await remove(name);
  return removed;
}

function isUnneeded(name: string, needed: ReadonlyMap<string, number>): boolean {
  const segment = segmentOf(name);
  return segment !== null && segment.sequence < (needed.get(segment.generation) ?? Infinity);
}
