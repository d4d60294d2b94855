// The SQL of the counted tags.
import { insertion } from "../../store/row-statement.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

type TagUse = { readonly name: string; readonly uses: number };
type TagDay = { readonly workspace: number; readonly day: string };
type TagUseRow = TagUse & { readonly usedOn: string };

export function countedOf(reader: Reader, workspace: number): Promise<TagUseRow[]> {
  return reader.all<TagUseRow>`
    select name, used_on as "usedOn", uses from counted_tags where workspace = ${workspace} order by name`;
}

export function countedAmong(tx: Tx, workspace: number, tags: readonly string[]): Promise<TagUseRow[]> {
  return tx.all<TagUseRow>`
    select name, used_on as "usedOn", uses from counted_tags
    where workspace = ${workspace} and ${tx.dialect.isOneOf(sql`name`, tags)}`;
}

const USED = insertion(
  "counted_tags",
  { workspace: "bigint", name: "text", used_on: "text", uses: "bigint" },
  `on conflict (workspace, name) do update set used_on = excluded.used_on, uses = counted_tags.uses + excluded.uses`,
);

/** Uncounted tags are counted from now on. */
export async function addUses(tx: Tx, { workspace, day }: TagDay, tags: readonly TagUse[]): Promise<void> {
  await tx.runEach(
    USED,
    tags.map(({ name, uses }) => [workspace, name, day, uses]),
  );
}

/** The number of mails with each of these tags, counted or not. */
export function usesOf(tx: Tx, workspace: number, tags: readonly string[]): Promise<TagUse[]> {
  return tx.all<TagUse>`
    select name, count(*) as uses from email_labels
    where workspace = ${workspace} and ${tx.dialect.isOneOf(sql`name`, tags)} group by name`;
}

export async function countCounted(tx: Tx, workspace: number): Promise<number> {
  const row = await tx.get<{ tags: number }>`select count(*) as tags from counted_tags where workspace = ${workspace}`;
  return row?.tags ?? 0;
}

/** Deletes tags last used before this day; answers their number. */
export function deleteUnused(tx: Tx, workspace: number, before: string): Promise<number> {
  return tx.run`delete from counted_tags where workspace = ${workspace} and used_on < ${before}`;
}

export function deleteCounted(tx: Tx, workspace: number, tags: readonly string[]): Promise<number> {
  return tx.run`delete from counted_tags where workspace = ${workspace} and ${tx.dialect.isOneOf(sql`name`, tags)}`;
}
