// The SQL of the rules that choose the ways of mails.
import { json } from "../../store/columns.ts";
import { sqlList, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Conditions } from "./rule.ts";

/** `weight`: the share of the first choice, beside those of the others; 0 = only when those before it do not work. */
export type WeightedWay = { readonly name: string; readonly weight: number };

export type KeptRule = Conditions & {
  readonly seq: number;
  readonly id: string;
  readonly name: string;
  readonly workspace: number | null;
  readonly workspaceId: string | null;
  readonly ways: readonly WeightedWay[];
  /** True: the other ways follow its own; false: its mails wait for its ways. */
  readonly others: boolean;
};

export type NewRule = Omit<KeptRule, "seq" | "workspaceId">;

/** In their order. */
export async function keptRules(reader: Reader): Promise<KeptRule[]> {
  const rows = await reader.all<Omit<KeptRule, "ways" | "others"> & { readonly ways: string; readonly others: 0 | 1 }>`
    select r.seq, r.id, r.name, r.workspace, w.id as "workspaceId", r.domain, r.kind, r.tag, r.provider, r.ways, r.others
    from way_rules r left join workspaces w on w.seq = r.workspace where r.position is not null order by r.position`;
  return rows.map((row) => ({ ...row, ways: json(row.ways), others: row.others === 1 }));
}

/** The numbers of removed rules. */
export async function goneRules(reader: Reader): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`select seq from way_rules where position is null order by seq`;
  return rows.map(({ seq }) => seq);
}

/** Mails that carry the numbers of removed rules follow the order of the ways. */
export async function dropRules(tx: Tx): Promise<void> {
  await tx.run`update way_rules set position = null where position is not null`;
}

export async function putRule(tx: Tx, position: number, rule: NewRule): Promise<void> {
  const { id, name, workspace, domain, kind, tag, provider, others } = rule;
  const ways = JSON.stringify(rule.ways);
  await tx.run`
    insert into way_rules (id, position, name, workspace, domain, kind, tag, provider, ways, others)
    values (${id}, ${position}, ${name}, ${workspace}, ${domain}, ${kind}, ${tag}, ${provider}, ${ways}, ${others ? 1 : 0})
    on conflict (id) do update set position = excluded.position, name = excluded.name, workspace = excluded.workspace,
      domain = excluded.domain, kind = excluded.kind, tag = excluded.tag, provider = excluded.provider,
      ways = excluded.ways, others = excluded.others`;
}

/** For workspaces without a text of their own. */
export async function setRulesOfOthers(tx: Tx, text: string | null, own: readonly number[]): Promise<void> {
  const besides = own.length === 0 ? sql`` : sql` and seq not in (${sqlList(own)})`;
  await tx.run`
    update workspaces set way_rules = ${text} where coalesce(way_rules, '') <> ${text ?? ""}${besides}`;
}

export async function setRulesOf(tx: Tx, workspace: number, text: string | null): Promise<void> {
  await tx.run`
    update workspaces set way_rules = ${text} where seq = ${workspace} and coalesce(way_rules, '') <> ${text ?? ""}`;
}

/** Null = there is no such workspace. */
export async function workspaceWith(reader: Reader, id: string): Promise<number | null> {
  return (
    (await reader.get<{ seq: number }>`select seq from workspaces where id = ${id} and arriving_until is null`)?.seq ??
    null
  );
}
