// Deletes the part of a stream that is older than it is to be kept.
import type { Place } from "../place.ts";
import { segmentOf, snapshotOf, type SnapshotName } from "./names.ts";

type Kept = { readonly name: string; readonly of: SnapshotName };

/**
 * Removes what no moment from `since` on needs: the newest snapshot before that stays, with its segments. Answers how many names went.
 * Segments without a snapshot are left over from a server that ended before it had made one; those of `current` stay.
 */
export async function pruneStream(place: Place, since: string, current: string): Promise<number> {
  const names = await place.names();
  const snapshots = names.flatMap((name): Kept[] => {
    const of = snapshotOf(name);
    return of ? [{ name, of }] : [];
  });
  const firstKept = Math.max(
    0,
    snapshots.findLastIndex(({ of }) => of.at <= since),
  );
  const needed = new Map<string, number>([[current, 0]]);
  for (const { of } of snapshots.slice(firstKept).reverse())
    if (of.generation !== current) needed.set(of.generation, of.from);
  const ofCurrent = snapshots.slice(firstKept).find(({ of }) => of.generation === current);
  if (ofCurrent) needed.set(current, ofCurrent.of.from);
  const old = [
    ...snapshots.slice(0, firstKept).map(({ name }) => name),
    ...names.filter((name) => isUnneeded(name, needed)),
  ];
  for (const name of old) await place.remove(name);
  return old.length;
}

function isUnneeded(name: string, needed: ReadonlyMap<string, number>): boolean {
  const segment = segmentOf(name);
  return segment !== null && segment.sequence < (needed.get(segment.generation) ?? Infinity);
}
