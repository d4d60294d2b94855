// The SQL of Mailgun's events: several lists, each read on from its own position.
import { joined, literal, sql, steadyList, written, type Sql } from "../../../store/sql.ts";
import type { Reader } from "../../../store/store.ts";

/** The lists that have events. */
export const EVENT_LISTS = ["log", "accepted", "failed", "skipped", "unsubscribed", "attempts"] as const;
export type EventListName = (typeof EVENT_LISTS)[number];

/** The place of a row in its list: the values by which that is in order. */
export type ListPlace = readonly (string | number)[];

/** Null = any. Times are in ISO form, both ends included. */
export type EventSearch = {
  readonly workspace: number;
  /** The number of the sender domain. */
  readonly domain: number;
  /** Names of the log. */
  readonly names: readonly string[];
  readonly since: string;
  readonly until: string;
  /** The number of the first row of the log, and of mails, that may be meant. */
  readonly from: Readonly<Partial<Record<EventListName, number>>>;
  readonly recipients: readonly string[] | null;
  /** The recipient's contact, if there is one recipient. */
  readonly contact: number | null;
  readonly senders: readonly string[] | null;
  readonly contents: readonly number[] | null;
  /** All of them, or one. */
  readonly tags: { readonly names: readonly string[]; readonly isAll: boolean } | null;
  readonly isAscending: boolean;
};

export type MailEventRow = {
  readonly list: EventListName;
  readonly place: ListPlace;
  readonly at: string;
  /** Event name in the log, else in the list. */
  readonly name: string;
  readonly eventId: string;
  /** JSON of the event; null = not in the log. */
  readonly data: string | null;
  /** The next hop's reply; null = none. */
  readonly reply: string | null;
  readonly number: number;
  readonly content: number;
  readonly recipient: string;
  readonly bounceType: string | null;
  readonly subject: string;
  readonly from: string;
  readonly tags: string | null;
  readonly metadata: string | null;
};

type PlacedRow = Omit<MailEventRow, "list" | "place"> & {
  readonly a: string | number;
  readonly b: number;
  readonly c: number;
};

const MAIL = sql`m.content, m.to_address as recipient, m.bounce_type as "bounceType", coalesce(m.subject, c.subject) as subject,
  c.from_address as "from", c.tags, c.metadata`;
const OF_MAIL = sql`m.id as "eventId", null as data, m.attempts as number`;

/** Read along one index; mails and contents are joined by their numbers. */
type EventList = {
  /** The columns beside those of the mail. */
  readonly row: Sql;
  readonly from: (index: Index, search: EventSearch) => Sql;
  readonly where: (search: EventSearch) => Sql;
  readonly at: Sql;
  readonly order: readonly Sql[];
};
type Index = Reader["dialect"]["along"];

function ofMails(
  name: string,
  index: string,
  list: Pick<EventList, "where" | "at" | "order"> & { reply: Sql },
): EventList {
  return {
    ...list,
    row: sql`${list.at} as at, ${literal(`'${name}'`)} as name, ${list.reply} as reply, ${OF_MAIL}`,
    from: (along) => sql`emails m${along(index)} cross join contents c where c.seq = m.content`,
  };
}

function ofStatus(name: "failed" | "skipped"): EventList {
  const at = literal(`m.${name}_at`);
  const status = literal(`'${name.toUpperCase()}'`);
  return ofMails(name, "emails_settled", {
    where: ({ workspace }) => sql`m.workspace = ${workspace} and m.status = ${status} and m.due_at is null`,
    ...{ at, order: [at, sql`m.seq`], reply: sql`m.error` },
  });
}

const LISTS: Readonly<Record<EventListName, EventList>> = {
  log: {
    row: sql`e.created_at as at, e.name, e.id as "eventId", "json"(e.data) as data, coalesce(m.error, m.reply) as reply, m.attempts as number`,
    from: (
      along,
      { contact },
    ) => sql`events e${along(contact === null ? "events_in_order" : "events_of_contact_in_order")}
      cross join emails m cross join contents c where m.seq = e.email and c.seq = m.content`,
    where: ({ workspace, contact, names, from }) =>
      sql`${
        contact === null ? sql`e.workspace = ${workspace}` : sql`e.contact = ${contact}`
      } and e.name in (${steadyList(names)}) and e.seq >= ${from.log ?? 0}`,
    at: sql`e.created_at`,
    order: [sql`e.seq`],
  },
  accepted: ofMails("accepted", "emails_in_order", {
    where: ({ workspace, from }) => sql`m.workspace = ${workspace} and m.seq >= ${from.accepted ?? 0}`,
    ...{ at: sql`m.created_at`, order: [sql`m.seq`], reply: sql`null` },
  }),
  failed: ofStatus("failed"),
  skipped: ofStatus("skipped"),
  unsubscribed: ofMails("unsubscribed", "emails_left", {
    where: ({ workspace }) => sql`m.workspace = ${workspace} and m.unsubscribed_at is not null`,
    ...{ at: sql`m.unsubscribed_at`, order: [sql`m.unsubscribed_at`, sql`m.seq`], reply: sql`null` },
  }),
  attempts: {
    row: sql`t.at, 'attempt' as name, m.id as "eventId", null as data, t.reply, t.number`,
    from: (along) => sql`email_attempts t${along("email_attempts_by_time")}
      cross join emails m cross join contents c where m.seq = t.email and c.seq = m.content`,
    where: ({ workspace }) => sql`m.workspace = ${workspace} and t.outcome in ('later', 'unanswered', 'delayed')`,
    at: sql`t.at`,
    order: [sql`t.at`, sql`t.email`, sql`t.number`],
  },
};

/** The next rows of a list after `place`, or its first. */
export async function eventRows(
  reader: Reader,
  list: EventListName,
  search: EventSearch,
  { after, limit }: { readonly after: ListPlace | null; readonly limit: number },
): Promise<MailEventRow[]> {
  const { row, from, where, at, order } = LISTS[list];
  const [a, b = sql`0`, c = sql`0`] = order as readonly [Sql, Sql?, Sql?];
  const [isAfter, direction] = search.isAscending ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  const place =
    after &&
    joined(
      after.map((one) => sql`${one}`),
      ", ",
    );
  const onward = place === null ? sql`` : sql` and (${joined(order, ", ")}) ${isAfter} (${place})`;
  const inOrder = joined(
    order.map((key) => sql`${key} ${direction}`),
    ", ",
  );
  const rows = await reader.all<PlacedRow>`
    select ${row}, ${a} as a, ${b} as b, ${c} as c, ${MAIL} from ${from(reader.dialect.along, search)}
      and ${where(search)} and ${at} >= ${search.since} and ${at} <= ${search.until} and ${meant(reader, search)}${onward}
    order by ${inOrder} limit ${written(limit)}`;
  return rows.map(({ a: first, b: second, c: third, ...found }) => ({
    ...found,
    list,
    place: [first, second, third].slice(0, order.length),
  }));
}

/** Mail to erased people and to the team is left out. */
function meant(reader: Reader, { domain, recipients, senders, contents, tags }: EventSearch): Sql {
  const labels = (tags?.names ?? []).map(
    (name) => sql`exists (select 1 from email_labels h where h.email = m.seq and h.name = ${name})`,
  );
  return joined(
    [
      sql`c.domain = ${domain} and c.private = 0 and m.to_address <> '' and m.source_type <> 'INBOUND'`,
      ...(recipients === null ? [] : [reader.dialect.isOneOf(sql`m.to_address`, recipients)]),
      ...(senders === null ? [] : [reader.dialect.isOneOf(sql`c.from_address`, senders)]),
      ...(contents === null ? [] : [reader.dialect.isAmong(sql`m.content`, contents)]),
      ...(labels.length === 0 ? [] : [sql`(${joined(labels, tags?.isAll ? " and " : " or ")})`]),
    ],
    " and ",
  );
}

export type FirstMail = {
  readonly content: number;
  readonly id: string;
  readonly group: string | null;
  readonly fromAddress: string;
  readonly messageId: string | null;
};

/** The first mail of each of these contents: a call's message has its id. */
export function firstMails(reader: Reader, contents: readonly number[]): Promise<FirstMail[]> {
  return reader.all<FirstMail>`
    select m.content, m.id, c.group_id as "group", c.from_address as "fromAddress", c.message_id as "messageId"
    from emails m join contents c on c.seq = m.content
    where m.seq in (select min(f.seq) from emails f where ${reader.dialect.isAmong(sql`f.content`, contents)} group by f.content)`;
}

/** The contents of the messages with these ids, each that of a mail or of a group, or a message's own with brackets. */
export async function contentsOf(
  reader: Reader,
  workspace: number,
  { ids, own }: { readonly ids: readonly string[]; readonly own: readonly string[] },
): Promise<number[]> {
  const rows = await reader.all<{ content: number }>`
    select content from emails where workspace = ${workspace} and id in (${steadyList(ids)})
    union select seq from contents where +workspace = ${workspace} and group_id in (${steadyList(ids)})
    union select seq from contents where workspace = ${workspace} and message_id in (${steadyList(own)})`;
  return rows.map(({ content }) => content);
}

/** The first mail of the workspace, and its last. */
export async function seqsOfMails(reader: Reader, workspace: number): Promise<{ first: number; last: number } | null> {
  const row = await reader.get<{ first: number | null; last: number | null }>`
    select (select min(seq) from emails where workspace = ${workspace}) as first,
      (select max(seq) from emails where workspace = ${workspace}) as last`;
  return row?.first == null || row.last === null ? null : { first: row.first, last: row.last };
}

export function mailAtOrAfter(
  reader: Reader,
  workspace: number,
  seq: number,
): Promise<{ seq: number; id: string } | null> {
  return reader.get`select seq, id from emails where workspace = ${workspace} and seq >= ${seq} order by seq limit 1`;
}
