// The SQL of sums by template, by campaign and by the provider of the recipient's mailbox.
import { joined, sql, type Sql } from "../store/sql.ts";
import type { Tx } from "../store/store.ts";
import { addedTo, COLUMNS, SUMS_OF_ALIKE, text } from "./fact-queries.ts";
import { PROVIDER } from "./provider-queries.ts";

export const GROUP_KINDS = ["template", "campaign", "provider"] as const;
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

/** The sums are kept by quarters, and by hours for those whose days begin with one: there are four times fewer. */
const BY_HOUR = " by hour";

/** `characters`: of a quarter, which tell the periods apart. */
export function keptAs(kind: GroupKind, characters: 10 | 13 | 16): string {
  return characters === 16 ? kind : `${kind}${BY_HOUR}`;
}

/** Facts that are alike are counted before they are told apart by kind and span: there are few of them, and many facts. */
export function addGroups(tx: Tx, facts: Sql): Promise<number> {
  const kinds = GROUP_KINDS.map((kind) => sql`select ${text(`'${kind}'`)} as kind`);
  const names = GROUP_KINDS.map((kind) => text(` when '${kind}' then ${kind}`));
  const spans = sql`select '' as span union all select ${text(`'${BY_HOUR}'`)} as span`;
  return tx.run`
    insert into mail_group_counts (workspace, kind, quarter, name, ${COLUMNS})
    select workspace, kind, quarter, name, ${SUMS_OF_ALIKE} from (
      select workspace, what, times, kind || span as kind, case kind${joined(names, "")} end as name,
        case span when '' then quarter else substr(quarter, 1, 13) || ':00' end as quarter
      from (
        select workspace, quarter, what, template, campaign, ${PROVIDER} as provider, count(*) as times
        from (${facts}) as plain where what is not null
        group by workspace, quarter, what, template, campaign, ${PROVIDER}
      ) as alike cross join (${joined(kinds, " union all ")}) as kinds cross join (${spans}) as spans) as facts
    where name is not null
    group by workspace, kind, quarter, name order by workspace, kind, quarter, name
    on conflict (workspace, kind, quarter, name) do update set ${addedTo("mail_group_counts")}`;
}
