// The SQL of the members of segments.
import { CONTACT, contactOf, type Contact, type ContactRow } from "../../contacts/queries.ts";
import { joined, sql, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

export type SegmentMembership = { readonly segment: number; readonly contact: number };

/** `condition`: of the segment's members, on contacts `c`. */
type SegmentMatch = { readonly segment: number; readonly condition: Sql };

export async function matchesAmong(
  reader: Reader,
  matchings: readonly SegmentMatch[],
  contacts: readonly number[],
): Promise<SegmentMembership[]> {
  const parts = matchings.map(
    ({ segment, condition }) => sql`
      select cast(${segment} as bigint) as segment, c.seq as contact from contacts c
      where ${reader.dialect.isAmong(sql`c.seq`, contacts)} and ${condition}`,
  );
  return reader.all<SegmentMembership>`${joined(parts, " union all ")}`;
}

export function membershipsAmong(
  reader: Reader,
  segments: readonly number[],
  contacts: readonly number[],
): Promise<SegmentMembership[]> {
  return reader.all<SegmentMembership>`
    select segment, contact from segment_members
    where ${reader.dialect.isAmong(sql`contact`, contacts)} and ${reader.dialect.isAmong(sql`segment`, segments)}`;
}

/** The segments of a contact. */
export async function segmentsWith(reader: Reader, contact: number): Promise<number[]> {
  const rows = await reader.all<{ segment: number }>`select segment from segment_members where contact = ${contact}`;
  return rows.map(({ segment }) => segment);
}

/** Locks contacts until this transaction ends. Answers those that still exist. */
export async function lockContacts(tx: Tx, contacts: readonly number[]): Promise<number[]> {
  const rows = await tx.all<{ seq: number }>`
    select seq from contacts where ${tx.dialect.isAmong(sql`seq`, contacts)} order by seq${tx.dialect.forChange}`;
  return rows.map(({ seq }) => seq);
}

/** Answers the new members, ordered by number. */
export async function insertMembers(tx: Tx, segment: number, contacts: readonly number[]): Promise<number[]> {
  const rows = await tx.all<{ contact: number }>`
    insert into segment_members (segment, contact, entered_at)
    select cast(${segment} as bigint), c.seq, cast(${tx.now} as text) from contacts c
    where ${tx.dialect.isAmong(sql`c.seq`, contacts)}
    on conflict (segment, contact) do nothing returning contact`;
  return rows.map(({ contact }) => contact).sort((one, other) => one - other);
}

/** Answers the former members, ordered by number. */
export async function deleteMembers(tx: Tx, segment: number, contacts: readonly number[]): Promise<number[]> {
  const rows = await tx.all<{ contact: number }>`
    delete from segment_members where segment = ${segment} and ${tx.dialect.isAmong(sql`contact`, contacts)} returning contact`;
  return rows.map(({ contact }) => contact).sort((one, other) => one - other);
}

export function addToCount(tx: Tx, segment: number, change: number): Promise<number> {
  return tx.run`update segments set member_count = member_count + ${change} where seq = ${segment}`;
}

/** Answers the segment of each of these contacts' memberships. */
export async function deleteMemberships(tx: Tx, contacts: readonly number[]): Promise<number[]> {
  const rows = await tx.all<{ segment: number }>`
    delete from segment_members where ${tx.dialect.isAmong(sql`contact`, contacts)} returning segment`;
  return rows.map(({ segment }) => segment);
}

/** Marks a deleted segment, whose members are deleted later, piece by piece. */
export function insertToEmpty(tx: Tx, segment: number): Promise<number> {
  return tx.run`insert into segments_to_empty (segment, since) values (${segment}, ${tx.now})`;
}

export async function hasToEmpty(reader: Reader): Promise<boolean> {
  return (await reader.get`select 1 as waits from segments_to_empty limit 1`) !== null;
}

/** A deleted segment that may still have members; null = none that is not locked by another process. */
export async function takeToEmpty(tx: Tx): Promise<number | null> {
  const row = await tx.get<{ segment: number }>`
    select segment from segments_to_empty order by segment limit 1${tx.dialect.skipLocked}`;
  return row?.segment ?? null;
}

/** Answers how many; fewer than `most` = there are no more. */
export function deleteSomeMembers(tx: Tx, segment: number, most: number): Promise<number> {
  return tx.run`
    delete from segment_members where segment = ${segment} and contact in (
      select contact from segment_members where segment = ${segment} order by contact limit ${most})`;
}

export function setEmptied(tx: Tx, segment: number): Promise<number> {
  return tx.run`delete from segments_to_empty where segment = ${segment}`;
}

export async function contactsBetween(
  reader: Reader,
  workspace: number,
  { after, end }: { readonly after: number; readonly end: number },
): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select seq from contacts where workspace = ${workspace} and seq > ${after} and seq <= ${end} order by seq`;
  return rows.map(({ seq }) => seq);
}

/** The first contacts of a range that match and are no members, or are members and do not match. */
export async function differing(
  reader: Reader,
  workspace: number,
  { segment, condition }: SegmentMatch,
  { after, end, limit }: { readonly after: number; readonly end: number; readonly limit: number },
): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select c.seq from contacts c where c.workspace = ${workspace} and c.seq > ${after} and c.seq <= ${end}
      and (case when ${condition} then 1 else 0 end) <> (case when exists (
        select 1 from segment_members m where m.segment = ${segment} and m.contact = c.seq) then 1 else 0 end)
    order by c.seq limit ${limit}`;
  return rows.map(({ seq }) => seq);
}

export type MemberRange = { readonly limit: number; readonly offset: number };

export async function membersPage(reader: Reader, segment: number, { limit, offset }: MemberRange): Promise<Contact[]> {
  const rows = await reader.all<ContactRow>`
    select ${CONTACT} from (
      select contact from segment_members where segment = ${segment} order by contact desc limit ${limit} offset ${offset}) as m
    join contacts c on c.seq = m.contact order by m.contact desc`;
  return rows.map(contactOf);
}

export async function matchingPage(
  reader: Reader,
  workspace: number,
  condition: Sql,
  { limit, offset }: MemberRange,
): Promise<Contact[]> {
  const rows = await reader.all<ContactRow>`
    select ${CONTACT} from contacts c where c.workspace = ${workspace} and ${condition}
    order by c.seq desc limit ${limit} offset ${offset}`;
  return rows.map(contactOf);
}

/** The bound on seq makes SQLite read contacts in the order of their rows: another index takes twice as long. */
export async function countMatching(reader: Reader, workspace: number, condition: Sql): Promise<number> {
  const row = await reader.get<{ n: number }>`
    select count(*) as n from contacts c where c.workspace = ${workspace} and c.seq > 0 and ${condition}`;
  return row?.n ?? 0;
}
