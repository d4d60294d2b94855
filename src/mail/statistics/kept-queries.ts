// The SQL of reading sums: by the finest span that a query needs, or by a longer one if those would be too many to add
// up in time.
import { iso } from "../../base/clock.ts";
import { literal, sql, type Sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import { COUNTED } from "../../tenant/events/catalog.ts";
import { type GroupKind } from "./increments.ts";
import { SPANS, type SumSpan } from "./spans.ts";

export const COLUMNS = literal(COUNTED.join(", "));

/** Added up in less than 300 ms, on a busy machine too. */
export const MOST_SUMS = 25_000;

export type SumQuery = {
  readonly workspace: number;
  /** Null = all mails, by their origin. */
  readonly kind: GroupKind | null;
  readonly fromMs: number;
  readonly toMs: number;
  readonly characters: SumSpan["characters"];
  /** Longer spans do not distinguish its periods. */
  readonly stepMs: number;
};

export type SumTable = {
  readonly span: SumSpan;
  readonly table: Sql;
  readonly where: Sql;
  /** Its periods are not those of the query. */
  readonly isEstimate: boolean;
  /** Earlier increments are left out; null = none are. */
  readonly cutAt: string | null;
};

/** `most`: the limit of sums to add up. */
export async function keptFor(reader: Reader, needed: SumQuery, most: number): Promise<SumTable> {
  const [finest, ...longer] = SPANS.filter((span) => span.characters <= needed.characters && span.ms <= needed.stepMs);
  let kept = keptBy(needed, finest ?? SPANS[0], false);
  for (const span of longer) {
    if (!(await hasMore(reader, kept, most))) return kept;
    kept = keptBy(needed, span, true);
  }
  const cut = await quarterOf(reader, kept, most);
  if (cut === null) return kept;
  const cutAt = iso(Date.parse(`${cut}:00Z`) + kept.span.ms);
  return { ...kept, where: sql`${kept.where} and quarter > ${cut}`, cutAt };
}

/** A sum of a longer span counts in the period of its middle. */
function keptBy({ workspace, kind, fromMs, toMs }: SumQuery, span: SumSpan, isEstimate: boolean): SumTable {
  const aheadMs = isEstimate ? span.ms / 2 : 0;
  const quarterAt = (ms: number) => iso(ms - aheadMs).slice(0, 16);
  const within = sql`quarter >= ${quarterAt(fromMs)} and quarter < ${quarterAt(toMs)}`;
  const isPlain = kind === null && span.suffix === "";
  const table = isPlain ? sql`mail_counts` : sql`mail_group_counts`;
  const ofKind = isPlain ? sql`` : sql` and kind = ${`${kind ?? "mails"}${span.suffix}`}`;
  return { span, table, where: sql`workspace = ${workspace}${ofKind} and ${within}`, isEstimate, cutAt: null };
}

async function hasMore(reader: Reader, kept: SumTable, than: number): Promise<boolean> {
  return (await quarterOf(reader, kept, than)) !== null;
}

/** The quarter of the newest sum beyond the limit; null = there are no more than `most`. */
async function quarterOf(reader: Reader, { table, where }: SumTable, most: number): Promise<string | null> {
  const row = await reader.get<{ quarter: string }>`
    select quarter from ${table} where ${where} order by quarter desc limit 1 offset ${most}`;
  return row?.quarter ?? null;
}

/** `quarter`, COLUMNS, and `name`, or `source_type` and `domain` of all mails. */
export function sumsOf({ span, table, where, isEstimate }: SumTable, kind: GroupKind | null): Sql {
  const { characters, middle, suffix } = span;
  const at = isEstimate ? literal(`substr(quarter, 1, ${characters}) || '${middle}' as quarter`) : sql`quarter`;
  const place = "instr(name, ' ')";
  const source = literal(`substr(name, 1, ${place} - 1) as source_type, substr(name, ${place} + 1) as domain`);
  const named = kind !== null ? sql`name` : suffix === "" ? sql`source_type, domain` : source;
  return sql`select ${at}, ${named}, ${COLUMNS} from ${table} where ${where}`;
}
