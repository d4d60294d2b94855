// The SQL of the statistics: sums, combined as a query groups them.
import { joined, literal, sql, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import { COUNTED } from "../../tenant/events/catalog.ts";
import { isGroupKind, type GroupKind, type CountSums } from "./increments.ts";
import { wayOfHop } from "../../ground/ways/hop.ts";
import { COLUMNS, keptFor, MOST_SUMS, sumsOf } from "./kept-queries.ts";

const TOTALS = literal(COUNTED.map((one) => `cast(sum(${one}) as bigint) as ${one}`).join(", "));

/** The grouping of a workspace's counts. */
export type CountQuery = {
  readonly workspace: number;
  /** Quarters of an hour: the first included one, and the first excluded one. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The length of the prefix of `2026-03-01T09:15` that distinguishes periods, … */
  readonly characters: 10 | 13 | 16;
  /** … or, if these are few, the times of day (of UTC) at which periods begin; null = too many. */
  readonly cuts: readonly string[] | null;
  /** The least length of a period. */
  readonly stepMs: number;
  readonly by: "sourceType" | "domain" | "way" | Exclude<GroupKind, "hop"> | null;
};

/** `at`: a moment of the period. `group`: "" = not grouped; null = the smaller groups together. */
export type CountRow = CountSums & { readonly at: string; readonly group: string | null };

export type CountResult = {
  readonly rows: readonly CountRow[];
  readonly isEstimate: boolean;
  /** Earlier increments are left out, since adding them up would take too long; null = none are. */
  readonly cutAt: string | null;
};

/** The other groups are summed up where they are read: an answer has few rows, however many groups there are. */
const MOST_GROUPS = 10;

/** `mostSums`: the limit of sums to add up. */
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

/** A way has a number for each of its mail servers, past ones included. */
async function byWay(reader: Reader, rows: readonly CountRow[]): Promise<readonly CountRow[]> {
  const hops = await reader.all<{ seq: number; name: string }>`select seq, name from hops`;
  const ways = new Map(hops.map(({ seq, name }) => [String(seq), wayOfHop(name)]));
  return rows.map((row) => ({ ...row, group: row.group === null ? null : (ways.get(row.group) ?? row.group) }));
}

/** Whether the ways have ever reported a delivery: most relays only report failures. */
export async function reportsDeliveries(reader: Reader, workspace: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as told from events where workspace = ${workspace} and name = 'email.delivery' limit 1`;
  return row !== null;
}

/** The start of the part of a day that contains a quarter, where days are cut at these times. */
function partOfDay(cuts: readonly string[]): Sql {
  const day = sql`substr(quarter, 1, 10)`;
  if (cuts.length === 0) return day;
  const latestFirst = [...cuts].sort().reverse();
  const whens = latestFirst.map((cut) => sql` when substr(quarter, 12) >= ${cut} then ${`T${cut}`}`);
  return sql`${day} || case${joined(whens, "")} else 'T00:00' end`;
}
