// The SQL of events that started nothing.
import { insertion } from "../../../../store/row-statement.ts";
import { sql } from "../../../../store/sql.ts";
import type { Reader, Tx } from "../../../../store/store.ts";

const UNSTARTED = insertion("missed_starts", {
  workflow: "bigint",
  contact: "bigint",
  event_id: "text",
  event_name: "text",
  reason: "text",
  created_at: "text",
});

type NewUnstartedRow = {
  readonly contact: number | null;
  readonly event: { readonly id: string; readonly name: string };
  readonly reason: string;
};

export async function insertUnstarted(tx: Tx, workflow: number, events: readonly NewUnstartedRow[]): Promise<void> {
  await tx.runEach(
    UNSTARTED,
    events.map(({ contact, event, reason }) => [workflow, contact, event.id, event.name, reason, tx.now]),
  );
}

export type UnstartedExecution = {
  readonly seq: number;
  readonly contactId: string | null;
  readonly contactEmail: string | null;
  readonly eventId: string;
  readonly eventName: string;
  readonly reason: string;
  readonly createdAt: string;
};

type UnstartedFilter = {
  readonly workflow: number;
  /** A contact of the workflow's workspace; null = any. */
  readonly contact: number | null;
  readonly reason: string | null;
};

/** Newest first. Without rows of people who are being erased. */
export function unstartedPage(
  reader: Reader,
  { workflow, contact, reason }: UnstartedFilter,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<UnstartedExecution[]> {
  const older = before === null ? sql`` : sql` and u.seq < ${before}`;
  const whose = contact === null ? sql`` : sql` and u.contact = ${contact}`;
  const why = reason === null ? sql`` : sql` and u.reason = ${reason}`;
  return reader.all`
    select u.seq, c.id as "contactId", c.email as "contactEmail", u.event_id as "eventId", u.event_name as "eventName",
      u.reason, u.created_at as "createdAt"
    from missed_starts u left join contacts c on c.seq = u.contact
    where u.workflow = ${workflow}${older}${whose}${why} and (u.contact is null or instr(c.email, '@') > 0)
    order by u.seq desc limit ${limit}`;
}

/** The last ones, in no order. */
export function countUnstarted(
  reader: Reader,
  workflow: number,
  most: number,
): Promise<{ reason: string; events: number }[]> {
  return reader.all`
    select reason, count(*) as events from (
      select reason from missed_starts where workflow = ${workflow} order by seq desc limit ${most}) as latest
    group by reason`;
}

/** Answers how many. */
export function deleteUnstartedBefore(tx: Tx, before: string, most: number): Promise<number> {
  return tx.run`
    delete from missed_starts where seq in (
      select seq from missed_starts where created_at < ${before} order by created_at limit ${most})`;
}

/** The workflows with more than `kept` rows. */
export function overfullWorkflows(reader: Reader, kept: number): Promise<{ workflow: number }[]> {
  return reader.all`select workflow from missed_starts group by workflow having count(*) > ${kept} order by workflow`;
}

/** Deletes some of a workflow's rows, but for the last `kept`; answers how many. */
export function deleteUnstartedBeyond(tx: Tx, workflow: number, kept: number, most: number): Promise<number> {
  return tx.run`
    delete from missed_starts where seq in (
      select seq from missed_starts where workflow = ${workflow} order by seq desc limit ${most} offset ${kept})`;
}

/** Deletes rows of a deleted workflow; answers how many. */
export function deleteUnstartedOf(tx: Tx, workflow: number, most: number): Promise<number> {
  return tx.run`
    delete from missed_starts where seq in (select seq from missed_starts where workflow = ${workflow} order by seq limit ${most})`;
}
