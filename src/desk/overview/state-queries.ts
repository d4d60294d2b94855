// The SQL of the number of mails in each state: counts along an index, none of which reads more than `most` of its
// rows.
import { indexOfHeap, inHeap, type Heap } from "../../mail/emails/queue/holds.ts";
import type { EmailStatus } from "../../mail/emails/shape.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

/**
 * Mails since a moment: all from the number `sure` on, and of the ones between `from` and `sure`, which were numbered
 * at about that time, the ones accepted later.
 */
export type StateCountStart = { readonly at: string; readonly from: number; readonly sure: number };

export type StateCountQuery = { readonly workspace: number; readonly since: StateCountStart; readonly most: number };

/** All mails, received ones too. */
export function countMails(reader: Reader, counted: StateCountQuery): Promise<number> {
  return countAlong(reader, { index: "emails_in_order", where: sql`e.workspace = ${counted.workspace}` }, counted);
}

export function countSettledIn(reader: Reader, status: EmailStatus, counted: StateCountQuery): Promise<number> {
  const where = sql`e.workspace = ${counted.workspace} and e.status = ${status} and e.due_at is null`;
  return countAlong(reader, { index: "emails_settled", where }, counted);
}

/** Mails that are PERHAPS_DELIVERED: for good, or until a late repeat. */
export async function countPerhaps(
  reader: Reader,
  counted: StateCountQuery,
): Promise<Record<"settled" | "repeated", number>> {
  const where = sql`e.workspace = ${counted.workspace} and e.status = 'PERHAPS_DELIVERED'`;
  const along = (due: Sql) =>
    countAlong(reader, { index: "emails_perhaps", where: sql`${where} and e.due_at ${due}` }, counted);
  return { settled: await along(sql`is null`), repeated: await along(sql`is not null`) };
}

/** Mails that wait in a heap. */
export function countWaitingIn(reader: Reader, heap: Heap, counted: StateCountQuery): Promise<number> {
  const where = sql`e.workspace = ${counted.workspace} and ${inHeap(heap)} and e.due_at is not null`;
  return countAlong(reader, { index: indexOfHeap(heap), where }, counted);
}

export type TeamMail = { readonly status: EmailStatus; readonly mails: number };

/** Mail to the team, by its state: no sum counts it. There is little. */
export function countTeamMail(
  reader: Reader,
  { workspace, since: { at, from } }: StateCountQuery,
): Promise<TeamMail[]> {
  return reader.all<TeamMail>`
    select e.status, count(*) as mails from contents c join emails e on e.content = c.seq
    where c.workspace = ${workspace} and c.private = 1 and e.seq >= ${from} and e.created_at >= ${at} group by e.status`;
}

type IndexScan = { readonly index: string; readonly where: Sql };

async function countAlong(reader: Reader, along: IndexScan, counted: StateCountQuery): Promise<number> {
  return (await countNear(reader, along, counted)) + (await countLater(reader, along, counted));
}

async function countLater(
  reader: Reader,
  { index, where }: IndexScan,
  { since, most }: StateCountQuery,
): Promise<number> {
  const row = await reader.get<{ mails: number }>`
    select count(*) as mails from (
      select e.seq from emails e${reader.dialect.along(index)} where ${where} and e.seq >= ${since.sure} limit ${most}) as place`;
  return row?.mails ?? 0;
}

async function countNear(
  reader: Reader,
  { index, where }: IndexScan,
  { since, most }: StateCountQuery,
): Promise<number> {
  const { at, from, sure } = since;
  const row = await reader.get<{ mails: number }>`
    select count(*) as mails from (
      select e.seq from emails e${reader.dialect.along(index)}
      where ${where} and e.seq >= ${from} and e.seq < ${sure} and e.created_at >= ${at} limit ${most}) as place`;
  return row?.mails ?? 0;
}
