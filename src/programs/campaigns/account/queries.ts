// The SQL of the account of a campaign: its recipients by their state, a bounded stretch at a time.
import { joined, sqlList, sql, steadyList, type Sql } from "../../../store/sql.ts";
import type { Dialect, Reader } from "../../../store/store.ts";
import type { Campaign } from "../queries.ts";
import type { RecipientState } from "../recipients/recipient-record.ts";
import { inPast, isIn } from "../recipients/recipient-states.ts";
import { writtenLink } from "./written-links.ts";

/** An action of a recipient. */
export const ACTIONS = ["opened", "clicked", "unsubscribed", "left-topic"] as const;
export type Action = (typeof ACTIONS)[number];

export type RecipientFilter = {
  readonly states: readonly RecipientState[] | null;
  readonly action: Action | null;
  /** Refused immediately, because of the recipient. */
  readonly refused: boolean | null;
  /** Followed by the recipient. */
  readonly link: string | null;
};

const DID: Readonly<Record<Action, Sql>> = {
  opened: sql`(e.opened_at is not null or (e.seq is null and ${inPast('"openedAt"')}))`,
  clicked: sql`(e.clicked_at is not null or (e.seq is null and ${inPast('"clickedAt"')}))`,
  unsubscribed: sql`(e.unsubscribed_at is not null or (e.seq is null and ${inPast('"unsubscribedAt"')}))`,
  "left-topic": sql`(e.left_topic_at is not null or (e.seq is null and ${inPast('"leftTopicAt"')}))`,
};

const REFUSED = sql`(case when e.seq is not null then e.status = 'BOUNCED' and e.sent_at is null
  else ${inPast('"status":"BOUNCED"')} and not ${inPast('"sentAt"')} end)`;

/** The conditions of a filter over recipients `r` and their mails `e`. */
export function checksOf(
  dialect: Dialect,
  { states, action, refused, link }: RecipientFilter,
  campaign: Campaign,
): Sql[] {
  const inStates = states?.map((state) => sql`(${isIn(state, campaign)})`) ?? [];
  return [
    ...(inStates.length > 0 ? [sql`(${joined(inStates, " or ")})`] : []),
    ...(action === null ? [] : [DID[action]]),
    ...(refused === null ? [] : [refused ? REFUSED : sql`not ${REFUSED}`]),
    ...(link === null ? [] : [followed(link, writtenLink(dialect, sql`link`, campaign.body))]),
  ];
}

/** More of a mail are not counted (emails/feedback/visits.ts). The limit also has each link read from its JSON once. */
const MOST_CLICKS = 1_000;

/** As it was written, or as it was in the mail. */
function followed(link: string, written: Sql): Sql {
  return sql`e.clicks > 0 and exists (
    select 1 from (
      select v.data ->> 'link' as link from events v where v.email = e.seq and v.name = 'email.click' limit ${MOST_CLICKS}) as visits
    where link = ${link} or ${written} = ${link})`;
}

/** Where the mail went, or would go. */
export function isTo(reader: Reader, address: string): Sql {
  return sql`c.seq is not null and ${reader.dialect.startsWith(sql`coalesce(e.to_address, c.email)`, address)}`;
}

type RecipientWindow = { readonly checks: readonly Sql[]; readonly after: number; readonly most: number };

/** The last of the next `rows` recipients; null = there are fewer. */
export async function endOfStretch(
  reader: Reader,
  campaign: number,
  after: number,
  rows: number,
): Promise<number | null> {
  const row = await reader.get<{ contact: number }>`
    select contact from recipients where campaign = ${campaign} and contact > ${after} order by contact limit 1 offset ${rows - 1}`;
  return row?.contact ?? null;
}

/** The contacts of the first matching recipients after one, up to `end`. */
export async function passing(
  reader: Reader,
  campaign: number,
  { checks, after, most }: RecipientWindow,
  end: number | null,
): Promise<number[]> {
  const bounded = end === null ? sql`` : sql` and r.contact <= ${end}`;
  const rows = await reader.all<{ contact: number }>`
    select r.contact from recipients r left join emails e on e.seq = r.email left join contacts c on c.seq = r.contact
    where r.campaign = ${campaign} and r.contact > ${after}${bounded}${andAll(checks)} order by r.contact limit ${most}`;
  return rows.map(({ contact }) => contact);
}

/** As `passing`, of these contacts, at least one. */
export async function passingAmong(
  reader: Reader,
  campaign: number,
  { checks, after, most }: RecipientWindow,
  contacts: readonly number[],
): Promise<number[]> {
  const rows = await reader.all<{ contact: number }>`
    select r.contact from recipients r left join emails e on e.seq = r.email left join contacts c on c.seq = r.contact
    where r.campaign = ${campaign} and r.contact in (${steadyList(contacts)}) and r.contact > ${after}${andAll(checks)}
    order by r.contact limit ${most}`;
  return rows.map(({ contact }) => contact);
}

function andAll(checks: readonly Sql[]): Sql {
  return joined(
    checks.map((check) => sql` and ${check}`),
    "",
  );
}

/** The contacts of settled mails in these states, in no order; null = erased. At most `most`. */
export async function contactsInStates(
  reader: Reader,
  campaign: number,
  states: readonly string[],
  most: number,
): Promise<(number | null)[]> {
  const rows = await reader.all<{ contact: number | null }>`
    select contact from emails where campaign = ${campaign} and due_at is null and status in (${sqlList(states)}) limit ${most}`;
  return rows.map(({ contact }) => contact);
}

export async function hasPruned(reader: Reader, campaign: number): Promise<boolean> {
  return (await reader.get`select 1 as found from pruned_mails where campaign = ${campaign} limit 1`) !== null;
}
