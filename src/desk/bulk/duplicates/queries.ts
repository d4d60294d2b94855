// The SQL of searches for duplicates, their groups, and pairs that are not the same person.
import { C_PRESENT } from "../../../audience/contacts/queries.ts";
import { json } from "../../../store/columns.ts";
import { insertion } from "../../../store/row-statement.ts";
import { sqlList, sql, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { DuplicateReason } from "./keys.ts";

export type DuplicateSearch = {
  readonly workspace: number;
  readonly id: string;
  readonly state: "RUNNING" | "COMPLETED";
  /** 1 = more were found than are kept. */
  readonly isCut: 0 | 1;
  readonly begunAt: string;
  readonly foundAt: string | null;
  /** The public id of the last job that merges its groups. */
  readonly mergeJob: string | null;
};

const SEARCH = sql`workspace, id, state, is_cut as "isCut", begun_at as "begunAt", found_at as "foundAt",
  (select j.id from contact_jobs j where j.id = merge_job) as "mergeJob"`;

/** A running search stays. */
export async function beginSearch(tx: Tx, workspace: number, id: string): Promise<string> {
  const row = await tx.get<{ id: string }>`
    insert into duplicate_searches (workspace, id, state, due_at, begun_at)
    values (${workspace}, ${id}, 'RUNNING', ${tx.now}, ${tx.now})
    on conflict (workspace) do update set
      id = case when duplicate_searches.state = 'RUNNING' then duplicate_searches.id else excluded.id end,
      begun_at = case when duplicate_searches.state = 'RUNNING' then duplicate_searches.begun_at else excluded.begun_at end,
      due_at = case when duplicate_searches.state = 'RUNNING' then duplicate_searches.due_at else excluded.due_at end,
      state = 'RUNNING',
      merge_job = null
    returning id`;
  return row?.id ?? id;
}

export function searchOf(reader: Reader, workspace: number): Promise<DuplicateSearch | null> {
  return reader.get<DuplicateSearch>`select ${SEARCH} from duplicate_searches where workspace = ${workspace}`;
}

export async function nextSearchDue(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ due: string }>`
    select due_at as due from duplicate_searches where due_at is not null order by due_at limit 1`;
  return row?.due ?? null;
}

/** Another process takes it over when the lease has ended. */
export function claimSearch(tx: Tx, leaseUntil: string): Promise<DuplicateSearch | null> {
  return tx.get<DuplicateSearch>`
    update duplicate_searches set due_at = ${leaseUntil} where workspace = (
      select workspace from duplicate_searches where due_at <= ${tx.now} order by due_at limit 1${tx.dialect.skipLocked})
    returning ${SEARCH}`;
}

export function keepLease(tx: Tx, { workspace, id }: DuplicateSearch, leaseUntil: string): Promise<number> {
  return tx.run`update duplicate_searches set due_at = ${leaseUntil} where workspace = ${workspace} and id = ${id}`;
}

export function endSearch(tx: Tx, { workspace, id }: DuplicateSearch, isCut: boolean): Promise<number> {
  return tx.run`
    update duplicate_searches set state = 'COMPLETED', due_at = null, is_cut = ${isCut ? 1 : 0}, found_at = ${tx.now}
    where workspace = ${workspace} and id = ${id}`;
}

export type DuplicateCandidate = {
  readonly seq: number;
  readonly email: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** The next contacts, in order. */
export async function contactsAfter(
  reader: Reader,
  workspace: number,
  after: number,
  most: number,
): Promise<DuplicateCandidate[]> {
  const rows = await reader.all<Omit<DuplicateCandidate, "data"> & { readonly data: string }>`
    select c.seq, c.email, "json"(c.data) as data from contacts c
    where c.workspace = ${workspace} and c.seq > ${after} and ${C_PRESENT} order by c.seq limit ${most}`;
  return rows.map((row) => ({ ...row, data: json(row.data) }));
}

const FOUND = insertion(
  "duplicates",
  { workspace: "bigint", number: "bigint", contact: "bigint", reason: "text" },
  "on conflict do nothing",
);

export type DuplicateGroup = {
  readonly number: number;
  readonly reason: DuplicateReason;
  readonly contacts: readonly number[];
};

/** Inserts groups of contacts that still exist. */
export async function insertGroups(tx: Tx, workspace: number, groups: readonly DuplicateGroup[]): Promise<void> {
  const all = [...new Set(groups.flatMap(({ contacts }) => contacts))];
  if (all.length === 0) return;
  const there = await tx.all<{ seq: number }>`
    select seq from contacts where ${tx.dialect.isAmong(sql`seq`, all)}${tx.dialect.forReference}`;
  const known = new Set(there.map(({ seq }) => seq));
  await tx.runEach(
    FOUND,
    groups.flatMap(({ number, reason, contacts }) =>
      contacts.filter((contact) => known.has(contact)).map((contact) => [workspace, number, contact, reason]),
    ),
  );
}

/** Deletes some groups of the search before; answers how many. */
export function deleteFound(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from duplicates where workspace = ${workspace} and (number, contact) in (
      select number, contact from duplicates where workspace = ${workspace} order by number, contact limit ${most})`;
}

export function deleteGroup(tx: Tx, workspace: number, number: number): Promise<number> {
  return tx.run`delete from duplicates where workspace = ${workspace} and number = ${number}`;
}

/** Groups of at least two contacts that still exist. */
const STILL = (workspace: number, reason: DuplicateReason | null = null): Sql => sql`
  from duplicates d join contacts c on c.seq = d.contact and ${C_PRESENT}
  where d.workspace = ${workspace}${reason === null ? sql`` : sql` and d.reason = ${reason}`} group by d.number having count(*) > 1`;

/** `reason`: null = of any. */
export async function countGroups(
  reader: Reader,
  workspace: number,
  reason: DuplicateReason | null = null,
): Promise<number> {
  const row = await reader.get<{ n: number }>`
    select count(*) as n from (select d.number ${STILL(workspace, reason)}) as still`;
  return row?.n ?? 0;
}

export async function groupsPage(
  reader: Reader,
  workspace: number,
  limit: number,
  offset: number,
): Promise<DuplicateGroup[]> {
  const page = await reader.all<{ number: number }>`
    select d.number ${STILL(workspace)} order by d.number limit ${limit} offset ${offset}`;
  const numbers = page.map(({ number }) => number);
  if (numbers.length === 0) return [];
  return grouped(
    await reader.all<DuplicateRow>`
    select d.number, d.contact, d.reason from duplicates d join contacts c on c.seq = d.contact and ${C_PRESENT}
    where d.workspace = ${workspace} and d.number in (${sqlList(numbers)}) order by d.number, d.contact`,
  );
}

type DuplicateRow = { readonly number: number; readonly contact: number; readonly reason: DuplicateReason };

function grouped(rows: readonly DuplicateRow[]): DuplicateGroup[] {
  return [...Map.groupBy(rows, ({ number }) => number)].map(([number, those]) => ({
    number,
    reason: those[0]?.reason ?? "address",
    contacts: those.map(({ contact }) => contact),
  }));
}

/** Groups with these contacts alone. */
export async function groupsWithin(tx: Tx, workspace: number, contacts: readonly number[]): Promise<number[]> {
  const rows = await tx.all<{ number: number }>`
    select d.number from duplicates d where d.workspace = ${workspace} and ${tx.dialect.isAmong(sql`d.contact`, contacts)}
      and not exists (
        select 1 from duplicates o join contacts c on c.seq = o.contact and ${C_PRESENT}
        where o.workspace = d.workspace and o.number = d.number and not (${tx.dialect.isAmong(sql`o.contact`, contacts)}))
    group by d.number`;
  return rows.map(({ number }) => number);
}

const DISMISSED = insertion("dismissed_duplicates", { one: "bigint", other: "bigint" }, "on conflict do nothing");

/** `pairs`: the smaller number first. */
export async function insertDismissed(tx: Tx, pairs: readonly (readonly [number, number])[]): Promise<void> {
  await tx.runEach(
    DISMISSED,
    pairs.map(([one, other]) => [one, other]),
  );
}

/** The dismissed pairs among these contacts. */
export function dismissedAmong(reader: Reader, contacts: readonly number[]): Promise<{ one: number; other: number }[]> {
  return reader.all`
    select one, other from dismissed_duplicates
    where ${reader.dialect.isAmong(sql`one`, contacts)} and ${reader.dialect.isAmong(sql`other`, contacts)}`;
}
