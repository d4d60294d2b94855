// Which consumers listen to which topics: kept by the consumers, consulted when an event is emitted or a contact
// changes.
import { sqlList, sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

type ListenerKind = "segment" | "workflow" | "endpoint";
type Listener = { readonly workspace: number; readonly kind: ListenerKind; readonly listener: number };

/** More topics are not looked up one by one: a change that large concerns all listeners of the workspace. */
const MAX_TOPICS_A_LOOKUP = 40;

/** Replaces the listener's topics; an empty list ends its interest. */
export async function listenTo(tx: Tx, who: Listener, topics: readonly string[]): Promise<void> {
  const { workspace, kind, listener } = who;
  await tx.run`delete from interests where workspace = ${workspace} and kind = ${kind} and listener = ${listener}`;
  for (const topic of new Set(topics)) {
    await tx.run`
      insert into interests (workspace, topic, kind, listener) values (${workspace}, ${topic}, ${kind}, ${listener})`;
  }
}

/** The listeners of one kind to any of these topics. */
export async function listenersTo(
  reader: Reader,
  workspace: number,
  kind: ListenerKind,
  topics: readonly string[],
): Promise<number[]> {
  const rows =
    topics.length > MAX_TOPICS_A_LOOKUP
      ? await reader.all<{ listener: number }>`
          select listener from interests where workspace = ${workspace} and kind = ${kind}`
      : await reader.all<{ listener: number }>`
          select listener from interests
          where workspace = ${workspace} and kind = ${kind} and topic in (${sqlList(topics)})`;
  return [...new Set(rows.map((row) => row.listener))].sort((one, other) => one - other);
}

/** In a statement on rows of a workspace: whether any listener has this topic. */
export function isListenedTo(workspace: Sql, topic: string): Sql {
  return sql`exists (select 1 from interests i where i.workspace = ${workspace} and i.topic = ${topic})`;
}

/** The kinds of hearers: segments and workflows, which act on it here, or endpoints, which are notified later. */
export type Hearers = { readonly inside: boolean; readonly endpoints: boolean };

export async function hearersAmong(reader: Reader, workspace: number, topics: readonly string[]): Promise<Hearers> {
  const meant = topics.length > MAX_TOPICS_A_LOOKUP ? sql`` : sql` and topic in (${sqlList(topics)})`;
  const row = await reader.get<{ inside: 0 | 1; endpoints: 0 | 1 }>`
    select
      case when exists (
        select 1 from interests where workspace = ${workspace}${meant} and kind in ('segment', 'workflow')) then 1 else 0 end as inside,
      case when exists (
        select 1 from interests where workspace = ${workspace}${meant} and kind = 'endpoint') then 1 else 0 end as endpoints`;
  return { inside: row?.inside === 1, endpoints: row?.endpoints === 1 };
}
