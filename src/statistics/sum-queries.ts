// The SQL of adding facts to the sums. They are read once, and those that are alike counted: few are left, and each is
// added to several sums.
import { insertion, type ColumnType } from "../store/row-statement.ts";
import type { Sql, Value } from "../store/sql.ts";
import type { Tx } from "../store/store.ts";
import { addedTo, COUNTED } from "./fact-queries.ts";
import { GROUP_KINDS, type GroupKind } from "./group-queries.ts";
import { PROVIDER } from "./provider-queries.ts";
import { SPANS, type Span } from "./spans.ts";

/** Facts of one quarter that are alike, and how many. */
type Alike = {
  readonly workspace: number;
  readonly quarter: string;
  readonly what: (typeof COUNTED)[number];
  readonly times: number;
} & Readonly<Record<"sourceType" | "domain" | GroupKind, string | null>>;

const COUNTS = Object.fromEntries(COUNTED.map((one) => [one, "bigint"])) as Record<string, ColumnType>;
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

export async function addFacts(tx: Tx, facts: Sql): Promise<void> {
  const alike = await alikeAmong(tx, facts);
  await tx.runEach(BY_QUARTER, summed(alike, quarterOf));
  await tx.runEach(
    BY_KIND,
    summed(alike, (fact) => [...longSpansOf(fact), ...groupsOf(fact)]),
  );
}

/** Who keeps a mailbox is asked only of those that are left. */
function alikeAmong(tx: Tx, facts: Sql): Promise<Alike[]> {
  return tx.all<Alike>`
    select workspace, quarter, source_type as "sourceType", domain, what, template, campaign, ${PROVIDER} as provider, times from (
      select workspace, quarter, source_type, domain, what, template, campaign, recipient, count(*) as times
      from (${facts}) as plain where what is not null
      group by workspace, quarter, source_type, domain, what, template, campaign, recipient) as alike`;
}

/** The columns that tell a sum from others. */
type Key = readonly (string | number)[];

/** Rows of what is added to each sum, in one order, so that two transactions never wait for each other. */
function summed(facts: readonly Alike[], keysOf: (fact: Alike) => readonly Key[]): Value[][] {
  const sums = new Map<string, number[]>();
  for (const fact of facts)
    for (const key of keysOf(fact).map((columns) => JSON.stringify(columns))) {
      const counts = sums.get(key) ?? COUNTED.map(() => 0);
      const at = COUNTED.indexOf(fact.what);
      counts[at] = (counts[at] as number) + fact.times;
      sums.set(key, counts);
    }
  return [...sums.keys()].sort().map((key) => [...(JSON.parse(key) as Key), ...(sums.get(key) as number[])]);
}

function quarterOf({ workspace, quarter, sourceType, domain }: Alike): Key[] {
  return sourceType === null || domain === null ? [] : [[workspace, quarter, sourceType, domain]];
}

/** By quarters they are in mail_counts. */
function longSpansOf({ workspace, quarter, sourceType, domain }: Alike): Key[] {
  if (sourceType === null || domain === null) return [];
  return LONG_SPANS.map((span) => [
    workspace,
    `mails${span.suffix}`,
    startOf(span, quarter),
    `${sourceType} ${domain}`,
  ]);
}

function groupsOf({ workspace, quarter, ...fact }: Alike): Key[] {
  return GROUP_KINDS.flatMap((kind) => {
    const name = fact[kind];
    if (name === null) return [];
    return SPANS.map((span) => [workspace, `${kind}${span.suffix}`, startOf(span, quarter), name]);
  });
}

function startOf({ characters, start }: Span, quarter: string): string {
  return quarter.slice(0, characters) + start;
}
