// The SQL of workspaces that come in from a file (src/operator/leaving): hidden until they are whole.
import type { Reader, Tx } from "../../store/store.ts";

/** Renews the lease of an import. False = it had ended, and the workspace was removed. */
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

/** The workspaces whose import has died: its lease has ended. */
export async function abandonedArrivals(reader: Reader, now: string): Promise<readonly number[]> {
  const rows = await reader.all<{ seq: number }>`
    select seq from workspaces where arriving_until is not null and arriving_until <= ${now} order by arriving_until`;
  return rows.map(({ seq }) => seq);
}

/** When the next lease of an import ends; null = there is no import. */
export async function nextAbandoned(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ dueAt: string | null }>`
    select min(arriving_until) as "dueAt" from workspaces where arriving_until is not null`;
  return row?.dueAt ?? null;
}

export type KnownWorkspace = { readonly seq: number; readonly name: string; readonly arrivingUntil: string | null };

/** The workspace with this id, whole or on its way in. */
export function workspaceWithId(reader: Reader, id: string): Promise<KnownWorkspace | null> {
  return reader.get<KnownWorkspace>`
    select seq, name, arriving_until as "arrivingUntil" from workspaces where id = ${id}`;
}
