// The SQL of workspaces that come in from a file (src/operator/leaving): hidden until they are whole.
import type { Reader, Tx } from "../../store/store.ts";

/** Answers false if the workspace was removed: nobody had gone on with it for too long. */
export async function keepArriving(tx: Tx, workspace: number, until: string): Promise<boolean> {
  const changed = await tx.run`
    update workspaces set arriving_until = ${until} where seq = ${workspace} and arriving_until > ${tx.now}`;
  return changed > 0;
}

/** From here on the workspace is there. @throws ConstraintError `unique` if the name was taken at the same moment */
export function showArrived(tx: Tx, workspace: number, name: string): Promise<number> {
  return tx.run`
    update workspaces set name = ${name}, arriving_until = null where seq = ${workspace} and arriving_until > ${tx.now}`;
}

/** The numbers of workspaces that have not come in as a whole, and with which nobody goes on. */
export async function abandonedArrivals(reader: Reader, now: string): Promise<readonly number[]> {
  const rows = await reader.all<{ seq: number }>`
    select seq from workspaces where arriving_until is not null and arriving_until <= ${now} order by arriving_until`;
  return rows.map(({ seq }) => seq);
}

/** When the first of those on their way in counts as abandoned, unless somebody goes on with it; null without any. */
export async function nextAbandoned(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ dueAt: string | null }>`
    select min(arriving_until) as "dueAt" from workspaces where arriving_until is not null`;
  return row?.dueAt ?? null;
}

export type KnownWorkspace = { readonly seq: number; readonly name: string; readonly arrivingUntil: string | null };

/** Who has this id: a workspace, whole or on its way in. */
export function workspaceWithId(reader: Reader, id: string): Promise<KnownWorkspace | null> {
  return reader.get<KnownWorkspace>`
    select seq, name, arriving_until as "arrivingUntil" from workspaces where id = ${id}`;
}
