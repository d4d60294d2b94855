// Bringing the copy of a database forward by the segments that follow it.
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, statfsSync, writeSync } from "node:fs";
import { TooLarge } from "../bucket.ts";
import type { BackupPlace } from "../place.ts";
import { firstName, segmentOf, type SegmentName } from "./names.ts";
import {
  isSound,
  MOST_SEGMENT_BYTES,
  pagesIn,
  unpackSegment,
  UnreadableSegment,
  type StreamSegment,
} from "./segment.ts";

/** The offset of the page size in a database file. */
const PAGE_BYTES_AT = 16;

/**
 * How far a copy is. `sha256`: of the last segment; "" before the first. `at`: everything until then is in the copy.
 */
export type StreamPosition = {
  readonly generation: string;
  readonly sequence: number;
  readonly sha256: string | null;
  readonly at: string;
};

export type Replay = {
  readonly place: BackupPlace;
  readonly key: string | null;
  /** The copy. */
  readonly path: string;
  readonly from: StreamPosition;
  /** No segment after this one is wanted. */
  readonly until: string | null;
};

/** The position reached, and the fault of the segment after it, in words; null = there is no such segment. */
export type ReplayResult = { readonly position: StreamPosition; readonly fault: string | null };

/**
 * Writes the pages of the segments that follow over the copy, one after the other, up to the last sound one. @throws
 * Error as the disk or the place says
 */
export async function replay({ place, key, path, from, until }: Replay): Promise<ReplayResult> {
  let position = from;
  const file = openSync(path, "r+");
  try {
    for await (const { name, of } of following(place, from)) {
      if (until !== null && of.at > until) break;
      const segment = await next(place, name, { key, of, position });
      if (typeof segment === "string") return { position, fault: segment };
      if (!isSound(segment, copyIn(file, path)))
        return { position, fault: `segment ${of.sequence} is not of this database, or the disk has no room for it` };
      apply(file, segment);
      position = { generation: of.generation, sequence: of.sequence, sha256: segment.header.sha256, at: of.at };
    }
    return { position, fault: null };
  } finally {
    fsyncSync(file);
    closeSync(file);
  }
}

type SegmentEntry = { readonly name: string; readonly of: SegmentName };

async function* following(place: BackupPlace, { generation, sequence }: StreamPosition): AsyncGenerator<SegmentEntry> {
  const after = firstName(generation, sequence + 1);
  for await (const name of place.names({ prefix: `${generation}-`, after })) {
    const of = segmentOf(name);
    if (of) yield { name, of };
  }
}

/** The segment, or in words why it is not the next one. */
async function next(
  place: BackupPlace,
  name: string,
  { key, of, position }: { key: string | null; of: SegmentName; position: StreamPosition },
): Promise<StreamSegment | string> {
  if (of.sequence !== position.sequence + 1) return `segment ${position.sequence + 1} is missing`;
  try {
    const bytes = await place.readBytes(name, MOST_SEGMENT_BYTES);
    if (bytes === null) return `segment ${of.sequence} is gone`;
    const segment = await unpackSegment(bytes, key);
    const { generation, sequence, before } = segment.header;
    const isNext = generation === of.generation && sequence === of.sequence;
    if (isNext && (position.sha256 === null || before === position.sha256)) return segment;
    return `segment ${of.sequence} is not the one that follows`;
  } catch (error) {
    if (error instanceof TooLarge) return `segment ${of.sequence}: ${error.message}`;
    if (error instanceof UnreadableSegment) return `segment ${of.sequence} is damaged or cut off`;
    throw error;
  }
}

/** Its page size, as SQLite has it in the first page, and how large the disk lets it become. */
function copyIn(file: number, path: string): { readonly pageBytes: number; readonly mostBytes: number } {
  const bytes = Buffer.alloc(2);
  readSync(file, bytes, 0, bytes.length, PAGE_BYTES_AT);
  const said = bytes.readUInt16BE();
  const { bsize, bavail } = statfsSync(path);
  // 1 stands for 65,536, which two bytes cannot hold.
  return { pageBytes: said === 1 ? 65_536 : said, mostBytes: fstatSync(file).size + bsize * bavail };
}

function apply(file: number, segment: StreamSegment): void {
  const { pageBytes, pages } = segment.header;
  for (const [page, content] of pagesIn(segment))
    if (page <= pages) writeSync(file, content, 0, pageBytes, (page - 1) * pageBytes);
  ftruncateSync(file, pages * pageBytes);
}
