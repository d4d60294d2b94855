// The SQL of the sizes of segments over time.
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

export type Size = { readonly day: string; readonly members: number };

export async function hasToCount(reader: Reader, today: string): Promise<boolean> {
  const row = await reader.get`
    select 1 as found from segments where counted_on < ${today} and state <> 'NEW' order by counted_on limit 1`;
  return row !== null;
}

/** Leaves out segments whose members are still being found for the first time. */
export async function takeToCount(tx: Tx, today: string, most: number): Promise<number[]> {
  const rows = await tx.all<{ seq: number }>`
    select seq from segments where counted_on < ${today} and state <> 'NEW' order by counted_on, seq
    limit ${most}${tx.dialect.skipLocked}`;
  return rows.map(({ seq }) => seq);
}

export function insertSizes(tx: Tx, segments: readonly number[], today: string): Promise<number> {
  return tx.run`
    insert into segment_sizes (segment, day, members)
    select s.seq, cast(${today} as text), s.member_count from segments s where ${tx.dialect.isAmong(sql`s.seq`, segments)}
    on conflict (segment, day) do nothing`;
}

export function deleteSizesBefore(tx: Tx, segments: readonly number[], day: string): Promise<number> {
  return tx.run`delete from segment_sizes where ${tx.dialect.isAmong(sql`segment`, segments)} and day < ${day}`;
}

export function setCounted(tx: Tx, segments: readonly number[], today: string): Promise<number> {
  return tx.run`update segments set counted_on = ${today} where ${tx.dialect.isAmong(sql`seq`, segments)}`;
}

export function sizesSince(reader: Reader, segment: number, day: string): Promise<Size[]> {
  return reader.all<Size>`
    select day, members from segment_sizes where segment = ${segment} and day >= ${day} order by day`;
}
