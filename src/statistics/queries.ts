// The SQL of the statistics: single facts, their sums, and how much of each log is in the sums.
import { joined, sql, type Sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import { addedTo, COLUMNS, factsIn, marked, SUMS, text, TOTALS, type LogName, type Sums } from "./fact-queries.ts";
import { addGroups, grouped, isGroupKind, keptAs, type GroupKind } from "./group-queries.ts";

function add(tx: Tx, facts: Sql): Promise<number> {
  return tx.run`
    insert into mail_counts (workspace, quarter, source_type, domain, ${COLUMNS})
    select workspace, quarter, source_type, domain, ${SUMS} from (${facts}) as facts
    where what is not null and source_type is not null and domain is not null
    group by workspace, quarter, source_type, domain order by workspace, quarter, source_type, domain
    on conflict (workspace, quarter, source_type, domain) do update set ${addedTo("mail_counts")}`;
}

/** Rows of a log after `low`, up to `high`. */
type Piece = { readonly low: number; readonly high: number };

export async function addPiece(tx: Tx, log: LogName, { low, high }: Piece, into: readonly Tally[]): Promise<void> {
  const facts = factsIn(log, sql`l.seq > ${low} and l.seq <= ${high}`);
  for (const tally of into) await (tally === "mails" ? add(tx, facts) : addGroups(tx, facts));
}

/** Sums of mails; sums by what they are grouped by beside that. */
export type Tally = "mails" | "groups";

/** How far a tally of a log has come. What is new is counted for both at once, by the mark of the mails. */
export type MarkName = LogName | `${LogName} by group`;

export type Mark = { readonly low: number; readonly high: number };

/** Null if another process is counting this log. */
export function lockMark(tx: Tx, log: MarkName): Promise<Mark | null> {
  return tx.get<Mark>`select low, high from count_marks where log = ${log}${tx.dialect.skipLocked}`;
}

export function setMark(tx: Tx, log: MarkName, { low, high }: Mark): Promise<number> {
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
export async function isBehind(reader: Reader, log: MarkName, upTo: number): Promise<boolean> {
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
  const facts = marked(sql`${those} and exists (select 1 from workspaces w where w.seq = l.workspace)`);
  await add(tx, facts);
  await addGroups(tx, facts);
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
  readonly by: "sourceType" | "domain" | GroupKind | null;
};

export type CountRow = Sums & { readonly at: string; /** "" = not told apart. */ readonly group: string };

/** The sums, and what is not in them yet, as of one moment. */
export function countsOf(reader: Reader, { workspace, from, to, characters, by }: Cut): Promise<CountRow[]> {
  const within = sql`workspace = ${workspace} and quarter >= ${from} and quarter < ${to}`;
  const behind = (log: LogName) =>
    sql`l.workspace = ${workspace} and l.seq > (select high from count_marks where log = ${log})`;
  const fresh = [
    factsIn("emails", behind("emails")),
    factsIn("events", behind("events")),
    marked(sql`l.workspace = ${workspace}`),
  ];
  const isKind = by !== null && isGroupKind(by);
  const group =
    by === null ? sql`''` : by === "domain" ? sql`domain` : by === "sourceType" ? sql`source_type` : sql`name`;
  const counts = isKind
    ? sql`select quarter, name, ${COLUMNS} from mail_group_counts where kind = ${keptAs(by, characters)} and ${within}`
    : sql`select quarter, source_type, domain, ${COLUMNS} from mail_counts where ${within}`;
  const keys = isKind ? sql`quarter, name` : sql`quarter, source_type, domain`;
  const live = fresh.map(
    (facts) => sql` union all
    select ${keys}, ${SUMS} from (${isKind ? grouped(facts, by) : facts}) as facts
    where what is not null and ${isKind ? sql`name is not null` : sql`source_type is not null and domain is not null`}
      and quarter >= ${from} and quarter < ${to}
    group by ${keys}`,
  );
  return reader.all<CountRow>`
    select substr(quarter, 1, ${characters}) as at, ${group} as "group", ${TOTALS} from (${counts}${joined(live, "")}) as counts
    group by 1, 2`;
}

/** When the newest old row that is not counted yet was written; null = there is none. */
export async function countedFrom(reader: Reader, log: LogName, tally: Tally): Promise<string | null> {
  const mark: MarkName = tally === "mails" ? log : `${log} by group`;
  const row = await reader.get<{ at: string }>`
    select created_at as at from ${rowsOf(log)} where seq <= (select low from count_marks where log = ${mark})
    order by seq desc limit 1`;
  return row?.at ?? null;
}
