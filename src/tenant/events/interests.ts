// Which consumers listen to which subjects: kept by the consumers, consulted when an event is emitted or a contact
// changes.
import { sqlList, sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";

type ListenerKind = "segment" | "workflow" | "endpoint";
type Listener = { readonly workspace: number; readonly kind: ListenerKind; readonly listener: number };

/** More subjects are not looked up one by one: a change that large concerns all listeners of the workspace. */
const MAX_SUBJECTS_A_LOOKUP = 40;

/** Replaces the listener's subjects; an empty list ends its interest. */
export async function listenTo(tx: Tx, who: Listener, subjects: readonly string[]): Promise<void> {
  const { workspace, kind, listener } = who;
  await tx.run`delete from interests where workspace = ${workspace} and kind = ${kind} and listener = ${listener}`;
  for (const subject of new Set(subjects)) {
    await tx.run`
      insert into interests (workspace, subject, kind, listener) values (${workspace}, ${subject}, ${kind}, ${listener})`;
  }
}

/** The listeners of one kind to any of these subjects. */
export async function listenersTo(
  reader: Reader,
  workspace: number,
  kind: ListenerKind,
  subjects: readonly string[],
): Promise<number[]> {
  const rows =
    subjects.length > MAX_SUBJECTS_A_LOOKUP
      ? await reader.all<{ listener: number }>`
          select listener from interests where workspace = ${workspace} and kind = ${kind}`
      : await reader.all<{ listener: number }>`
          select listener from interests
          where workspace = ${workspace} and kind = ${kind} and subject in (${sqlList(subjects)})`;
  return [...new Set(rows.map((row) => row.listener))].sort((one, other) => one - other);
}

/** In a statement on rows of a workspace: whether any listener has this subject. */
export function isListenedTo(workspace: Sql, subject: string): Sql {
  return sql`exists (select 1 from interests i where i.workspace = ${workspace} and i.subject = ${subject})`;
}

/** The kinds of hearers: segments and workflows, which act on it here, or endpoints, which are notified later. */
export type ListenerKinds = { readonly inside: boolean; readonly endpoints: boolean };

export async function hearersAmong(
  reader: Reader,
  workspace: number,
  subjects: readonly string[],
): Promise<ListenerKinds> {
  const meant = subjects.length > MAX_SUBJECTS_A_LOOKUP ? sql`` : sql` and subject in (${sqlList(subjects)})`;
  const row = await reader.get<{ inside: 0 | 1; endpoints: 0 | 1 }>`
    select
      case when exists (
        select 1 from interests where workspace = ${workspace}${meant} and kind in ('segment', 'workflow')) then 1 else 0 end as inside,
      case when exists (
        select 1 from interests where workspace = ${workspace}${meant} and kind = 'endpoint') then 1 else 0 end as endpoints`;
  return { inside: row?.inside === 1, endpoints: row?.endpoints === 1 };
}
