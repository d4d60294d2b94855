// Importing a batch of rows that an upload has stored.
import { AppError } from "../../errors.ts";
import type { Tx } from "../../store/store.ts";
import { upsertContacts } from "../bulk-upsert.ts";
import type { ContactInput } from "../contact.ts";
import { badRow, type GoodRow, type Row } from "../csv/row.ts";
import { erasedAmong } from "../suppression.ts";
import type { Done } from "./job.ts";
import { noteImported } from "./imported.ts";
import { takeBatch, type Job, type JobError } from "./queries.ts";

const ERASED = "The person was erased after the file was accepted.";

/** Only a secret key imports: a row that says `subscribed` may lift a suppression. A row without it changes no flag. */
export async function importBatch(tx: Tx, job: Job): Promise<Done> {
  const batch = await takeBatch(tx, job.seq);
  const rows = await withoutErased(tx, job, batch ?? []);
  const good = rows.filter((row): row is GoodRow => !("error" in row));
  const bad = rows.flatMap((row) => ("error" in row ? row : []));
  const outcomes = await upsertContacts(
    tx,
    job.workspace,
    good.map((row) => [inputOf(row)]),
    job.id,
  );
  const done = outcomes.flatMap((outcome) => (outcome instanceof AppError ? [] : outcome));
  const repeated = await noteImported(tx, job.seq, done);
  const created = done.filter(({ isNew }) => isNew).length;
  for (const [index, { row, email }] of good.entries()) {
    const outcome = outcomes[index];
    if (outcome instanceof AppError) bad.push(badRow(row, email, outcome));
  }
  const errors = bad.map(({ row, email, error }): JobError => ({ place: row, about: email, error }));
  return {
    position: job.position,
    processed: rows.length,
    created,
    updated: done.length - created,
    repeated,
    errors: errors.sort((one, other) => one.place - other.place),
    isLast: batch === null || job.processed + rows.length >= job.total,
  };
}

/** A file accepted before an erasure does not bring the person back, not even as a line among its errors. */
async function withoutErased(tx: Tx, job: Job, rows: readonly Row[]): Promise<readonly Row[]> {
  const emails = [...new Set(rows.map(({ email }) => email))];
  const erased = await erasedAmong(tx, job.workspace, emails, job.createdAt);
  if (erased.size === 0) return rows;
  return rows.map((one) => (erased.has(one.email) ? { row: one.row, email: "", error: ERASED } : one));
}

/** A row that does not subscribe anybody again: contacts keep their flags, and a new one is subscribed all the same. */
export function keepingFlags<Some extends Row>(row: Some): Some {
  return "subscribed" in row && row.subscribed === true ? { ...row, subscribed: null } : row;
}

export function inputOf({ email, subscribed, data }: GoodRow): ContactInput {
  return { email, subscribed: subscribed ?? undefined, subscribedIfNew: true, data };
}
