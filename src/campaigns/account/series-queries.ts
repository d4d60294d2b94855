// The SQL of a campaign's course: when its recipients' mails were sent, opened and so on, by quarters of an hour.
import { quarterOf } from "../../statistics/fact-queries.ts";
import { joined, Sql, sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";

/** What happens to a mail once: the column of its moment, and its key in what is kept of a mail that was pruned. */
const MOMENTS = {
  sent: ["sent_at", "sentAt"],
  delivered: ["delivered_at", "deliveredAt"],
  opened: ["opened_at", "openedAt"],
  clicked: ["clicked_at", "clickedAt"],
  bounced: ["bounced_at", "bouncedAt"],
  unsubscribed: ["unsubscribed_at", "unsubscribedAt"],
} as const;
export type Happening = keyof typeof MOMENTS;
export const HAPPENINGS = Object.keys(MOMENTS) as readonly Happening[];

export type HappeningCount = { readonly what: Happening; readonly quarter: string; readonly people: number };

function text(words: string): Sql {
  return new Sql([words], []);
}

function momentOf(what: Happening): Sql {
  const [column, key] = MOMENTS[what];
  const mark = `"${key}":"`;
  const place = sql`instr(r.past, ${mark})`;
  return sql`coalesce(${text(`e.${column}`)},
    case when e.seq is null and ${place} > 0 then substr(r.past, ${place} + ${mark.length}, 24) end) as ${text(what)}`;
}

const FACTS = joined(
  HAPPENINGS.map(
    (what) => sql`select ${text(`'${what}'`)} as what, ${text(what)} as at from mails where ${text(what)} is not null`,
  ),
  " union all ",
);

/** Of every `nth` recipient. */
export function countHappenings(reader: Reader, campaign: number, nth: number): Promise<HappeningCount[]> {
  const sample = nth === 1 ? sql`` : sql` and r.contact % ${nth} = 0`;
  return reader.all<HappeningCount>`
    with mails as materialized (
      select ${joined(HAPPENINGS.map(momentOf), ", ")}
      from recipients r left join emails e on e.seq = r.email where r.campaign = ${campaign}${sample})
    select what, ${quarterOf(sql`at`)} as quarter, count(*) as people from (${FACTS}) as facts group by 1, 2`;
}
