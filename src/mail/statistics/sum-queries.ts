// The SQL of adding facts to the sums, each to several.
import { insertion, type SqlColumnType } from "../../store/row-statement.ts";
import type { Value } from "../../store/sql.ts";
import type { Tx } from "../../store/store.ts";
import { COUNTED } from "../../tenant/events/catalog.ts";
import { GROUP_KINDS, type Fact, type GroupKind } from "./facts.ts";
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

export async function addFacts(tx: Tx, facts: readonly Fact[]): Promise<void> {
  await tx.runEach(BY_QUARTER, summed(facts, quarterOf));
  await tx.runEach(
    BY_KIND,
    summed(facts, (fact) => [...longSpansOf(fact), ...groupsOf(fact)]),
  );
}

/** The key columns of a sum. */
type SumKey = readonly (string | number)[];

/** The additions to each sum, in a fixed order, to avoid deadlocks. */
function summed(facts: readonly Fact[], keysOf: (fact: Fact) => readonly SumKey[]): Value[][] {
  const sums = new Map<string, number[]>();
  for (const fact of facts)
    for (const key of keysOf(fact).map((columns) => JSON.stringify(columns))) {
      const counts = sums.get(key) ?? COUNTED.map(() => 0);
      const at = COUNTED.indexOf(fact.what);
      counts[at] = (counts[at] as number) + fact.times;
      sums.set(key, counts);
    }
  return [...sums.keys()].sort().map((key) => [...(JSON.parse(key) as SumKey), ...(sums.get(key) as number[])]);
}

function quarterOf({ workspace, quarter, sourceType, domain }: Fact): SumKey[] {
  return [[workspace, quarter, sourceType, domain]];
}

/** The sums by quarters are in mail_counts. */
function longSpansOf({ workspace, quarter, sourceType, domain }: Fact): SumKey[] {
  const name = `${sourceType} ${domain}`;
  return LONG_SPANS.map((span) => [workspace, `mails${span.suffix}`, startOf(span, quarter), name]);
}

function groupsOf({ workspace, quarter, ...fact }: Fact): SumKey[] {
  return GROUP_KINDS.flatMap((kind) =>
    namesOf(fact, kind).flatMap((name) =>
      SPANS.map((span) => [workspace, `${kind}${span.suffix}`, startOf(span, quarter), name]),
    ),
  );
}

function namesOf({ tags, ...fact }: Omit<Fact, "workspace" | "quarter">, kind: GroupKind): readonly string[] {
  if (kind === "tag") return tags === null ? [] : (JSON.parse(tags) as string[]);
  const name = fact[kind];
  return name === null ? [] : [name];
}

function startOf({ characters, start }: SumSpan, quarter: string): string {
  return quarter.slice(0, characters) + start;
}
