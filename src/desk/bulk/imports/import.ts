// Imports a batch of rows that an upload has stored.
import { parseAddress } from "../../../base/addresses.ts";
import { AppError } from "../../../base/errors.ts";
import { attempt } from "../../../store/shared-tx.ts";
import type { Tx } from "../../../store/store.ts";
import { agreedIn, upsertContact } from "../../../audience/contacts/upsert.ts";
import { noteProofs } from "./proven.ts";
import type { ContactInput } from "../../../audience/contacts/wanted.ts";
import { badRow, type CsvRowError, type CsvRow, type SkippedCell } from "../../../audience/csv/row.ts";
import { askNew } from "../../../audience/contacts/sign-up/sign-up.ts";
import { joinSegment } from "../../../audience/segments/members.ts";
import { askToConfirm } from "../../../mail/emails/send/confirmation.ts";
import { erasedAmong } from "../../../audience/contacts/suppression.ts";
import type { JobBatchResult } from "../jobs/job.ts";
import { noteImported } from "../imported.ts";
import type { JobError } from "../jobs/error-queries.ts";
import { takeBatch, type ContactJob } from "../jobs/queries.ts";
import { inputOf, type ImportTerms } from "../terms.ts";

const ERASED = "The person was erased after the file was accepted.";

export async function importBatch(tx: Tx, job: ContactJob): Promise<JobBatchResult> {
  const terms = job.selection as ImportTerms;
  const batch = await takeBatch(tx, job.seq);
  const rows = await withoutErased(tx, job, batch ?? []);
  const inputs = rows.map((row) => inputFor(row, terms));
  const bad = inputs.flatMap((one) => ("error" in one ? one : []));
  const good = inputs.flatMap((one) => ("error" in one ? [] : one));
  const upsert = (input: ContactInput) =>
    attempt(tx, (own) => upsertContact(own, job.workspace, { ...input, cause: job.id }));
  const outcomes = await Promise.all(good.map(({ input }) => upsert(input)));
  const done = outcomes.flatMap((outcome) => (outcome instanceof AppError ? [] : outcome));
  const members = [...new Set(done.map(({ contact }) => contact.seq))];
  const joined = terms.segment === null ? [] : await joinSegment(tx, terms.segment, members);
  const repeated = await noteImported(tx, job.seq, done, { segment: terms.segment ?? 0, contacts: new Set(joined) });
  const created = done.filter(({ isNew }) => isNew).length;
  for (const [index, { row, input }] of good.entries()) {
    const outcome = outcomes[index];
    if (outcome instanceof AppError) bad.push(badRow(row, input.email, outcome));
  }
  const imported = good.filter((_, index) => !(outcomes[index] instanceof AppError));
  const inputOf = (index: number) => ({ ...(imported[index] as (typeof imported)[0]).input, cause: job.id });
  for (const [index, { contact, isNew }] of done.entries())
    if (isNew && contact.status === "PENDING")
      await askNew(tx, job.workspace, contact, { ask: askToConfirm, act: agreedIn(inputOf(index)) });
  const proven = done.flatMap((one, index) =>
    imported[index]?.input.evidence?.source ? { ...one, input: inputOf(index) } : [],
  );
  await noteProofs(tx, job.workspace, proven);
  const skipped = imported.flatMap(({ row, input, skipped: cells }): JobError[] =>
    cells.length > 0 ? [{ place: row, about: input.email, error: "", cells }] : [],
  );
  const errors = bad.map(({ row, email, error }): JobError => ({ place: row, about: email, error }));
  return {
    position: job.position,
    processed: rows.length,
    created,
    updated: done.length - created,
    repeated,
    skipped,
    errors: errors.sort((one, other) => one.place - other.place),
    isLast: batch === null || job.processed + rows.length >= job.total,
  };
}

/** Drops rows about people erased since the file was accepted, who must not return, not even in a list of errors. */
async function withoutErased(tx: Tx, job: ContactJob, rows: readonly CsvRow[]): Promise<readonly CsvRow[]> {
  const named = rows.map((row) => ("error" in row ? addressesInText(`${row.email} ${row.error}`) : [row.email]));
  const erased = await erasedAmong(tx, job.workspace, [...new Set(named.flat())], job.createdAt);
  if (erased.size === 0) return rows;
  return rows.map((one, at) =>
    named[at]?.some((email) => erased.has(email)) ? { row: one.row, email: "", error: ERASED } : one,
  );
}

/** A bad row may contain an address in any spelling. */
function addressesInText(text: string): string[] {
  return (text.match(/[^\s<>"',;:()]+@[^\s<>"',;:()]+/g) ?? []).flatMap(
    (one) => parseAddress(one.replace(/\.+$/, "")) ?? [],
  );
}

type ImportRow = {
  readonly row: number;
  readonly input: ContactInput;
  readonly skipped: readonly SkippedCell[];
};

function inputFor(row: CsvRow, terms: ImportTerms): ImportRow | CsvRowError {
  if ("error" in row) return row;
  try {
    return { row: row.row, ...inputOf(row, terms) };
  } catch (error) {
    return badRow(row.row, row.email, error);
  }
}
