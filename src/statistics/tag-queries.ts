// The SQL of the tags that are counted.
import { sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";

export type Counted = { readonly name: string; readonly usedOn: string };

export function countedOf(reader: Reader, workspace: number): Promise<Counted[]> {
  return reader.all<Counted>`
    select name, used_on as "usedOn" from counted_tags where workspace = ${workspace} order by name`;
}

export function countedAmong(tx: Tx, workspace: number, tags: readonly string[]): Promise<Counted[]> {
  return tx.all<Counted>`
    select name, used_on as "usedOn" from counted_tags
    where workspace = ${workspace} and ${tx.dialect.isOneOf(sql`name`, tags)}`;
}

export function setUsed(tx: Tx, workspace: number, tags: readonly string[], day: string): Promise<number> {
  return tx.run`
    update counted_tags set used_on = ${day} where workspace = ${workspace} and ${tx.dialect.isOneOf(sql`name`, tags)}`;
}

export async function countCounted(tx: Tx, workspace: number): Promise<number> {
  const row = await tx.get<{ tags: number }>`select count(*) as tags from counted_tags where workspace = ${workspace}`;
  return row?.tags ?? 0;
}

/** Those that were last used before this day; answers how many. */
export function deleteUnused(tx: Tx, workspace: number, before: string): Promise<number> {
  return tx.run`delete from counted_tags where workspace = ${workspace} and used_on < ${before}`;
}

export function insertCounted(tx: Tx, workspace: number, name: string, day: string): Promise<number> {
  return tx.run`
    insert into counted_tags (workspace, name, used_on) values (${workspace}, ${name}, ${day})
    on conflict (workspace, name) do nothing`;
}
