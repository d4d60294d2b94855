// The SQL that moves a contact's rows to another one, a piece at a time, and back: the numbers of the rows are kept
// until the merge cannot be undone any more.
import { literal, sql } from "../../../store/sql.ts";
import type { Tx } from "../../../store/store.ts";
import type { MergeDirection } from "../../../store/table.ts";
import { seqsOf } from "../../../store/row-statement.ts";

/** Moves up to `most` rows that are not yet the other's; answers their numbers. The table has an index by contact. */
export async function moveSome(tx: Tx, table: string, { from, to }: MergeDirection, most: number): Promise<number[]> {
  const name = literal(table);
  return seqsOf(
    await tx.all<{ seq: number }>`
    update ${name} set contact = ${to} where seq in (
      select seq from ${name} where contact = ${from} limit ${most}) returning seq`,
  );
}

/** Moves back the rows among these that are the other's now. */
export function moveBack(
  tx: Tx,
  table: string,
  { from, to }: MergeDirection,
  moved: readonly number[],
): Promise<number> {
  return tx.run`
    update ${literal(table)} set contact = ${from} where ${tx.dialect.isAmong(sql`seq`, moved)} and contact = ${to}`;
}

/**
 * One row holds many numbers: otherwise a long history would double the rows. `kind`: a table whose rows move; or
 * "once": executions of workflows that admit a contact once.
 */
export function keepMoved(tx: Tx, former: number, kind: string, moved: readonly number[]): Promise<number> {
  return tx.run`
    insert into merged_rows (former, kind, number, moved)
    select cast(${former} as bigint), cast(${kind} as text), coalesce(max(number), 0) + 1, cast(${moved.join(",")} as text)
    from merged_rows where former = ${former} and kind = ${kind}`;
}

type MoveRecord = { readonly kind: string; readonly number: number; readonly moved: readonly number[] };

/** Takes a record of moved rows, which does not count any more; null = none. */
export async function takeMoved(tx: Tx, former: number): Promise<MoveRecord | null> {
  const row = await tx.get<Omit<MoveRecord, "moved"> & { readonly moved: string }>`
    delete from merged_rows where former = ${former} and (kind, number) = (
      select kind, number from merged_rows where former = ${former} order by kind, number limit 1)
    returning kind, number, moved`;
  return row && { ...row, moved: row.moved.split(",").map(Number) };
}

/** Answers how many; fewer than `most` = none is left. */
export function deleteMoved(tx: Tx, former: number, most: number): Promise<number> {
  return tx.run`
    delete from merged_rows where former = ${former} and (kind, number) in (
      select kind, number from merged_rows where former = ${former} order by kind, number limit ${most})`;
}
