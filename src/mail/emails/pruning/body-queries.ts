// The SQL that deletes the contents of old mails. Their records stay.
import type { ExpiryPiece } from "../../../base/jobs/pieces.ts";
import { sql, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

/**
 * True for a content `c` that no mail will use again: no campaign is under way, and since `before` no workflow and no
 * repeated mail has used it.
 */
function isOver(before: string): Sql {
  return sql`(c.reused_at is null or c.reused_at < ${before})
    and not exists (select 1 from shared_contents s where s.content = c.seq and s.used_at >= ${before})
    and not exists (
      select 1 from campaigns k where k.content = c.seq and (k.status not in ('SENT', 'CANCELLED') or k.due_at is not null))`;
}

export type OldContent = { readonly seq: number; /** The content was emptied. */ readonly isGone: 0 | 1 };

/** The contents of the settled mails in a piece of which nothing more is to be sent, and those already emptied. */
export function oldContents(reader: Reader, { workspace, after, upTo, before }: ExpiryPiece): Promise<OldContent[]> {
  return reader.all<OldContent>`
    select c.seq, case when c.body_gone_at is null then 0 else 1 end as "isGone" from contents c
    where c.seq in (
        select e.content from emails e
        where e.workspace = ${workspace} and e.seq > ${after} and e.seq <= ${upTo} and e.created_at < ${before}
          and e.due_at is null and e.source_type <> 'INBOUND')
      and (c.body_gone_at is not null or (${isOver(before)}))`;
}

/** The contents among these without queued mail. Reads all mails of each. */
export async function settledContents(reader: Reader, contents: readonly number[]): Promise<number[]> {
  if (contents.length === 0) return [];
  const rows = await reader.all<{ seq: number }>`
    select c.seq from contents c where ${reader.dialect.isAmong(sql`c.seq`, contents)}
      and not exists (select 1 from emails e where e.content = c.seq and e.due_at is not null)`;
  return rows.map(({ seq }) => seq);
}

/**
 * Empties them, except those in use again: a mail that takes a content notes it first (`reuseContent`, `reuseShared`),
 * so none is taken at the same moment. Answers those that were emptied.
 */
export async function emptyContents(tx: Tx, contents: readonly number[], before: string): Promise<number[]> {
  if (contents.length === 0) return [];
  await tx.run`
    delete from shared_contents
    where ${tx.dialect.isAmong(sql`content`, contents)} and (used_at is null or used_at < ${before})`;
  const rows = await tx.all<{ seq: number }>`
    update contents as c set preheader = null, html = '', text = null, headers = null, data = null, body_gone_at = ${tx.now}
    where ${tx.dialect.isAmong(sql`c.seq`, contents)} and c.body_gone_at is null and ${isOver(before)} returning seq`;
  return rows.map(({ seq }) => seq);
}

/** Large parts of contents, with the column that sets those of one content apart. */
const PARTS = [
  [sql`raw_slices`, sql`number`],
  [sql`attachments`, sql`position`],
] as const;

/** Deletes up to so many bytes of the parts of these contents, which are empty. True once all are gone. */
export async function deleteParts(tx: Tx, contents: readonly number[], mostBytes: number): Promise<boolean> {
  const among = tx.dialect.isAmong(sql`content`, contents);
  for (const [table, place] of PARTS) {
    await tx.run`
      delete from ${table} where (content, ${place}) in (
        select content, ${place} from (
          select content, ${place}, sum(length(bytes)) over (order by content, ${place}) - length(bytes) as before
          from ${table} where ${among}) as parts
        where before < ${mostBytes})`;
    if ((await tx.get`select 1 as more from ${table} where ${among} limit 1`) !== null) return false;
  }
  await tx.run`delete from raw_messages where ${among}`;
  await tx.run`delete from messages_to_forget where ${among}`;
  return true;
}

/**
 * SQLite joins the pages of deleted rows, and leaves the pages of shrunken rows half empty: these rows are written
 * anew. Their parts must be deleted before. PostgreSQL does the like by itself.
 */
export async function moveTogether(tx: Tx, contents: readonly number[]): Promise<void> {
  if (tx.dialect.name !== "sqlite") return;
  await tx.run`insert or replace into contents select * from contents where ${tx.dialect.isAmong(sql`seq`, contents)}`;
}

/** Clears the variables of a piece's settled mails, where no content is left to put them into. */
export function clearVariables(
  tx: Tx,
  { workspace, after, upTo }: ExpiryPiece,
  contents: readonly number[],
): Promise<number> {
  return tx.run`
    update emails set variables = null
    where workspace = ${workspace} and seq > ${after} and seq <= ${upTo} and variables is not null and due_at is null
      and ${tx.dialect.isAmong(sql`content`, contents)}`;
}

export async function countOldBodies(reader: Reader, workspace: number, before: string): Promise<number> {
  const row = await reader.get<{ bodies: number }>`
    select count(*) as bodies from contents c
    where c.body_gone_at is null and c.seq in (
        select e.content from emails e
        where e.workspace = ${workspace} and e.created_at < ${before} and e.due_at is null and e.source_type <> 'INBOUND')
      and ${isOver(before)}
      and not exists (select 1 from emails e where e.content = c.seq and e.due_at is not null)`;
  return row?.bodies ?? 0;
}

/** From now on they are no longer read: their bytes are deleted in pieces. */
export function closeReceived(tx: Tx, contents: readonly number[]): Promise<number> {
  return tx.run`
    update contents set body_gone_at = ${tx.now} where ${tx.dialect.isAmong(sql`seq`, contents)} and body_gone_at is null`;
}
