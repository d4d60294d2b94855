// The SQL of what jobs keep about people who are erased.
import { sqlList } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";

/** Deletes reports of bulk jobs and imports. `about`: an address in its stored form, or a contact's id. */
export function deleteErrorsAbout(tx: Tx, workspace: number, about: readonly string[]): Promise<number> {
  return tx.run`
    delete from contact_job_errors
    where lower(about) in (${sqlList(about)}) and job in (select seq from contact_jobs where workspace = ${workspace})`;
}

/** Clears the filters of finished jobs that contain `text`, in lower case. */
export function forgetSelectionsWith(tx: Tx, workspace: number, text: string): Promise<number> {
  return tx.run`
    update contact_jobs set selection = null
    where workspace = ${workspace} and status in ('COMPLETED', 'FAILED') and operation <> 'IMPORT'
      and instr(lower(selection), ${text}) > 0`;
}

type JobErrorText = { readonly job: number; readonly place: number; readonly about: string; readonly error: string };

/** Reports with an address anywhere in them. Reads all reports of the workspace. */
export function errorsWithAddresses(reader: Reader, workspace: number): Promise<JobErrorText[]> {
  return reader.all`
    select job, place, about, error || coalesce(cells, '') as error from contact_job_errors
    where job in (select seq from contact_jobs where workspace = ${workspace})
      and (instr(about, '@') > 0 or instr(error, '@') > 0 or instr(cells, '@') > 0)`;
}

export function deleteError(tx: Tx, { job, place }: Pick<JobErrorText, "job" | "place">): Promise<number> {
  return tx.run`delete from contact_job_errors where job = ${job} and place = ${place}`;
}
