// Importing a batch of rows that were taken in before.
import { AppError } from "../../errors.ts";
import type { Tx } from "../../store/store.ts";
import type { ContactWish } from "../contact.ts";
import { upsertContacts } from "../many.ts";
import type { Done } from "./job.ts";
import { takeBatch, type JobError, type JobRow } from "./queries.ts";
import { badRow, type GoodRow, type Row } from "./row.ts";

/** Whoever imports has a secret key: a row that says `subscribed` may lift a suppression, one that says nothing changes no flag. */
export async function importBatch(tx: Tx, job: JobRow): Promise<Done> {
  const content = await takeBatch(tx, job.seq);
  const rows = content === null ? [] : (JSON.parse(content) as Row[]);
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

function wishOf({ email, subscribed, data }: GoodRow): ContactWish {
  return { email, subscribed: subscribed ?? undefined, subscribedIfNew: true, data };
}
