// The file names in a stream. Sorted by name, segments are in their order, and snapshots in the order of their times.
import { randomBytes } from "node:crypto";

/** An unbroken row of segments; a server begins one at its start. */
export type SegmentName = { readonly generation: string; readonly sequence: number; readonly at: string };
/** `at`: the first moment that it can be restored to. `from`: the first segment that it needs. */
export type SnapshotName = { readonly at: string; readonly generation: string; readonly from: number };

/** Which server ships to this place. */
export const OWNER = "owner.json";
/** When it was last there. */
export const ALIVE = "alive.json";
/** Which standby follows, and how far it is. */
export const STANDBY = "standby.json";
/** The query for the names of snapshots: there is one a day, and one for each start. */
export const SNAPSHOTS = { prefix: "snapshot-", most: 100_000 };

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z`;
const GENERATION = String.raw`g\d{8}T\d{9}Z[0-9a-f]{8}`;
const SEGMENT = new RegExp(`^(${GENERATION})-(\\d{10})-(${TIME})$`);
const SNAPSHOT = new RegExp(`^${SNAPSHOTS.prefix}(${TIME})-(${GENERATION})-(\\d{10})$`);

export function newGeneration(now: string): string {
  return `g${now.replaceAll(/[-:.]/g, "")}${randomBytes(4).toString("hex")}`;
}

export function segmentName({ generation, sequence, at }: SegmentName): string {
  return `${generation}-${padded(sequence)}-${at.replaceAll(":", "-")}`;
}

export function snapshotName({ at, generation, from }: SnapshotName): string {
  return `${SNAPSHOTS.prefix}${at.replaceAll(":", "-")}-${generation}-${padded(from)}`;
}

/** Null for other files. */
export function segmentOf(name: string): SegmentName | null {
  const [, generation = "", sequence, at = ""] = SEGMENT.exec(name) ?? [];
  return generation ? { generation, sequence: Number(sequence), at: timeIn(at) } : null;
}

export function snapshotOf(name: string): SnapshotName | null {
  const [, at = "", generation = "", from] = SNAPSHOT.exec(name) ?? [];
  return generation ? { at: timeIn(at), generation, from: Number(from) } : null;
}

/** The least name that a segment of this generation can have from this sequence on. */
export function firstName(generation: string, sequence: number): string {
  return `${generation}-${padded(sequence)}`;
}

function padded(sequence: number): string {
  return String(sequence).padStart(10, "0");
}

function timeIn(text: string): string {
  return text.replace(/T(\d\d)-(\d\d)-/, "T$1:$2:");
}
