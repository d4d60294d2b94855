// The SQL of adding increments to the sums, each to several.
import { insertion, type SqlColumnType } from "../../store/row-statement.ts";
import type { Value } from "../../store/sql.ts";
import type { Tx } from "../../store/store.ts";
import { COUNTED } from "../../tenant/events/catalog.ts";
import { GROUP_KINDS, type Increment, type GroupKind } from "./increments.ts";
import { SPANS, type SumSpan } from "./spans.ts";

const COUNTS = Object.fromEntries(COUNTED.map((one) => [one, "bigint"])) as Record<string, SqlColumnType>;
const BY_QUARTER = insertion(
  "mail_counts",
  { workspace: "bigint", quarter: "text", source_type: "text", domain: "text", ...COUNTS },
  `on conflict (workspace, quarter, source_type, domain) do update set ${addedTo("mail_counts")}`,
);
const BY_KIND = insertion(
  "mail_group_counts",
  { workspace: "bigint", kind: "text", quarter: "text", name: "text", ...COUNTS },
  `on conflict (workspace, kind, quarter, name) do update set ${addedTo("mail_group_counts")}`,
);
const [, ...LONG_SPANS] = SPANS;

/** The additions to the existing sums of a table. */
function addedTo(table: "mail_counts" | "mail_group_counts"): string {
  return COUNTED.map((one) => `${one} = ${table}.${one} + excluded.${one}`).join(", ");
}

export async function addIncrements(tx: Tx, increments: readonly Increment[]): Promise<void> {
  await tx.runEach(BY_QUARTER, summed(increments, quarterOf));
  await tx.runEach(
    BY_KIND,
    summed(increments, (increment) => [...longSpansOf(increment), ...groupsOf(increment)]),
  );
}

/** The key columns of a sum. */
type SumKey = readonly (string | number)[];

/** The additions to each sum, in a fixed order, to avoid deadlocks. */
function summed(increments: readonly Increment[], keysOf: (increment: Increment) => readonly SumKey[]): Value[][] {
  const sums = new Map<string, number[]>();
  for (const increment of increments)
    for (const key of keysOf(increment).map((columns) => JSON.stringify(columns))) {
      const counts = sums.get(key) ?? COUNTED.map(() => 0);
      const at = COUNTED.indexOf(increment.what);
      counts[at] = (counts[at] as number) + increment.times;
      sums.set(key, counts);
    }
  return [...sums.keys()].sort().map((key) => [...(JSON.parse(key) as SumKey), ...(sums.get(key) as number[])]);
}

function quarterOf({ workspace, quarter, sourceType, domain }: Increment): SumKey[] {
  return [[workspace, quarter, sourceType, domain]];
}

/** The sums by quarters are in mail_counts. */
function longSpansOf({ workspace, quarter, sourceType, domain }: Increment): SumKey[] {
  const name = `${sourceType} ${domain}`;
  return LONG_SPANS.map((span) => [workspace, `mails${span.suffix}`, startOf(span, quarter), name]);
}

function groupsOf({ workspace, quarter, ...increment }: Increment): SumKey[] {
  return GROUP_KINDS.flatMap((kind) =>
    namesOf(increment, kind).flatMap((name) =>
      SPANS.map((span) => [workspace, `${kind}${span.suffix}`, startOf(span, quarter), name]),
    ),
  );
}

function namesOf({ tags, ...increment }: Omit<Increment, "workspace" | "quarter">, kind: GroupKind): readonly string[] {
  if (kind === "tag") return tags === null ? [] : (JSON.parse(tags) as string[]);
  const name = increment[kind];
  return name === null ? [] : [name];
}

function startOf({ characters, start }: SumSpan, quarter: string): string {
  return quarter.slice(0, characters) + start;
}
