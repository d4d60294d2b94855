// The SQL of who or what a change of a contact came from, by its public id.
import { jsonOrNull } from "../store/columns.ts";
import { steadyList } from "../store/sql.ts";
import type { Reader } from "../store/store.ts";

type Named = { readonly id: string; readonly name: string | null };

export function usersAmong(reader: Reader, ids: readonly string[]): Promise<Named[]> {
  return reader.all<Named>`select id, name from users where id in (${steadyList(ids)})`;
}

export function keySetsAmong(reader: Reader, workspace: number, ids: readonly string[]): Promise<Named[]> {
  return reader.all<Named>`
    select id, name from key_sets where id in (${steadyList(ids)}) and workspace = ${workspace}`;
}

export function formsAmong(reader: Reader, workspace: number, ids: readonly string[]): Promise<Named[]> {
  return reader.all<Named>`select id, name from forms where id in (${steadyList(ids)}) and workspace = ${workspace}`;
}

export type CausingJob = {
  readonly id: string;
  readonly operation: "IMPORT" | "SUPPRESS" | "SUBSCRIBE" | "UNSUBSCRIBE" | "TOPICS" | "DELETE" | "UNDO";
  readonly fileName: string | null;
  readonly createdAt: string;
  /** Who of the team began it. */
  readonly by: string | null;
};

export async function jobsAmong(reader: Reader, workspace: number, ids: readonly string[]): Promise<CausingJob[]> {
  const rows = await reader.all<CausingJob & { readonly madeBy: string | null }>`
    select j.id, j.operation, j.file_name as "fileName", j.created_at as "createdAt", j.made_by as "madeBy",
      (select a.actor_name from audit a where a.workspace = ${workspace} and a.target = j.id order by a.seq limit 1) as by
    from contact_jobs j where j.id in (${steadyList(ids)}) and j.workspace = ${workspace}`;
  return rows.map(({ madeBy, ...job }) => ({ ...job, by: job.by ?? personIn(madeBy) }));
}

function personIn(madeBy: string | null): string | null {
  const by = jsonOrNull<{ readonly kind: string; readonly name: string | null }>(madeBy);
  return by?.kind === "PERSON" ? by.name : null;
}

export async function causeOfContact(reader: Reader, contact: number): Promise<string | null> {
  const row = await reader.get<{ cause: string | null }>`select cause from contacts where seq = ${contact}`;
  return row?.cause ?? null;
}
