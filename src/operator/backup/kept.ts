// The record of backups, and their file names.
import type { BackupPlace } from "./place.ts";
import { counter } from "../../base/metrics/metric.ts";
import { deleteOldest, insertStarted, updateFailed, updateMade } from "./queries.ts";
import type { Store } from "../../store/store.ts";

const BACKUPS = counter("posthorn_backups_total", "Backups by schedule.", "outcome", ["made", "failed"]);

/** Rows of the record. */
const REMEMBERED = 1_000;
/** The destination may hold other files as well. */
const MOST_NAMES = 1_000_000;
const NAME = /^posthorn-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.tar\.zst(\.age)?$/;

/** Sorted by name, backups are in the order of their moments. */
export function backupName(madeAt: string, isEncrypted: boolean): string {
  return `posthorn-${madeAt.replaceAll(":", "-")}.tar.zst${isEncrypted ? ".age" : ""}`;
}

/** Oldest first; other files at the destination are not ours. */
export async function namesOfBackups(place: BackupPlace): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const name of place.names({ most: MOST_NAMES })) if (NAME.test(name)) names.push(name);
  return names;
}

/** Removes all but the newest `keep`; answers how many. */
export async function removeOld(place: BackupPlace, keep: number): Promise<number> {
  const old = (await namesOfBackups(place)).slice(0, -keep);
  for (const name of old) await place.remove(name);
  return old.length;
}

/** A backup made by hand is on the record, and leaves the schedule as it is. */
export function noteByHand(store: Store, name: string, bytes: number): Promise<void> {
  return store.write(async (tx) => {
    await updateMade(tx, await insertStarted(tx, name, 0), bytes);
    await deleteOldest(tx, REMEMBERED);
  });
}

export async function noteOutcome(
  store: Store,
  seq: number,
  outcome: { bytes: number } | { error: string },
): Promise<void> {
  await store.write(async (tx) => {
    if ("bytes" in outcome) await updateMade(tx, seq, outcome.bytes);
    else await updateFailed(tx, seq, outcome.error);
    tx.tally({ metric: BACKUPS, labels: ["bytes" in outcome ? "made" : "failed"] });
    await deleteOldest(tx, REMEMBERED);
  });
}
