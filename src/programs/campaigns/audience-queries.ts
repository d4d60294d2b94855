// The SQL of audiences that are not frozen: the matching contacts, why some get nothing, and the counts.
import { C_PRESENT, CONTACT, contactOf, type Contact, type ContactRow } from "../../audience/contacts/queries.ts";
import { isPausedAt } from "../../audience/contacts/pause-queries.ts";
import type { Range } from "../../audience/contacts/search/selection-queries.ts";
import { sql, steadyList, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

/** True for contacts `c` that may be sent marketing mail. */
const MAY_BE_SENT_MARKETING = sql`c.subscribed = 1 and c.status = 'ACTIVE' and c.suppressed is null`;

export type Audience = {
  readonly workspace: number;
  /** A condition over contacts `c`. */
  readonly condition: Sql;
  /** True for subscribers of the mail's topic; null = it has none. */
  readonly topic: Sql | null;
  /** True for contacts whose domain is suppressed; null = no domain is. */
  readonly domains: Sql | null;
  /** The time at which pauses are checked: a paused contact gets nothing. */
  readonly now: string;
};

type AudienceLimits = Pick<Audience, "topic" | "domains" | "now">;

export const AUDIENCE_PARTS = [
  "matched",
  "willReceive",
  "unsubscribed",
  "pending",
  "suppressed",
  "topic",
  "paused",
] as const;
export type AudiencePart = (typeof AUDIENCE_PARTS)[number];

/** True for contacts that are reached. */
function reached(limits: AudienceLimits): Sql {
  return sql`${wanting(limits)} and not ${isPausedAt(limits.now)}`;
}

/** True for contacts that are reached, or will be after a pause. */
function wanting({ topic, domains }: AudienceLimits): Sql {
  const allowed = unless(MAY_BE_SENT_MARKETING, domains);
  return topic === null ? allowed : sql`${allowed} and ${topic}`;
}

function unless(holds: Sql, domains: Sql | null): Sql {
  return domains === null ? holds : sql`${holds} and not ${domains}`;
}

/** A contact that is left out for several reasons belongs to the first. */
function inPart(part: AudiencePart, limits: AudienceLimits): Sql {
  const { topic, domains, now } = limits;
  switch (part) {
    case "matched":
      return sql`1 = 1`;
    case "willReceive":
      return reached(limits);
    case "suppressed":
      return domains === null ? sql`c.suppressed is not null` : sql`(c.suppressed is not null or ${domains})`;
    case "pending":
      return unless(sql`c.suppressed is null and c.status = 'PENDING'`, domains);
    case "unsubscribed":
      return unless(sql`c.suppressed is null and c.status <> 'PENDING' and c.subscribed = 0`, domains);
    case "topic":
      return topic === null ? sql`1 = 0` : unless(sql`${MAY_BE_SENT_MARKETING} and not (${topic})`, domains);
    case "paused":
      return sql`${wanting(limits)} and ${isPausedAt(now)}`;
  }
}

export async function hasAudience(reader: Reader, { workspace, condition, ...limits }: Audience): Promise<boolean> {
  const row = await reader.get`
    select 1 as found from contacts c where c.workspace = ${workspace} and ${reached(limits)} and (${condition}) limit 1`;
  return row !== null;
}

/** How many contacts of a range would get the mail. */
export async function countReached(
  reader: Reader,
  { workspace, condition, ...limits }: Audience,
  { after, upTo }: Range,
): Promise<number> {
  const row = await reader.get<{ people: number }>`
    select count(*) as people from contacts c
    where c.workspace = ${workspace} and c.seq > ${after} and c.seq <= ${upTo} and ${reached(limits)} and (${condition})`;
  return row?.people ?? 0;
}

export type DomainPeople = { readonly domain: string; readonly people: number };

/** The same, by the domains of their addresses. */
export function reachedByDomain(
  reader: Reader,
  { workspace, condition, ...limits }: Audience,
  { after, upTo }: Range,
): Promise<DomainPeople[]> {
  return reader.all<DomainPeople>`
    select domain, count(*) as people from (
      select substr(c.email, length(rtrim(c.email, replace(c.email, '@', ''))) + 1) as domain from contacts c
      where c.workspace = ${workspace} and c.seq > ${after} and c.seq <= ${upTo} and ${reached(limits)} and (${condition})) as found
    group by domain`;
}

/** The contacts of a range who would get the mail, in no order, with commas between; null = none would. */
export async function reachedIn(
  reader: Reader,
  { workspace, condition, ...limits }: Audience,
  { after, upTo }: Range,
): Promise<{ readonly people: string | null; readonly count: number }> {
  const row = await reader.get<{ people: string | null; count: number }>`
    select string_agg(cast(c.seq as text), ',') as people, count(*) as count from contacts c
    where c.workspace = ${workspace} and c.seq > ${after} and c.seq <= ${upTo} and ${reached(limits)} and (${condition})`;
  return row ?? { people: null, count: 0 };
}

/** The seqs of the first contacts of a range who belong to a part of the audience. */
export async function peopleIn(
  reader: Reader,
  { workspace, condition, part, ...limits }: Audience & { readonly part: AudiencePart },
  { after, upTo }: Range,
  most: number,
): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select c.seq from contacts c
    where c.workspace = ${workspace} and c.seq > ${after} and c.seq <= ${upTo} and ${inPart(part, limits)} and (${condition}) and ${C_PRESENT}
    order by c.seq limit ${most}`;
  return rows.map(({ seq }) => seq);
}

/** In their order. */
export async function contactsNumbered(reader: Reader, seqs: readonly number[]): Promise<Contact[]> {
  if (seqs.length === 0) return [];
  const rows =
    await reader.all<ContactRow>`select ${CONTACT} from contacts where seq in (${steadyList(seqs)}) order by seq`;
  return rows.map(contactOf);
}
