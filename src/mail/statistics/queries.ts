// The SQL of the statistics: sums, put together as somebody asks for them.
import { joined, literal, sql, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import { COUNTED, isGroupKind, type GroupKind, type CountSums } from "./facts.ts";
import { wayOfHop } from "../../ground/ways/hop.ts";
import { COLUMNS, keptFor, MOST_SUMS, sumsOf } from "./kept-queries.ts";

const TOTALS = literal(COUNTED.map((one) => `cast(sum(${one}) as bigint) as ${one}`).join(", "));

/** How the counts of a workspace are put together. */
export type CountQuery = {
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
  readonly by: "sourceType" | "domain" | "way" | Exclude<GroupKind, "hop"> | null;
};

/** `at`: a moment of the period. `group`: "" = not told apart; null = of the smaller groups together. */
export type CountRow = CountSums & { readonly at: string; readonly group: string | null };

export type CountResult = {
  readonly rows: readonly CountRow[];
  readonly isEstimate: boolean;
  /** What happened before then is left out: it would take too long; null = nothing is. */
  readonly cutAt: string | null;
};

/** The others are summed up where they are read: an answer has few rows, however many groups there are. */
const MOST_GROUPS = 10;

/** `mostSums`: so many are added up. */
export async function countsOf(
  reader: Reader,
  { by, cuts, ...needed }: CountQuery,
  mostSums = MOST_SUMS,
): Promise<CountResult> {
  const kind = by === "way" ? "hop" : by !== null && isGroupKind(by) ? by : null;
  const kept = await keptFor(reader, { ...needed, kind }, mostSums);
  const group = kind !== null ? sql`name` : by === null ? sql`''` : by === "domain" ? sql`domain` : sql`source_type`;
  const at = cuts === null ? sql`substr(quarter, 1, ${needed.characters})` : partOfDay(cuts);
  const rows = await reader.all<CountRow>`
    with plain as materialized (select ${at} as at, ${group} as "group", ${COLUMNS} from (${sumsOf(kept, kind)}) as counts),
    largest as (
      select "group" from plain group by 1
      order by case when sum(accepted) > sum(sent) then sum(accepted) else sum(sent) end desc, "group" limit ${MOST_GROUPS}),
    known as (select p.at, l."group", ${COLUMNS} from plain p left join largest l on l."group" = p."group")
    select at, "group", ${TOTALS} from known group by at, "group"`;
  const named = by === "way" ? await byWay(reader, rows) : rows;
  return { rows: named, isEstimate: kept.isEstimate, cutAt: kept.cutAt };
}

/** A way has a number for each mail server that it led to. */
async function byWay(reader: Reader, rows: readonly CountRow[]): Promise<readonly CountRow[]> {
  const hops = await reader.all<{ seq: number; name: string }>`select seq, name from hops`;
  const ways = new Map(hops.map(({ seq, name }) => [String(seq), wayOfHop(name)]));
  return rows.map((row) => ({ ...row, group: row.group === null ? null : (ways.get(row.group) ?? row.group) }));
}

/** Whether whatever sends the mails has ever told that one arrived: most relays only tell what they could not deliver. */
export async function reportsDeliveries(reader: Reader, workspace: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as told from events where workspace = ${workspace} and name = 'email.delivery' limit 1`;
  return row !== null;
}

/** The moment at which the part of a day begins that a quarter is in, where days are cut at these times. */
function partOfDay(cuts: readonly string[]): Sql {
  const day = sql`substr(quarter, 1, 10)`;
  if (cuts.length === 0) return day;
  const latestFirst = [...cuts].sort().reverse();
  const whens = latestFirst.map((cut) => sql` when substr(quarter, 12) >= ${cut} then ${`T${cut}`}`);
  return sql`${day} || case${joined(whens, "")} else 'T00:00' end`;
}
