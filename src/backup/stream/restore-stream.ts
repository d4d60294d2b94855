// Bringing an installation back from a stream, as it was at any moment of the kept time.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { unpacked, UnreadableArchive, type Opener } from "../archive.ts";
import { DATABASE } from "../contents.ts";
import type { Place } from "../place.ts";
import { PARTS, restoreFrom, type Restore, type Restored } from "../restore.ts";
import { SNAPSHOTS, snapshotOf, type SnapshotName } from "./names.ts";
import { replay, type Position, type Replayed } from "./replay.ts";
import { STREAM, type StreamPart } from "./snapshot.ts";

/** `reached`: everything that was committed until then is there. `fault`: why not more, where there was more; else null. */
export type RestoredStream = Restored & { readonly reached: string; readonly fault: string | null };

/** The moment to go back to, as ISO text; null = the last one. */
type From = { readonly place: Place; readonly at: string | null };

/** As `restore`. @throws Error in plain words, also if the moment is not in the stream, or it is damaged in between */
export async function restoreStream(wanted: Restore, { place, at }: From): Promise<RestoredStream> {
  const found = await snapshotFor(place, at);
  let replayed: Replayed | null = null;
  const restored = await restoreFrom(wanted, async (folder) => {
    const base = await unpackSnapshot({ place, opener: wanted.opener, found, folder });
    const path = join(folder, DATABASE);
    replayed = await replay({ place, key: base.part.key, path, from: base.position, until: at });
    if (replayed.position.sequence < base.part.to)
      throw new Error(
        `The stream has no whole state after ${found.of.at}: ${replayed.fault ?? "segments are missing"}.`,
      );
    return base.names;
  });
  const { position, fault } = replayed as unknown as Replayed;
  return { ...restored, reached: position.at > found.of.at ? position.at : found.of.at, fault };
}

type Found = { readonly name: string; readonly of: SnapshotName };

/** The newest from which the moment can be reached. @throws Error if there is none */
export async function snapshotFor(place: Place, at: string | null): Promise<Found> {
  const all = (await place.names({ prefix: SNAPSHOTS })).flatMap((name): Found[] => {
    const of = snapshotOf(name);
    return of ? [{ name, of }] : [];
  });
  const found = all.findLast(({ of }) => at === null || of.at <= at);
  if (found) return found;
  const [first] = all;
  if (first) throw new Error(`The stream begins at ${first.of.at}: nothing before that can be restored.`);
  throw new Error("There is no stream at this place, or it has no snapshot yet.");
}

type Unpacking = { readonly place: Place; readonly opener: Opener; readonly found: Found; readonly folder: string };

/** `position`: before the first segment that it needs. `names`: of the parts of an installation, in the folder. */
type Base = { readonly part: StreamPart; readonly position: Position; readonly names: readonly string[] };

/** @throws UnreadableArchive in plain words */
export async function unpackSnapshot({ place, opener, found, folder }: Unpacking): Promise<Base> {
  const names = await unpacked(place.read(found.name), opener, { folder, wanted: [...PARTS, STREAM] });
  if (!names.includes(STREAM)) throw new UnreadableArchive(`${found.name} is no snapshot of a stream.`);
  const part = JSON.parse(readFileSync(join(folder, STREAM), "utf8")) as StreamPart;
  const { generation, from } = part;
  const position = { generation, sequence: from - 1, sha256: null, at: "" };
  return { part, position, names: names.filter((name) => name !== STREAM) };
}
