// Bringing an installation back from a stream, as it was at any moment of the kept time.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { unpacked, type Opener } from "../archive.ts";
import { DATABASE, jsonPart, UnreadableArchive } from "../parts.ts";
import type { BackupPlace } from "../place.ts";
import { PARTS, restoreFrom, type Restore, type RestoreResult } from "../restore.ts";
import { SNAPSHOTS, snapshotOf, type SnapshotName } from "./names.ts";
import { replay, type StreamPosition, type ReplayResult } from "./replay.ts";
import { STREAM, type StreamPart } from "./snapshot.ts";

/** `reached`: everything committed until then is restored. `fault`: why the rest is not; null = there is no more. */
export type RestoredStream = RestoreResult & { readonly reached: string; readonly fault: string | null };

/** The moment to go back to, as ISO text; null = the last one. */
type RestorePoint = { readonly place: BackupPlace; readonly at: string | null };

/** As `restore`. @throws Error in plain words, also if the moment is not in the stream, or it is damaged in between */
export async function restoreStream(wanted: Restore, { place, at }: RestorePoint): Promise<RestoredStream> {
  const found = await snapshotFor(place, at);
  let replayed: ReplayResult | null = null;
  const restored = await restoreFrom(wanted, async (folder) => {
    const base = await unpackSnapshot({ place, opener: wanted.opener, found, folder });
    const path = join(folder, DATABASE);
    replayed = await replay({ place, key: base.part.key, path, from: base.position, until: at });
    if (replayed.position.sequence < base.part.to)
      throw new Error(
        `The stream has no whole state after ${found.of.at}: ${replayed.fault ?? "segments are missing"}.`,
      );
  });
  const { position, fault } = replayed as unknown as ReplayResult;
  return { ...restored, reached: position.at > found.of.at ? position.at : found.of.at, fault };
}

type SnapshotEntry = { readonly name: string; readonly of: SnapshotName };

/** The newest snapshot from which the moment can be reached. @throws Error if there is none */
export async function snapshotFor(place: BackupPlace, at: string | null): Promise<SnapshotEntry> {
  let [first, found]: (SnapshotEntry | null)[] = [null, null];
  for await (const name of place.names(SNAPSHOTS)) {
    const of = snapshotOf(name);
    if (of === null) continue;
    first ??= { name, of };
    if (at === null || of.at <= at) found = { name, of };
  }
  if (found) return found;
  if (first) throw new Error(`The stream begins at ${first.of.at}: nothing before that can be restored.`);
  throw new Error("There is no stream at this place, or it has no snapshot yet.");
}

type SnapshotUnpack = {
  readonly place: BackupPlace;
  readonly opener: Opener;
  readonly found: SnapshotEntry;
  readonly folder: string;
};

/** `position`: before the first segment that it needs. */
type Base = { readonly part: StreamPart; readonly position: StreamPosition };

/** @throws UnreadableArchive in plain words */
export async function unpackSnapshot({ place, opener, found, folder }: SnapshotUnpack): Promise<Base> {
  const into = { folder, wanted: [...PARTS, STREAM] };
  const names = await unpacked(place.read(found.name), opener, into);
  if (!names.includes(STREAM)) throw new UnreadableArchive(`${found.name} is no snapshot of a stream.`);
  const part = jsonPart(STREAM, readFileSync(join(folder, STREAM), "utf8")) as StreamPart | null;
  if (part === null || !isOf(part, found.of))
    throw new UnreadableArchive(`${found.name} is not the snapshot that its name says.`);
  const { generation, from } = part;
  const position = { generation, sequence: from - 1, sha256: null, at: "" };
  return { part, position };
}

/** Another snapshot may have been put in its place. */
function isOf({ generation, from, to, key }: StreamPart, name: SnapshotName): boolean {
  const isKey = key === null || (typeof key === "string" && /^[0-9a-f]{64}$/.test(key));
  return generation === name.generation && from === name.from && Number.isSafeInteger(to) && isKey;
}
