// The SQL of erased people for imports: a keyed hash of the address, kept only while a file waits.
import { sqlList } from "../../store/sql.ts";
import type { Tx } from "../../store/store.ts";

/** Inserts only while files of the workspace wait to be imported. */
export function insertErasedBeforeImport(tx: Tx, workspace: number, hash: string): Promise<number> {
  return tx.run`
    insert into import_exclusions (workspace, hash, erased_at)
    select ${workspace}, ${hash}, ${tx.now} where exists (
      select 1 from contact_jobs
      where workspace = ${workspace} and status in ('STAGING', 'PENDING', 'PROCESSING') and operation in ('IMPORT', 'SUPPRESS'))
    on conflict (workspace, hash) do update set erased_at = excluded.erased_at`;
}

export async function hasErasedSince(tx: Tx, workspace: number, since: string): Promise<boolean> {
  const row = await tx.get`
    select 1 from import_exclusions where workspace = ${workspace} and erased_at >= ${since} limit 1`;
  return row !== null;
}

export async function erasedSince(
  tx: Tx,
  workspace: number,
  hashes: readonly string[],
  since: string,
): Promise<string[]> {
  const rows = await tx.all<{ hash: string }>`
    select hash from import_exclusions
    where workspace = ${workspace} and hash in (${sqlList(hashes)}) and erased_at >= ${since}`;
  return rows.map(({ hash }) => hash);
}

/** Deletes hashes older than every waiting file. */
export function forgetErasedBeforeImport(tx: Tx): Promise<number> {
  return tx.run`
    delete from import_exclusions where not exists (
      select 1 from contact_jobs j
      where j.workspace = import_exclusions.workspace and j.status in ('STAGING', 'PENDING', 'PROCESSING')
        and j.operation in ('IMPORT', 'SUPPRESS') and j.created_at <= import_exclusions.erased_at)`;
}
