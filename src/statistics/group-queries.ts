// The SQL of sums by kind: by template, by campaign, by the provider of the recipient's mailbox, and of all mails by the hour and day.
import { joined, sql, type Sql } from "../store/sql.ts";
import type { Tx } from "../store/store.ts";
import { addedTo, COLUMNS, SUMS_OF_ALIKE, text } from "./fact-queries.ts";
import { PROVIDER } from "./provider-queries.ts";
import { rowsOf, SPANS, START_OF_SPAN, type Span } from "./span-queries.ts";

const GROUP_KINDS = ["template", "campaign", "provider"] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

export function isGroupKind(name: string): name is GroupKind {
  return (GROUP_KINDS as readonly string[]).includes(name);
}

const GROUP: Readonly<Record<GroupKind, Sql>> = {
  template: sql`template`,
  campaign: sql`campaign`,
  provider: PROVIDER,
};

/** Facts with `name`: that of their group. */
export function grouped(facts: Sql, kind: GroupKind): Sql {
  return sql`select quarter, what, ${GROUP[kind]} as name from (${facts}) as plain`;
}

type Summed = {
  /** Of facts, and by what these are alike. */
  readonly columns: Sql;
  readonly keys: Sql;
  /** What each calls its groups. */
  readonly kinds: Readonly<Record<string, Sql>>;
  readonly spans: readonly Span[];
};

const GROUPS: Summed = {
  columns: sql`template, campaign, ${PROVIDER} as provider`,
  keys: sql`workspace, quarter, what, template, campaign, ${PROVIDER}`,
  kinds: { template: sql`template`, campaign: sql`campaign`, provider: sql`provider` },
  spans: SPANS,
};
const [, ...LONG_SPANS] = SPANS;
/** By quarters they are in mail_counts. */
const MAILS: Summed = {
  columns: sql`source_type, domain`,
  keys: sql`workspace, quarter, what, source_type, domain`,
  kinds: { mails: sql`source_type || ' ' || domain` },
  spans: LONG_SPANS,
};

export function addGroups(tx: Tx, facts: Sql): Promise<number> {
  return addSums(tx, facts, GROUPS);
}

export function addMails(tx: Tx, facts: Sql): Promise<number> {
  return addSums(tx, facts, MAILS);
}

/** Facts that are alike are counted before they are told apart by kind and span: there are few of them, and many facts. */
function addSums(tx: Tx, facts: Sql, { columns, keys, kinds, spans }: Summed): Promise<number> {
  const names = Object.keys(kinds).map((kind) => text(`select '${kind}' as kind`));
  const whens = Object.entries(kinds).map(([kind, name]) => sql`${text(` when '${kind}' then `)}${name}`);
  return tx.run`
    insert into mail_group_counts (workspace, kind, quarter, name, ${COLUMNS})
    select workspace, kind, quarter, name, ${SUMS_OF_ALIKE} from (
      select workspace, what, times, kind || span as kind, case kind${joined(whens, "")} end as name, ${START_OF_SPAN} as quarter
      from (
        select workspace, quarter, what, ${columns}, count(*) as times from (${facts}) as plain where what is not null
        group by ${keys}
      ) as alike cross join (${joined(names, " union all ")}) as kinds cross join (${rowsOf(spans)}) as spans) as facts
    where name is not null
    group by workspace, kind, quarter, name order by workspace, kind, quarter, name
    on conflict (workspace, kind, quarter, name) do update set ${addedTo("mail_group_counts")}`;
}
