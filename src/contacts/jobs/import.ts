// Importing a batch of rows that were taken in before.
import { AppError } from "../../errors.ts";
import type { Tx } from "../../store/store.ts";
import type { ContactWish } from "../contact.ts";
import { upsertContacts } from "../many.ts";
import { erasedAmong } from "../suppression.ts";
import type { Done } from "./job.ts";
import { takeBatch, type JobError, type JobRow } from "./queries.ts";
import { badRow, type GoodRow, type Row } from "./row.ts";

const ERASED = "The person was erased after the file had been handed in.";

/** Whoever imports has a secret key: a row that says `subscribed` may lift a suppression, one that says nothing changes no flag. */
export async function importBatch(tx: Tx, job: JobRow): Promise<Done> {
  const content = await takeBatch(tx, job.seq);
  const rows = await withoutErased(tx, job, content === null ? [] : (JSON.parse(content) as Row[]));
  const good = rows.filter((row): row is GoodRow => !("error" in row));
  const outcomes = await upsertContacts(tx, job.workspace, good.map(wishOf));
  const bad = rows.flatMap((row) => ("error" in row ? row : []));
  outcomes.forEach((outcome, index) => {
    const { row, email } = good[index] as GoodRow;
    if (outcome instanceof AppError) bad.push(badRow(row, email, outcome));
  });
  const errors = bad.map(({ row, email, error }): JobError => ({ place: row, about: email, error }));
  return {
    position: job.position,
    processed: rows.length,
    created: outcomes.filter((outcome) => outcome === "created").length,
    updated: outcomes.filter((outcome) => outcome === "updated").length,
    errors: errors.sort((one, other) => one.place - other.place),
    isLast: content === null || job.processed + rows.length >= job.total,
  };
}

/** Nobody comes back by a file that was handed in before the person was erased, not even as a line of what went wrong. */
async function withoutErased(tx: Tx, job: JobRow, rows: readonly Row[]): Promise<readonly Row[]> {
  const emails = [...new Set(rows.map(({ email }) => email))];
  const erased = await erasedAmong(tx, job.workspace, emails, job.created_at);
  return erased.size === 0
    ? rows
    : rows.map((one) => (erased.has(one.email) ? { row: one.row, email: "", error: ERASED } : one));
}

function wishOf({ email, subscribed, data }: GoodRow): ContactWish {
  return { email, subscribed: subscribed ?? undefined, subscribedIfNew: true, data };
}
