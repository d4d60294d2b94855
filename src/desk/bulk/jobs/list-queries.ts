// The SQL of the list of imports, and of the jobs that undo them.
import { sqlList, sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { jobOf, JOB, type ContactJob, type JobRow, type JobStatus } from "./queries.ts";

const OF_WORKSPACE = (workspace: number) =>
  sql`workspace = ${workspace} and operation = 'IMPORT' and status not in ('STAGING', 'ABANDONED')`;

/** Newest first. */
export async function importsPage(
  reader: Reader,
  workspace: number,
  limit: number,
  offset: number,
): Promise<ContactJob[]> {
  const rows = await reader.all<JobRow>`
    select ${JOB} from contact_jobs where ${OF_WORKSPACE(workspace)} order by seq desc limit ${limit} offset ${offset}`;
  return rows.map(jobOf);
}

export async function countImports(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ count: number }>`
    select count(*) as count from contact_jobs where ${OF_WORKSPACE(workspace)}`;
  return row?.count ?? 0;
}

export function keepUndo(tx: Tx, job: number, undoneBy: string): Promise<number> {
  return tx.run`update contact_jobs set undone_by = ${undoneBy} where seq = ${job}`;
}

/** The statuses of jobs by public id. */
export async function statusesOf(reader: Reader, ids: readonly string[]): Promise<ReadonlyMap<string, JobStatus>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.all<{ id: string; status: JobStatus }>`
    select id, status from contact_jobs where id in (${sqlList(ids)})`;
  return new Map(rows.map(({ id, status }) => [id, status]));
}
