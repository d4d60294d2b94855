// The SQL of going through many contacts: those that an export or a bulk job is about, a bounded piece at a time.
import { soughtInAddresses } from "../addresses.ts";
import { inPieces, joined, list, steadyList, sql, type Sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import { CONTACT, PRESENT, type ContactRow } from "./queries.ts";

export type Filter = {
  /** Part of the address. */
  readonly search?: string | null;
  readonly subscribed?: boolean | null;
};

/** `inSegment`: one more condition on the contacts `c`. */
export type Selected = { readonly filter: Filter; readonly inSegment: Sql | null };

function matching({ filter: { search, subscribed }, inSegment }: Selected): Sql {
  const text = soughtInAddresses(search ?? "");
  const conditions = [
    PRESENT,
    ...(text !== "" ? [sql`instr(c.email, ${text}) > 0`] : []),
    ...(typeof subscribed === "boolean" ? [sql`c.subscribed = ${subscribed ? 1 : 0}`] : []),
    ...(inSegment ? [inSegment] : []),
  ];
  return joined(conditions, " and ");
}

/** Looks through all contacts of the workspace. */
export async function countMatching(reader: Reader, workspace: number, selected: Selected): Promise<number> {
  const row = await reader.get<{ count: number }>`
    select count(*) as count from contacts c where c.workspace = ${workspace} and ${matching(selected)}`;
  return row?.count ?? 0;
}

/** How many of `ids` match. */
export async function countMatchingOf(
  reader: Reader,
  workspace: number,
  selected: Selected,
  ids: readonly string[],
): Promise<number> {
  let count = 0;
  for (const piece of inPieces(ids)) {
    const row = await reader.get<{ count: number }>`
      select count(*) as count from contacts c where c.workspace = ${workspace} and c.id in (${list(piece)}) and ${matching(selected)}`;
    count += row?.count ?? 0;
  }
  return count;
}

/** The seq of the newest contact; 0 if there is none. */
export async function lastContact(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ seq: number }>`
    select seq from contacts where workspace = ${workspace} order by seq desc limit 1`;
  return row?.seq ?? 0;
}

/** Contacts numbered above `after`, up to and with `upTo`. */
export type Range = { readonly after: number; readonly upTo: number };

/** The seq of the `nth` contact of those in the range; null if there are fewer. */
export async function nthContact(
  reader: Reader,
  workspace: number,
  { after, upTo }: Range,
  nth: number,
): Promise<number | null> {
  const row = await reader.get<{ seq: number }>`
    select seq from contacts where workspace = ${workspace} and seq > ${after} and seq <= ${upTo}
    order by seq limit 1 offset ${nth - 1}`;
  return row?.seq ?? null;
}

export type Known = { readonly seq: number; readonly id: string; readonly status: ContactRow["status"] };

/** The first of those that are selected, nobody else's to change until this transaction is over. */
export function lockMatching(tx: Tx, workspace: number, range: Range & Selected, limit: number): Promise<Known[]> {
  return tx.all<Known>`
    select c.seq, c.id, c.status from contacts c
    where c.workspace = ${workspace} and c.seq > ${range.after} and c.seq <= ${range.upTo} and ${matching(range)}
    order by c.seq limit ${limit}${tx.dialect.forUpdate}`;
}

/** Nobody else's to change until this transaction is over; those that are not there are left out. */
export function lockContactsById(tx: Tx, workspace: number, ids: readonly string[]): Promise<Known[]> {
  return tx.all<Known>`
    select c.seq, c.id, c.status from contacts c
    where c.workspace = ${workspace} and c.id in (${steadyList(ids)}) order by c.id${tx.dialect.forUpdate}`;
}

/** The first of those that are selected, in the order in which they were made. */
export function contactsInOrder(
  reader: Reader,
  workspace: number,
  range: Range & Selected,
  limit: number,
): Promise<ContactRow[]> {
  return reader.all<ContactRow>`
    select ${CONTACT}
    from contacts c
    where c.workspace = ${workspace} and c.seq > ${range.after} and c.seq <= ${range.upTo} and ${matching(range)}
    order by c.seq limit ${limit}`;
}
