// The SQL that moves a contact's rows to another one, a piece at a time, and back: the numbers of the rows are kept
// until the merge cannot be undone any more.
import { literal, sql, type Sql } from "../../../store/sql.ts";
import type { Tx } from "../../../store/store.ts";

/** `from` is the merged contact. */
export type MergeDirection = { readonly from: number; readonly to: number };

export type MovedEvent = { readonly name: string };

async function numbered(rows: Promise<{ seq: number }[]>): Promise<number[]> {
  return (await rows).map(({ seq }) => seq);
}

/** Moves up to `most` rows that are not yet the other's; answers their numbers. The table has an index by contact. */
export function moveSome(tx: Tx, table: string, { from, to }: MergeDirection, most: number): Promise<number[]> {
  const name = literal(table);
  return numbered(tx.all`
    update ${name} set contact = ${to} where seq in (
      select seq from ${name} where contact = ${from} limit ${most}) returning seq`);
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

/** Waiting mail, and mail in hand. */
export function moveWaitingMails(tx: Tx, { from, to }: MergeDirection): Promise<number[]> {
  return numbered(tx.all`
    update emails set contact = ${to} where contact = ${from} and due_at is not null returning seq`);
}

/** Unconfirmed form answers are confirmed for the other contact. */
export function moveAnswers(tx: Tx, { from, to }: MergeDirection, address: string): Promise<number[]> {
  return numbered(tx.all`
    update form_answers set contact = ${to}, address = ${address} where contact = ${from} returning seq`);
}

/** As moveBack: confirmed for the person who sent it, at that address. */
export function moveAnswersBack(
  tx: Tx,
  { from, to }: MergeDirection,
  moved: readonly number[],
  address: string,
): Promise<number> {
  return tx.run`
    update form_answers set contact = ${from}, address = ${address}
    where ${tx.dialect.isAmong(sql`seq`, moved)} and contact = ${to}`;
}

/** Changes of a contact that endpoints have not got yet, and that have no notice of their own. */
export async function untoldChanges(
  tx: Tx,
  workspace: number,
  contact: number,
): Promise<{ seq: number; subjects: string }[]> {
  const found = [];
  for (const isDue of [sql`for_endpoints = 1 and due_at is not null`, sql`for_endpoints = 1 and due_at is null`])
    found.push(
      ...(await tx.all<{ seq: number; subjects: string }>`
        select seq, subjects from outbox
        where workspace = ${workspace} and ${isDue} and contact = ${contact} and event is null and notice is null`),
    );
  return found;
}

/** The event for endpoints, independent of the contact's further changes. */
export function setNotice(tx: Tx, seq: number, notice: string): Promise<number> {
  return tx.run`update outbox set notice = ${notice} where seq = ${seq}`;
}

/** Moves what segments, workflows and endpoints have not been told yet. */
export async function moveOutbox(tx: Tx, workspace: number, { from, to }: MergeDirection): Promise<number[]> {
  const moved = [];
  for (const isDue of [sql`for_endpoints in (0, 1) and due_at is not null`, sql`due_at is null`])
    moved.push(
      ...(await numbered(tx.all`
        update outbox set contact = ${to} where workspace = ${workspace} and ${isDue} and contact = ${from}
        returning seq`)),
    );
  return moved;
}

/** Stored answers that name the contact name the other as well: they are deleted with either of them. */
export function copyAnswersAbout(tx: Tx, { from, to }: MergeDirection): Promise<number> {
  return tx.run`
    insert into answers_about (contact, workspace, route, key)
    select cast(${to} as bigint), workspace, route, key from answers_about where contact = ${from}
    on conflict do nothing`;
}

/** Moves the rows of imports; not those of imports that have a row of the other, too. Answers the imports. */
export async function moveImported(tx: Tx, workspace: number, { from, to }: MergeDirection): Promise<number[]> {
  const rows = await tx.all<{ job: number }>`
    update import_changes set contact = ${to} where contact = ${from}
      and job in (select seq from contact_jobs where workspace = ${workspace} and operation = 'IMPORT')
      and not exists (select 1 from import_changes o where o.job = import_changes.job and o.contact = ${to})
    returning job`;
  return rows.map(({ job }) => job);
}

/** As moveBack. */
export function moveImportedBack(tx: Tx, { from, to }: MergeDirection, jobs: readonly number[]): Promise<number> {
  return tx.run`
    update import_changes set contact = ${from} where ${tx.dialect.isAmong(sql`job`, jobs)} and contact = ${to}`;
}

/** The next campaigns of a workspace, by their numbers. */
export async function campaignsAfter(tx: Tx, workspace: number, after: number, most: number): Promise<number[]> {
  return numbered(tx.all`
    select seq from campaigns where workspace = ${workspace} and seq > ${after} order by seq limit ${most}`);
}

const IS_SETTLED: Sql = sql`(email is not null or past is not null or coalesce(reason, 'merged') <> 'merged')`;

/** Moves rows of campaigns where it was a recipient and the other was not. Answers the campaigns. */
export async function moveRecipients(
  tx: Tx,
  campaigns: readonly number[],
  { from, to }: MergeDirection,
): Promise<number[]> {
  const rows = await tx.all<{ campaign: number }>`
    update recipients set contact = ${to} where ${tx.dialect.isAmong(sql`campaign`, campaigns)} and contact = ${from}
      and ${IS_SETTLED} and not exists (
        select 1 from recipients o where o.campaign = recipients.campaign and o.contact = ${to})
    returning campaign`;
  return rows.map(({ campaign }) => campaign);
}

/** As moveBack. */
export function moveRecipientsBack(
  tx: Tx,
  { from, to }: MergeDirection,
  campaigns: readonly number[],
): Promise<number> {
  return tx.run`
    update recipients set contact = ${from} where ${tx.dialect.isAmong(sql`campaign`, campaigns)} and contact = ${to}
      and not exists (select 1 from recipients o where o.campaign = recipients.campaign and o.contact = ${from})`;
}

/** The events about contacts that were merged into this one. */
export function mergedTold(tx: Tx, contact: number): Promise<{ seq: number; data: string }[]> {
  return tx.all`select seq, "json"(data) as data from events where contact = ${contact} and name = 'contact.merged'`;
}

export function setTold(tx: Tx, seq: number, data: object): Promise<number> {
  return tx.run`update events set data = ${tx.dialect.json(JSON.stringify(data))} where seq = ${seq}`;
}

/** The same, in the form for endpoints. */
export function mergedToldEndpoints(tx: Tx, contact: number): Promise<{ seq: number; data: string }[]> {
  return tx.all`select seq, data from webhook_events where contact = ${contact} and type = 'contact.merged'`;
}

export function setToldEndpoints(tx: Tx, seq: number, data: object): Promise<number> {
  return tx.run`update webhook_events set data = ${JSON.stringify(data)} where seq = ${seq}`;
}

/** The names of these events. */
export async function namesOf(tx: Tx, events: readonly number[]): Promise<string[]> {
  const rows = await tx.all<{
    name: string;
  }>`select distinct name from events where ${tx.dialect.isAmong(sql`seq`, events)}`;
  return rows.map(({ name }) => name);
}

/**
 * One row holds many numbers: a long history would double the rows otherwise. `kind`: a table whose rows move; or "once":
 * executions after which nobody enters again.
 */
export function keepMoved(tx: Tx, former: number, kind: string, moved: readonly number[]): Promise<number> {
  return tx.run`
    insert into merged_rows (former, kind, number, moved)
    select cast(${former} as bigint), cast(${kind} as text), coalesce(max(number), 0) + 1, cast(${moved.join(",")} as text)
    from merged_rows where former = ${former} and kind = ${kind}`;
}

type MoveRecord = { readonly kind: string; readonly number: number; readonly moved: readonly number[] };

/** Takes a record of moved rows, which does not count any more; null = there is none. */
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
