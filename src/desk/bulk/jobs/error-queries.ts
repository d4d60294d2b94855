// The SQL of the problems that imports and bulk jobs report: failed rows and contacts, and cells that were left out.
import { json } from "../../../store/columns.ts";
import { inPieces, joined, sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { SkippedCell } from "../../../audience/csv/row.ts";

/** With `cells`, the row was imported without these cells. */
export type JobError = {
  readonly place: number;
  readonly about: string;
  readonly error: string;
  readonly cells?: readonly SkippedCell[];
};

export async function insertErrors(tx: Tx, job: number, errors: readonly JobError[]): Promise<void> {
  for (const piece of inPieces(errors)) {
    const rows = piece.map(
      ({ place, about, error, cells }) =>
        sql`(${job}, ${place}, ${about}, ${error}, ${cells ? JSON.stringify(cells) : null})`,
    );
    await tx.run`insert into contact_job_errors (job, place, about, error, cells) values ${joined(rows, ", ")}`;
  }
}

export async function errorsOf(reader: Reader, job: number): Promise<JobError[]> {
  const rows = await reader.all<Omit<JobError, "cells"> & { readonly cells: string | null }>`
    select place, about, error, cells from contact_job_errors where job = ${job} order by place limit 1000`;
  return rows.map(({ cells, ...row }) => (cells === null ? row : { ...row, cells: json(cells) }));
}
