// The SQL of merging all groups that a search has found with the reason `address`.
import { C_PRESENT, type Contact } from "../../../audience/contacts/queries.ts";
import { flag } from "../../../store/columns.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { DuplicateSearch } from "./queries.ts";

/** The facts that decide if a contact can be merged with the others of its group. */
export type DuplicateMember = Pick<Contact, "seq" | "email" | "status" | "subscribed"> & { readonly number: number };

const OF_ADDRESS = (workspace: number) => sql`d.workspace = ${workspace} and d.reason = 'address'`;

/** The number of the last group; 0 = none. */
export async function lastGroup(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ number: number }>`
    select d.number from duplicates d where ${OF_ADDRESS(workspace)} order by d.number desc limit 1`;
  return row?.number ?? 0;
}

type GroupRange = { readonly after: number; readonly upTo: number };

/** The remaining members of the groups with these numbers, in order. */
export async function membersOf(
  reader: Reader,
  workspace: number,
  { after, upTo }: GroupRange,
): Promise<DuplicateMember[]> {
  const rows = await reader.all<Omit<DuplicateMember, "subscribed"> & { readonly subscribed: 0 | 1 }>`
    select d.number, c.seq, c.email, c.status, c.subscribed
    from duplicates d join contacts c on c.seq = d.contact and ${C_PRESENT}
    where ${OF_ADDRESS(workspace)} and d.number > ${after} and d.number <= ${upTo} order by d.number, d.contact`;
  return rows.map((row) => ({ ...row, subscribed: flag(row.subscribed) }));
}

type NextGroup = { readonly number: number; readonly contacts: readonly number[] };

/** The next group, of up to `most`; null = none. */
export async function groupAfter(tx: Tx, workspace: number, after: number, most: number): Promise<NextGroup | null> {
  const rows = await tx.all<{ number: number; contact: number }>`
    select d.number, d.contact from duplicates d
    where ${OF_ADDRESS(workspace)} and d.number > ${after} order by d.number, d.contact limit ${most}`;
  const [first] = rows;
  if (!first) return null;
  const { number } = first;
  return { number, contacts: rows.filter((row) => row.number === number).map(({ contact }) => contact) };
}

/** Until the end of the transaction, no new search for duplicates begins. */
export function lockSearch(tx: Tx, workspace: number): Promise<Pick<DuplicateSearch, "id" | "state"> | null> {
  return tx.get`select id, state from duplicate_searches where workspace = ${workspace}${tx.dialect.forUpdate}`;
}

export function keepMergeJob(tx: Tx, workspace: number, id: string): Promise<number> {
  return tx.run`update duplicate_searches set merge_job = ${id} where workspace = ${workspace}`;
}
