// The SQL that deletes old inbound mail.
import type { ExpiryPiece, ExpiryRange } from "../../base/jobs/pieces.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Dialect, Reader, Tx } from "../../store/store.ts";

/** The second condition is always true: with it, the engine can use the index of source types except TRANSACTIONAL. */
const RECEIVED = sql`source_type = 'INBOUND' and source_type <> 'TRANSACTIONAL'`;
const INDEX = "emails_by_source";

/** As rows `r` of a workspace `w`. */
export function receivedOf({ along }: Dialect): Sql {
  return sql`emails r${along(INDEX)} where r.workspace = w.seq and r.source_type = 'INBOUND' and r.source_type <> 'TRANSACTIONAL'`;
}

/** The last of a workspace's next `most` old mails from outside; null = none. */
export async function endOfOldReceived(
  reader: Reader,
  { workspace, after, before }: ExpiryRange,
  most: number,
): Promise<number | null> {
  const row = await reader.get<{ last: number | null }>`
    select max(seq) as last from (
      select seq, created_at from emails${reader.dialect.along(INDEX)}
      where workspace = ${workspace} and ${RECEIVED} and seq > ${after}
      order by seq limit ${most}) as next
    where created_at < ${before}`;
  return row?.last ?? null;
}

type OldInboundMail = { readonly seq: number; readonly content: number };

/** Rows that another process is changing are left for the next time. */
export function takeOldReceived(tx: Tx, { workspace, after, upTo, before }: ExpiryPiece): Promise<OldInboundMail[]> {
  return tx.all<OldInboundMail>`
    select seq, content from emails${tx.dialect.along(INDEX)}
    where workspace = ${workspace} and ${RECEIVED} and seq > ${after} and seq <= ${upTo} and created_at < ${before}
    ${tx.dialect.skipLocked}`;
}

/** Deletes up to `mostBytes` of these messages. True once all are deleted. */
export async function deleteSlicesOf(tx: Tx, contents: readonly number[], mostBytes: number): Promise<boolean> {
  const theirs = sql`messages m join message_slices s on s.message = m.seq where ${tx.dialect.isAmong(sql`m.content`, contents)}`;
  await tx.run`
    delete from message_slices where (message, number) in (
      select message, number from (
        select s.message, s.number, sum(length(s.bytes)) over (order by s.message, s.number) - length(s.bytes) as before
        from ${theirs}) as slices
      where before < ${mostBytes})`;
  return (await tx.get`select 1 as more from ${theirs} limit 1`) === null;
}

export async function countOldReceived(reader: Reader, workspace: number, before: string): Promise<number> {
  const row = await reader.get<{ mails: number }>`
    select count(*) as mails from emails${reader.dialect.along(INDEX)}
    where workspace = ${workspace} and ${RECEIVED} and created_at < ${before}`;
  return row?.mails ?? 0;
}
