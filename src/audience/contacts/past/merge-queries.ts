// The SQL of merges: the contacts that were merged, and their former state.
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";
import { C_PRESENT, type Contact } from "../queries.ts";
import { column, json, TableRows, type RowOf } from "../../../store/columns.ts";
import { sqlList, sql, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

/** MOVING: the rest of the history is on its way. UNDOING: it is on its way back. */
export type MergeState = "MOVING" | "MOVED" | "UNDOING";

/** The parts of a contact that can be restored. */
export type Side = Pick<Contact, "data" | "subscribed" | "topics" | "pausedUntil">;

/** The contact that stays, before and right after. */
export type MergeSurvivor = { readonly before: Side; readonly after: Side };

const ROWS = new TableRows("merges", {
  seq: column.number(),
  id: column.text(),
  workspace: column.number(),
  /** The contact that stays. */
  contact: column.number(),
  state: column.oneOf<MergeState>(),
  snapshot: column.json<MergeSurvivor>(),
  /** Though it was unsubscribed already. */
  unsubscribedSince: column.flag(),
  /** Though it had left that topic already. */
  topicLeftSince: column.flag(),
  madeBy: column.json<ChangeAuthor>(),
  createdAt: column.text(),
});

export type Merge = RowOf<typeof ROWS>;

type NewMerge = Pick<Merge, "id" | "workspace" | "contact" | "madeBy">;

/** Answers its seq. It is MOVING, and nothing of it is known yet. */
export async function insertMerge(tx: Tx, merge: NewMerge): Promise<number> {
  const fields = { ...merge, state: "MOVING" as const, createdAt: tx.now };
  return (await ROWS.insert(tx, fields, { due_at: tx.now, snapshot: "{}" })).seq;
}

export function keepSnapshot(tx: Tx, merge: number, kept: MergeSurvivor): Promise<number> {
  return tx.run`update merges set snapshot = ${JSON.stringify(kept)} where seq = ${merge}`;
}

export function setState(tx: Tx, merge: number, state: MergeState, dueAt: string | null): Promise<number> {
  return tx.run`update merges set state = ${state}, due_at = ${dueAt} where seq = ${merge}`;
}

export function lockMerge(tx: Tx, workspace: number, id: string): Promise<Merge | null> {
  return ROWS.get(tx, sql`where workspace = ${workspace} and id = ${id}${tx.dialect.forUpdate}`);
}

export function mergeNumbered(reader: Reader, seq: number): Promise<Merge | null> {
  return ROWS.get(reader, sql`where seq = ${seq}`);
}

export async function nextDue(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ due: string }>`
    select due_at as due from merges where due_at is not null order by due_at, seq limit 1`;
  return row?.due ?? null;
}

/** The merge that has waited longest; null = none is due that no other process has in hand. */
export function takeDue(tx: Tx): Promise<Merge | null> {
  return ROWS.get(tx, sql`where due_at <= ${tx.now} order by due_at, seq limit 1${tx.dialect.skipLocked}`);
}

/** The oldest merge that was made before this moment, and is not being moved. */
export function takeOld(tx: Tx, before: string): Promise<Merge | null> {
  return ROWS.get(
    tx,
    sql`where created_at <= ${before} and state = 'MOVED' order by created_at, seq limit 1${tx.dialect.skipLocked}`,
  );
}

/** Without merges into a contact that was merged itself since: that merge comes first. */
function those(workspace: number, contact: number | null): Sql {
  const whose = contact === null ? sql`` : sql` and contact = ${contact}`;
  return sql`workspace = ${workspace}${whose} and exists (
    select 1 from contacts c where c.seq = merges.contact and ${C_PRESENT})`;
}

/** Newest first. */
export function mergesPage(
  reader: Reader,
  { workspace, contact }: { readonly workspace: number; readonly contact: number | null },
  limit: number,
  offset: number,
): Promise<Merge[]> {
  return ROWS.all(reader, sql`where ${those(workspace, contact)} order by seq desc limit ${limit} offset ${offset}`);
}

export function countMerges(reader: Reader, workspace: number, contact: number | null): Promise<number> {
  return ROWS.count(reader, sql`where ${those(workspace, contact)}`);
}

/** True if the history of a merge of one of these contacts is still being moved. */
export async function isAnyUnderWay(reader: Reader, contacts: readonly number[]): Promise<boolean> {
  const theirs = reader.dialect.isAmong(sql`contact`, contacts);
  const row = await reader.get`
    select 1 as found from merges where ${theirs} and state <> 'MOVED'
    union all
    select 1 as found from merged_contacts m join merges k on k.seq = m.merge
    where ${reader.dialect.isAmong(sql`m.former`, contacts)} and k.state <> 'MOVED' limit 1`;
  return row !== null;
}

/** The contact as it was, and the parts that the contact that stays got from it. */
export type MergeSnapshot = Pick<Contact, "email"> &
  Side & {
    /** The STATIC segments that it was in, and the ones that the other joined by the merge. */
    readonly segments: readonly number[];
    readonly joined: readonly number[];
    /** Addresses that lead to the other since. */
    readonly addresses: readonly string[];
    /** Public ids of contacts that had been merged into it. */
    readonly ids: readonly string[];
  };

export type MergeSource = {
  readonly id: string;
  /** Its number. */
  readonly former: number;
  readonly snapshot: MergeSnapshot;
  readonly campaignsTo: number;
};

type FormerRow = Omit<MergeSource, "snapshot"> & { readonly snapshot: string };

const FORMER = sql`id, former, snapshot, campaigns_to as "campaignsTo"`;

export function insertFormer(
  tx: Tx,
  {
    workspace,
    contact,
    merge,
    id,
    former,
    snapshot,
  }: Omit<MergeSource, "campaignsTo"> & Pick<Merge, "workspace" | "contact"> & { readonly merge: number },
): Promise<number> {
  return tx.run`
    insert into merged_contacts (id, workspace, former, contact, merge, snapshot)
    values (${id}, ${workspace}, ${former}, ${contact}, ${merge}, ${JSON.stringify(snapshot)})`;
}

/** The contacts of merges that can be undone, by the numbers of the merges. */
export async function formersOf(reader: Reader, merges: readonly number[]): Promise<Map<number, MergeSource[]>> {
  if (merges.length === 0) return new Map();
  const rows = await reader.all<FormerRow & { readonly merge: number }>`
    select ${FORMER}, merge from merged_contacts where merge in (${sqlList(merges)}) order by former`;
  const formers = rows.map((row) => ({ ...row, snapshot: json<MergeSnapshot>(row.snapshot) }));
  return Map.groupBy(formers, ({ merge }) => merge);
}

export function keepCampaignsTo(tx: Tx, former: number, campaign: number): Promise<number> {
  return tx.run`update merged_contacts set campaigns_to = ${campaign} where former = ${former}`;
}

/** Contacts that were merged into a contact are merged into another with it; answers their public ids. */
export async function passOn(tx: Tx, contact: number, to: number): Promise<string[]> {
  const rows = await tx.all<{ id: string }>`
    update merged_contacts set contact = ${to} where contact = ${contact} and former <> contact returning id`;
  return rows.map(({ id }) => id);
}

export function passBack(tx: Tx, ids: readonly string[], to: number): Promise<number> {
  return tx.run`update merged_contacts set contact = ${to} where id in (${sqlList(ids)})`;
}

/** The contact is itself again; its rows are being moved back. */
export function setOwn(tx: Tx, former: number): Promise<number> {
  return tx.run`update merged_contacts set contact = former where former = ${former}`;
}

/** The merge cannot be undone any more. The public ids stay. */
export async function forgetMerge(tx: Tx, merge: number): Promise<void> {
  await tx.run`update merged_contacts set merge = null, snapshot = null where merge = ${merge}`;
  await tx.run`delete from merges where seq = ${merge}`;
}

/** The merge is undone. */
export async function deleteMerge(tx: Tx, merge: number): Promise<void> {
  await tx.run`delete from merged_contacts where merge = ${merge}`;
  await tx.run`delete from merges where seq = ${merge}`;
}

/** Part of erasing a contact: answers the numbers of the contacts merged into it that still have rows. */
export async function takeFormers(tx: Tx, contact: number): Promise<number[]> {
  const rows = await tx.all<{ former: number; merge: number | null }>`
    delete from merged_contacts where contact = ${contact} returning former, merge`;
  const formers = rows.flatMap(({ former, merge }) => (merge === null ? [] : former));
  await tx.run`delete from merges where ${tx.dialect.isAmong(sql`contact`, [contact, ...formers])}`;
  return formers;
}

/** Merges of this contact, or that it was in, which are being undone. */
export function undoingOf(tx: Tx, contact: number): Promise<Merge[]> {
  return ROWS.all(
    tx,
    sql`where state = 'UNDOING' and (contact = ${contact}
      or seq in (select merge from merged_contacts where former = ${contact}))`,
  );
}
