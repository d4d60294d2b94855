// The SQL that deletes old events. Each contact keeps the last of each name, and of each tag that a segment names:
// segments check whether there was one, and when the last was.
import type { ExpiryPiece, ExpiryRange } from "../../base/jobs/pieces.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Dialect, Reader, Tx } from "../../store/store.ts";
import { eventOf, type EventData } from "./outbox.ts";

/** The last of a workspace's next `most` old events; null = none. */
export async function endOfOldEvents(
  reader: Reader,
  { workspace, after, before }: ExpiryRange,
  most: number,
): Promise<number | null> {
  const row = await reader.get<{ last: number | null }>`
    select max(seq) as last from (
      select seq, created_at from events where workspace = ${workspace} and seq > ${after} order by seq limit ${most}) as next
    where created_at < ${before}`;
  return row?.last ?? null;
}

/** Over events `e`. */
const IS_SUPERSEDED = sql`(e.contact is null or exists (
  select 1 from events n where n.contact = e.contact and n.name = e.name and n.seq > e.seq))`;

/** Over events `e`: the last one with a tag that a listener names (subjects.ts). */
function isLastOfTag({ jsonItems }: Dialect): Sql {
  return sql`exists (
    select 1 from ${jsonItems(sql`e.data`, "tags")} cross join interests i
    where i.workspace = e.workspace and i.subject = 'tagged:' || e.name || ':' || item.value and not exists (
      select 1 from events n where n.contact = e.contact and n.name = e.name and n.seq > e.seq
        and instr(n.data ->> 'tags', '"' || item.value || '"') > 0))`;
}

function old(dialect: Dialect, workspace: number, before: string): Sql {
  return sql`e.workspace = ${workspace} and e.created_at < ${before} and ${IS_SUPERSEDED}
    and (e.contact is null or not ${isLastOfTag(dialect)})`;
}

/** Answers how many. */
export function deleteOldEvents(tx: Tx, { workspace, after, upTo, before }: ExpiryPiece): Promise<number> {
  return tx.run`
    delete from events where seq in (
      select e.seq from events e where e.seq > ${after} and e.seq <= ${upTo} and ${old(tx.dialect, workspace, before)})`;
}

export async function countOldEvents(reader: Reader, workspace: number, before: string): Promise<number> {
  const row = await reader.get<{ events: number }>`
    select count(*) as events from events e where ${old(reader.dialect, workspace, before)}`;
  return row?.events ?? 0;
}

/** The events of these mails stay when the mails go. */
export function detachFromMails(tx: Tx, emails: readonly number[]): Promise<number> {
  return tx.run`update events set email = null where ${tx.dialect.isAmong(sql`email`, emails)}`;
}

type EventDataRow = { readonly seq: number; readonly data: EventData };

/** As `detachFromMails`, for mails from outside: the fact of their arrival stays, their content is deleted. */
export async function forgetWhatCame(tx: Tx, emails: readonly number[]): Promise<void> {
  const rows = await tx.all<Omit<EventDataRow, "data"> & { readonly data: string }>`
    select seq, "json"(data) as data from events where ${tx.dialect.isAmong(sql`email`, emails)} and name = 'email.received'`;
  for (const { seq, data } of rows.map(eventOf)) {
    const left = JSON.stringify({ ...data, body: "", text: "", attachments: [] });
    await tx.run`update events set data = ${tx.dialect.json(left)} where seq = ${seq}`;
  }
  await detachFromMails(tx, emails);
}
