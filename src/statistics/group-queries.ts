// The SQL of telling mails apart: by template, by campaign, by the provider of the recipient's mailbox.
import { sql, type Sql } from "../store/sql.ts";
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
