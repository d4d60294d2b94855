// The SQL of audiences that are not frozen: who matches, why some of them get nothing, and how many.
import { C_PRESENT, CONTACT, contactOf, type Contact, type ContactRow } from "../contacts/queries.ts";
import type { Range } from "../contacts/selection-queries.ts";
import { sql, steadyList, type Sql } from "../store/sql.ts";
import type { Reader } from "../store/store.ts";

/** Who may be sent marketing mail; over contacts `c`. */
const MAY_BE_SENT_MARKETING = sql`c.subscribed = 1 and c.status = 'ACTIVE' and c.suppressed is null`;

/** `condition`: one over contacts `c`. `topic`: who of them gets its mail; null = it has none. */
export type Audience = { readonly workspace: number; readonly condition: Sql; readonly topic: Sql | null };

export const AUDIENCE_PARTS = ["matched", "willReceive", "unsubscribed", "pending", "suppressed", "topic"] as const;
export type AudiencePart = (typeof AUDIENCE_PARTS)[number];

/** A contact that is left out for several reasons belongs to the first. */
const PARTS: Readonly<Record<Exclude<AudiencePart, "willReceive" | "topic">, Sql>> = {
  matched: sql`1 = 1`,
  suppressed: sql`c.suppressed is not null`,
  pending: sql`c.suppressed is null and c.status = 'PENDING'`,
  unsubscribed: sql`c.suppressed is null and c.status <> 'PENDING' and c.subscribed = 0`,
};

/** Who of them is reached. */
function reached({ topic }: Pick<Audience, "topic">): Sql {
  return topic === null ? MAY_BE_SENT_MARKETING : sql`${MAY_BE_SENT_MARKETING} and ${topic}`;
}

function inPart(part: AudiencePart, { topic }: Pick<Audience, "topic">): Sql {
  if (part === "willReceive") return reached({ topic });
  if (part !== "topic") return PARTS[part];
  return topic === null ? sql`1 = 0` : sql`${MAY_BE_SENT_MARKETING} and not (${topic})`;
}

export async function hasAudience(reader: Reader, { workspace, condition, topic }: Audience): Promise<boolean> {
  const row = await reader.get`
    select 1 as found from contacts c where c.workspace = ${workspace} and ${reached({ topic })} and (${condition}) limit 1`;
  return row !== null;
}

/** How many contacts of a range would get the mail. */
export async function countReached(
  reader: Reader,
  { workspace, condition, topic }: Audience,
  { after, upTo }: Range,
): Promise<number> {
  const row = await reader.get<{ people: number }>`
    select count(*) as people from contacts c
    where c.workspace = ${workspace} and c.seq > ${after} and c.seq <= ${upTo} and ${reached({ topic })} and (${condition})`;
  return row?.people ?? 0;
}

/** The contacts of a range who would get the mail, in no order, with commas between; null = nobody would. */
export async function reachedIn(
  reader: Reader,
  { workspace, condition, topic }: Audience,
  { after, upTo }: Range,
): Promise<{ readonly people: string | null; readonly count: number }> {
  const row = await reader.get<{ people: string | null; count: number }>`
    select string_agg(cast(c.seq as text), ',') as people, count(*) as count from contacts c
    where c.workspace = ${workspace} and c.seq > ${after} and c.seq <= ${upTo} and ${reached({ topic })} and (${condition})`;
  return row ?? { people: null, count: 0 };
}

/** The seqs of the first contacts of a range who belong to a part of the audience. */
export async function peopleIn(
  reader: Reader,
  { workspace, condition, topic, part }: Audience & { readonly part: AudiencePart },
  { after, upTo }: Range,
  most: number,
): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select c.seq from contacts c
    where c.workspace = ${workspace} and c.seq > ${after} and c.seq <= ${upTo} and ${inPart(part, { topic })} and (${condition}) and ${C_PRESENT}
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
