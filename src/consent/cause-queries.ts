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
  readonly operation:
    "IMPORT" | "SUPPRESS" | "SUBSCRIBE" | "UNSUBSCRIBE" | "TOPICS" | "DELETE" | "UNDO" | "RENAME" | "MERGE";
  readonly fileName: string | null;
  readonly createdAt: string;
  /** Who began it: a person of the team or a key set; null = the command line. */
  readonly by: (Named & { readonly kind: string }) | null;
};

export async function jobsAmong(reader: Reader, workspace: number, ids: readonly string[]): Promise<CausingJob[]> {
  const rows = await reader.all<Omit<CausingJob, "by"> & { readonly by: string | null }>`
    select id, operation, file_name as "fileName", created_at as "createdAt", made_by as "by"
    from contact_jobs where id in (${steadyList(ids)}) and workspace = ${workspace}`;
  return rows.map((job) => ({ ...job, by: jsonOrNull(job.by) }));
}

export async function causeOfContact(reader: Reader, contact: number): Promise<string | null> {
  const row = await reader.get<{ cause: string | null }>`select cause from contacts where seq = ${contact}`;
  return row?.cause ?? null;
}
