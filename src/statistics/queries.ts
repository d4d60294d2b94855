// The SQL of the statistics: single facts, their sums, and how much of each log is in the sums.
import { Sql, sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";

/** What is counted, as the columns of mail_counts are called. */
export const COUNTED = [
  "accepted",
  "sent",
  "delivered",
  "failed",
  "hard_bounced",
  "soft_bounced",
  "complained",
  "opened",
  "clicked",
  "unsubscribed",
  "cancelled",
] as const;

type Sums = Readonly<Record<(typeof COUNTED)[number], number>>;

/** `emails`: what was accepted; `events`: what became of it. */
export type LogName = "emails" | "events";

function text(words: string): Sql {
  return new Sql([words], []);
}

const COLUMNS = text(COUNTED.join(", "));
const SUMS = text(COUNTED.map((one) => `sum(case when what = '${one}' then 1 else 0 end) as ${one}`).join(", "));
const ADDED = text(COUNTED.map((one) => `${one} = mail_counts.${one} + excluded.${one}`).join(", "));
const TOTALS = text(COUNTED.map((one) => `cast(sum(${one}) as bigint) as ${one}`).join(", "));

/** `2026-03-01T09:15` of a moment. */
export function quarterOf(moment: Sql): Sql {
  return sql`(substr(${moment}, 1, 14) || case when substr(${moment}, 15, 2) < '15' then '00'
    when substr(${moment}, 15, 2) < '30' then '15' when substr(${moment}, 15, 2) < '45' then '30' else '45' end)`;
}

/** What follows the last @. */
function domainOf(address: Sql): Sql {
  return sql`substr(${address}, length(rtrim(${address}, replace(${address}, '@', ''))) + 1)`;
}

/** The facts of a piece of a log: workspace, quarter, source_type, domain, what. */
function factsIn(log: LogName, piece: Sql): Sql {
  return log === "emails" ? acceptances(piece) : outcomes(piece);
}

function acceptances(piece: Sql): Sql {
  return sql`
    select l.workspace, ${quarterOf(sql`l.created_at`)} as quarter, l.source_type, ${domainOf(sql`c.from_address`)} as domain,
      'accepted' as what
    from emails l join contents c on c.seq = l.content where ${piece} and l.source_type <> 'INBOUND'`;
}

/** An event about a mail names its sender and its source. Further opens and clicks of a mail are no facts. */
function outcomes(piece: Sql): Sql {
  return sql`
    select l.workspace, ${quarterOf(sql`l.created_at`)} as quarter, l.data ->> 'sourceType' as source_type,
      ${domainOf(sql`(l.data ->> 'from')`)} as domain, case
        when l.name = 'email.sent' then 'sent'
        when l.name = 'email.delivery' then 'delivered'
        when l.name = 'email.complaint' then 'complained'
        when l.name = 'email.bounce' then case when l.data ->> 'bounceType' = 'Permanent' then 'hard_bounced' else 'soft_bounced' end
        when l.name = 'email.open' and l.data -> 'isFirstOpen' = 'true' then 'opened'
        when l.name = 'email.click' and l.data -> 'isFirstClick' = 'true' then 'clicked' end as what
    from events l
    where ${piece} and l.name in ('email.sent', 'email.delivery', 'email.bounce', 'email.complaint', 'email.open', 'email.click')`;
}

function marked(piece: Sql): Sql {
  return sql`
    select l.workspace, ${quarterOf(sql`l.at`)} as quarter, l.source_type, l.domain, l.what from uncounted l where ${piece}`;
}

function add(tx: Tx, facts: Sql): Promise<number> {
  return tx.run`
    insert into mail_counts (workspace, quarter, source_type, domain, ${COLUMNS})
    select workspace, quarter, source_type, domain, ${SUMS} from (${facts}) as facts
    where what is not null and source_type is not null and domain is not null
    group by workspace, quarter, source_type, domain order by workspace, quarter, source_type, domain
    on conflict (workspace, quarter, source_type, domain) do update set ${ADDED}`;
}

/** Rows of a log after `low`, up to `high`. */
type Piece = { readonly low: number; readonly high: number };

export function addPiece(tx: Tx, log: LogName, { low, high }: Piece): Promise<number> {
  return add(tx, factsIn(log, sql`l.seq > ${low} and l.seq <= ${high}`));
}

export type Mark = { readonly low: number; readonly high: number };

/** Null if another process is counting this log. */
export function lockMark(tx: Tx, log: LogName): Promise<Mark | null> {
  return tx.get<Mark>`select low, high from count_marks where log = ${log}${tx.dialect.skipLocked}`;
}

export function setMark(tx: Tx, log: LogName, { low, high }: Mark): Promise<number> {
  return tx.run`update count_marks set low = ${low}, high = ${high} where log = ${log}`;
}

function rowsOf(log: LogName): Sql {
  return text(log);
}

/** The last of the next `most` rows after `after`, none beyond `upTo`; null = there is none. */
export async function endOfPiece(
  reader: Reader,
  log: LogName,
  { low: after, high: upTo }: Piece,
  most: number,
): Promise<number | null> {
  const row = await reader.get<{ last: number | null }>`
    select max(seq) as last from (
      select seq from ${rowsOf(log)} where seq > ${after} and seq <= ${upTo} order by seq limit ${most}) as latest`;
  return row?.last ?? null;
}

/** The first of the last `most` rows up to `upTo`; null = there are no more than that. */
export async function startOfPiece(reader: Reader, log: LogName, upTo: number, most: number): Promise<number | null> {
  const row = await reader.get<{ seq: number }>`
    select seq from ${rowsOf(log)} where seq <= ${upTo} order by seq desc limit 1 offset ${most - 1}`;
  return row?.seq ?? null;
}

/** The ends of the logs, and what transactions are under way (Dialect). */
export type Look = {
  readonly emails: number;
  readonly events: number;
  readonly next: number;
  readonly oldest: number;
};

export async function look(reader: Reader): Promise<Look> {
  const { nextTransaction, oldestTransaction } = reader.dialect;
  const row = await reader.get<Look>`
    select (select coalesce(max(seq), 0) from emails) as emails, (select coalesce(max(seq), 0) from events) as events,
      ${nextTransaction} as next, ${oldestTransaction} as oldest`;
  return row as Look;
}

/** Whether rows of a log up to `upTo`, or old ones, are not in the sums. */
export async function isBehind(reader: Reader, log: LogName, upTo: number): Promise<boolean> {
  const row = await reader.get`select 1 as behind from count_marks where log = ${log} and (high < ${upTo} or low > 0)`;
  return row !== null;
}

export async function hasUncounted(reader: Reader): Promise<boolean> {
  return (await reader.get`select 1 as waits from uncounted limit 1`) !== null;
}

/** Some single facts that wait, for nobody else. */
export async function takeUncounted(tx: Tx, most: number): Promise<number[]> {
  const rows = await tx.all<{ seq: number }>`
    select seq from uncounted where seq > 0 order by seq limit ${most}${tx.dialect.skipLocked}`;
  return rows.map(({ seq }) => seq);
}

/** Those of workspaces that were deleted are forgotten. */
export async function addUncounted(tx: Tx, seqs: readonly number[]): Promise<void> {
  const those = tx.dialect.isAmong(sql`l.seq`, seqs);
  await add(tx, marked(sql`${those} and exists (select 1 from workspaces w where w.seq = l.workspace)`));
  await tx.run`delete from uncounted where ${tx.dialect.isAmong(sql`seq`, seqs)}`;
}

/** How the counts of a workspace are put together. */
export type Cut = {
  readonly workspace: number;
  /** Quarters: the first that belongs to it, and the first that does not. */
  readonly from: string;
  readonly to: string;
  /** How much of `2026-03-01T09:15` tells periods apart. */
  readonly characters: 10 | 13 | 16;
  readonly by: "sourceType" | "domain" | null;
};

export type CountRow = Sums & { readonly at: string; /** "" = not told apart. */ readonly group: string };

/** The sums, and what is not in them yet, as of one moment. */
export function countsOf(reader: Reader, { workspace, from, to, characters, by }: Cut): Promise<CountRow[]> {
  const behind = (log: LogName) =>
    sql`l.workspace = ${workspace} and l.seq > (select high from count_marks where log = ${log})`;
  const live = (facts: Sql) => sql`
    select quarter, source_type, domain, ${SUMS} from (${facts}) as facts
    where what is not null and source_type is not null and domain is not null and quarter >= ${from} and quarter < ${to}
    group by quarter, source_type, domain`;
  const group = by === null ? sql`''` : by === "domain" ? sql`domain` : sql`source_type`;
  return reader.all<CountRow>`
    select substr(quarter, 1, ${characters}) as at, ${group} as "group", ${TOTALS} from (
      select quarter, source_type, domain, ${COLUMNS} from mail_counts
      where workspace = ${workspace} and quarter >= ${from} and quarter < ${to}
      union all ${live(factsIn("emails", behind("emails")))}
      union all ${live(factsIn("events", behind("events")))}
      union all ${live(marked(sql`l.workspace = ${workspace}`))}) as counts
    group by 1, 2`;
}

/** When the newest old row that is not counted yet was written; null = there is none. */
export async function countedFrom(reader: Reader, log: LogName): Promise<string | null> {
  const row = await reader.get<{ at: string }>`
    select created_at as at from ${rowsOf(log)} where seq <= (select low from count_marks where log = ${log})
    order by seq desc limit 1`;
  return row?.at ?? null;
}
