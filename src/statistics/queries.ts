// The SQL of the statistics: single facts, their sums, and how much of each log is in the sums.
import { joined, sql, type Sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import { COLUMNS, factsIn, marked, SUMS, text, TOTALS, type LogName, type Sums } from "./fact-queries.ts";
import { grouped, isGroupKind, type GroupKind } from "./group-queries.ts";
import { keptFor, MOST_SUMS, sumsOf } from "./kept-queries.ts";
import { quarterAt } from "./periods.ts";
import { addFacts } from "./sum-queries.ts";

/** Rows of a log after `low`, up to `high`. */
type Piece = { readonly low: number; readonly high: number };

export async function addPiece(tx: Tx, log: LogName, { low, high }: Piece): Promise<void> {
  await addFacts(tx, factsIn(log, sql`l.seq > ${low} and l.seq <= ${high}`));
}

/** The last row of the log that is counted; null if another process is counting this log. */
export async function lockMark(tx: Tx, log: LogName): Promise<number | null> {
  const mark = await tx.get<{ high: number }>`
    select high from count_marks where log = ${log}${tx.dialect.skipLocked}`;
  return mark?.high ?? null;
}

export function setMark(tx: Tx, log: LogName, high: number): Promise<number> {
  return tx.run`update count_marks set high = ${high} where log = ${log}`;
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

/** Where the logs end. */
type Ends = { readonly emails: number; readonly events: number };

export async function endsOfLogs(reader: Reader): Promise<Ends> {
  const row = await reader.get<Ends>`
    select (select coalesce(max(seq), 0) from emails) as emails, (select coalesce(max(seq), 0) from events) as events`;
  return row as Ends;
}

/** Whether rows of a log up to `upTo` are not in the sums. */
export async function isBehind(reader: Reader, log: LogName, upTo: number): Promise<boolean> {
  const row = await reader.get`select 1 as behind from count_marks where log = ${log} and high < ${upTo}`;
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
  await addFacts(tx, facts);
  await tx.run`delete from uncounted where ${tx.dialect.isAmong(sql`seq`, seqs)}`;
}

/** How the counts of a workspace are put together. */
export type Cut = {
  readonly workspace: number;
  /** Quarters of an hour: the first that belongs to it, and the first that does not. */
  readonly fromMs: number;
  readonly toMs: number;
  /** How much of `2026-03-01T09:15` tells periods apart, … */
  readonly characters: 10 | 13 | 16;
  /** … or, where these are few, the times of day (of UTC) at which periods begin; null = they are many. */
  readonly cuts: readonly string[] | null;
  /** The least length of a period. */
  readonly stepMs: number;
  readonly by: "sourceType" | "domain" | GroupKind | null;
};

/** `at`: a moment of the period. `group`: "" = not told apart; null = of the smaller groups together. */
export type CountRow = Sums & { readonly at: string; readonly group: string | null };

export type Counted = {
  readonly rows: readonly CountRow[];
  readonly isEstimate: boolean;
  /** What happened before then is left out: it would take too long; null = nothing is. */
  readonly cutAt: string | null;
};

/** Rows of each log that are counted with an answer. */
const MOST_FRESH = 5_000;
/** The others are summed up where they are read: an answer has few rows, however many groups there are. */
const MOST_GROUPS = 10;

/** `mostSums`, `mostFresh`: so many are added up. */
export type Bounds = { readonly mostSums: number; readonly mostFresh: number };

/** The sums, and what is not in them yet, as of one moment. */
export async function countsOf(
  reader: Reader,
  { by, cuts, ...needed }: Cut,
  { mostSums, mostFresh }: Bounds = { mostSums: MOST_SUMS, mostFresh: MOST_FRESH },
): Promise<Counted> {
  const { workspace, fromMs, toMs, characters } = needed;
  const kind = by !== null && isGroupKind(by) ? by : null;
  const kept = await keptFor(reader, { ...needed, kind }, mostSums);
  const group = kind !== null ? sql`name` : by === null ? sql`''` : by === "domain" ? sql`domain` : sql`source_type`;
  const keys = kind !== null ? sql`quarter, name` : sql`quarter, source_type, domain`;
  const fresh = await freshOf(reader, workspace, mostFresh);
  const live = fresh.facts.map(
    (facts) => sql` union all
    select ${keys}, ${SUMS} from (${kind === null ? facts : grouped(facts, kind)}) as facts
    where what is not null and ${kind === null ? sql`source_type is not null and domain is not null` : sql`name is not null`}
      and quarter >= ${quarterAt(fromMs)} and quarter < ${quarterAt(toMs)}
    group by ${keys}`,
  );
  const at = cuts === null ? sql`substr(quarter, 1, ${characters})` : partOfDay(cuts);
  const rows = await reader.all<CountRow>`
    with plain as materialized (
      select ${at} as at, ${group} as "group", ${COLUMNS} from (${sumsOf(kept, kind)}${joined(live, "")}) as counts),
    largest as (
      select "group" from plain group by 1
      order by case when sum(accepted) > sum(sent) then sum(accepted) else sum(sent) end desc, "group" limit ${MOST_GROUPS}),
    known as (select p.at, l."group", ${COLUMNS} from plain p left join largest l on l."group" = p."group")
    select at, "group", ${TOTALS} from known group by at, "group"`;
  return { rows, isEstimate: kept.isEstimate || fresh.isCut, cutAt: kept.cutAt };
}

/** The moment at which the part of a day begins that a quarter is in, where days are cut at these times. */
function partOfDay(cuts: readonly string[]): Sql {
  const day = sql`substr(quarter, 1, 10)`;
  if (cuts.length === 0) return day;
  const latestFirst = [...cuts].sort().reverse();
  const whens = latestFirst.map((cut) => sql` when substr(quarter, 12) >= ${cut} then ${`T${cut}`}`);
  return sql`${day} || case${joined(whens, "")} else 'T00:00' end`;
}

/**
 * Facts that are in no sum yet. Beside the marks of that moment stand those of just before: how few rows follow,
 * PostgreSQL sees in numbers alone.
 */
async function freshOf(reader: Reader, workspace: number, most: number) {
  const seen = await highs(reader);
  const newOf = async (log: LogName) => {
    const end = await freshEnd(reader, sql`${rowsOf(log)} where workspace = ${workspace} and seq > ${seen[log]}`, most);
    const upTo = end === null ? sql`` : sql` and l.seq <= ${end}`;
    const after = sql`l.seq > ${seen[log]} and l.seq > (select high from count_marks where log = ${log})`;
    return { end, facts: factsIn(log, sql`l.workspace = ${workspace} and ${after}${upTo}`) };
  };
  const logs = [await newOf("emails"), await newOf("events")];
  const end = await freshEnd(reader, sql`uncounted where workspace = ${workspace}`, most);
  const noted = marked(
    end === null ? sql`l.workspace = ${workspace}` : sql`l.workspace = ${workspace} and l.seq <= ${end}`,
  );
  return {
    facts: [...logs.map(({ facts }) => facts), noted],
    isCut: end !== null || logs.some((log) => log.end !== null),
  };
}

async function highs(reader: Reader): Promise<Readonly<Record<LogName, number>>> {
  const rows = await reader.all<{ log: LogName; high: number }>`
    select log, high from count_marks`;
  return { emails: 0, events: 0, ...Object.fromEntries(rows.map(({ log, high }) => [log, high])) };
}

/** The last of the first `most` rows; null = there are no more. */
async function freshEnd(reader: Reader, rows: Sql, most: number): Promise<number | null> {
  const found = await reader.all<{ seq: number }>`select seq from ${rows} order by seq limit 2 offset ${most - 1}`;
  return found.length < 2 ? null : (found[0]?.seq ?? null);
}
