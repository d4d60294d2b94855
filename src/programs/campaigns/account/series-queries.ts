// The SQL of a campaign's course: when its recipients' mails were sent, opened and so on, by quarters of an hour.
import { joined, literal, type Sql, sql } from "../../../store/sql.ts";
import type { Reader } from "../../../store/store.ts";

/** The moments of a mail that happen once: the column of each, and its key in the past kept of a pruned mail. */
const MOMENTS = {
  sent: ["sent_at", "sentAt"],
  delivered: ["delivered_at", "deliveredAt"],
  opened: ["opened_at", "openedAt"],
  clicked: ["clicked_at", "clickedAt"],
  bounced: ["bounced_at", "bouncedAt"],
  unsubscribed: ["unsubscribed_at", "unsubscribedAt"],
  leftTopic: ["left_topic_at", "leftTopicAt"],
} as const;
export type SeriesEvent = keyof typeof MOMENTS;
export const HAPPENINGS = Object.keys(MOMENTS) as readonly SeriesEvent[];

export type HappeningCount = { readonly what: SeriesEvent; readonly quarter: string; readonly people: number };

/** `2026-03-01T09:15` of a moment. */
function quarterOf(moment: Sql): Sql {
  return sql`(substr(${moment}, 1, 14) || case when substr(${moment}, 15, 2) < '15' then '00'
    when substr(${moment}, 15, 2) < '30' then '15' when substr(${moment}, 15, 2) < '45' then '30' else '45' end)`;
}

function ofMail(what: SeriesEvent): Sql {
  return literal(`e.${MOMENTS[what][0]} as ${what}`);
}

function ofPast(what: SeriesEvent): Sql {
  const mark = `"${MOMENTS[what][1]}":"`;
  const place = sql`instr(r.past, ${mark})`;
  return sql`case when ${place} > 0 then substr(r.past, ${place} + ${mark.length}, 24) end`;
}

const FACTS = joined(
  HAPPENINGS.map(
    (what) =>
      sql`select ${literal(`'${what}'`)} as what, ${literal(what)} as at from mails where ${literal(what)} is not null`,
  ),
  " union all ",
);

/** The first number of a contact in each window, and how many numbers it has. */
export type Windows = { readonly starts: readonly number[]; readonly width: number };

type SeriesScope = { readonly campaign: number; /** Null = at all recipients. */ readonly windows: Windows | null };

function recipientsIn({ campaign, windows }: SeriesScope): Sql {
  if (windows === null) return sql`recipients r where r.campaign = ${campaign}`;
  const starts = windows.starts.map((start) => sql`(cast(${start} as bigint))`);
  return sql`(values ${joined(starts, ", ")}) as place cross join recipients r
    where r.campaign = ${campaign} and r.contact >= place.column1 and r.contact < place.column1 + ${windows.width}`;
}

/** The mail of each recipient; null = none. */
export async function mailsLookedAt(reader: Reader, looked: SeriesScope): Promise<(number | null)[]> {
  const rows = await reader.all<{ email: number | null }>`select r.email from ${recipientsIn(looked)}`;
  return rows.map(({ email }) => email);
}

/**
 * Counts the moments of these mails, and of recipients whose mails were pruned. The mails are given by number: for a
 * join, PostgreSQL would read all mails.
 */
export function countHappenings(
  reader: Reader,
  looked: SeriesScope,
  mails: readonly number[],
): Promise<HappeningCount[]> {
  const those = mails.length === 0 ? sql`1 = 0` : reader.dialect.isAmong(sql`e.seq`, mails);
  return reader.all<HappeningCount>`
    with mails as materialized (
      select ${joined(HAPPENINGS.map(ofMail), ", ")} from emails e where ${those}
      union all
      select ${joined(HAPPENINGS.map(ofPast), ", ")} from ${recipientsIn(looked)} and r.past is not null)
    select what, ${quarterOf(sql`at`)} as quarter, count(*) as people from (${FACTS}) as facts group by 1, 2`;
}

type RecipientRange = { readonly first: number; readonly last: number };

/** The numbers of the first and the last recipient; null = there are none. */
export async function endsOf(reader: Reader, campaign: number): Promise<RecipientRange | null> {
  const row = await reader.get<{ first: number | null; last: number | null }>`
    select (select min(contact) from recipients where campaign = ${campaign}) as first,
      (select max(contact) from recipients where campaign = ${campaign}) as last`;
  const { first = null, last = null } = row ?? {};
  return first === null || last === null ? null : { first, last };
}
