// Suppressions from a file: it is read once, as it arrives, and stored in batches that a job processes. Creates no
// contacts.
import { iso } from "../../../base/clock.ts";
import { AppError, invalidField } from "../../../base/errors.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { suppressEach } from "../../../audience/suppressions/suppression.ts";
import { PackedFile } from "../../../audience/csv/packed/packed-file.ts";
import { letOthersRun, CsvRecords } from "../../../audience/csv/records.ts";
import {
  columnsIn,
  suppressionIn,
  type SuppressionColumns,
  type SuppressionDefaults,
  type SuppressionRow,
} from "../../../audience/csv/suppressions.ts";
import { erasedAmong } from "../../../audience/contacts/suppression.ts";
import { CONTACT_JOB, openJob, stagingEndsAt, type JobBatchResult } from "../jobs/job.ts";
import { endStaging, insertBatch, keepStaging, setAbandoned, takeBatch } from "../jobs/queries.ts";
import type { FileJob, ContactJob, OpenedJob } from "../jobs/queries.ts";

const MAX_ROWS = 5_000_000;
/** Rows of one transaction, which takes about ten milliseconds. */
const ROWS_A_BATCH = 500;
/** Rows sorted by target together: the rows of a batch are then neighbours in the index. */
const ROWS_A_WINDOW = 8_000;
const ROWS_A_TURN = 500;

export type SuppressionUpload = { readonly job: OpenedJob; readonly total: number; readonly sha256: string };

/** @throws AppError VALIDATION_ERROR on `file`, and the errors of reading `file` */
export async function takeSuppressions(
  store: Store,
  workspace: number,
  file: AsyncIterable<Uint8Array>,
  otherwise: () => SuppressionDefaults,
): Promise<SuppressionUpload> {
  const now = iso(store.clock.nowMs());
  const hash = new Bun.CryptoHasher("sha256");
  const job = await store.write((tx) =>
    openJob(tx, { workspace, operation: "SUPPRESS", status: "STAGING", selection: null, total: 0 }),
  );
  let columns: SuppressionColumns | null = null;
  let [total, batches] = [0, 0];
  let window: SuppressionRow[] = [];
  const stage = async () => {
    const rows = window.sort(({ target: one }, { target: other }) => (one < other ? -1 : one > other ? 1 : 0));
    window = [];
    await store.write(async (tx) => {
      if ((await keepStaging(tx, job.seq, stagingEndsAt(tx))) === 0) throw abandoned();
      for (let from = 0; from < rows.length; from += ROWS_A_BATCH) {
        const texts = rows.slice(from, from + ROWS_A_BATCH).map((row) => JSON.stringify(row));
        await insertBatch(tx, job.seq, batches++, texts);
      }
    });
  };
  try {
    for await (const records of new CsvRecords(new PackedFile(workspace)).in(hashed(file, hash)))
      for (const record of records) {
        if (columns === null) {
          columns = columnsIn(record);
          continue;
        }
        window.push(suppressionIn(columns, record, otherwise(), now));
        if (++total > MAX_ROWS) throw invalidField("file", `A file has at most ${MAX_ROWS} rows.`, "too_big");
        if (total % ROWS_A_TURN === 0) await letOthersRun();
        if (window.length === ROWS_A_WINDOW) await stage();
      }
    if (columns === null) throw invalidField("file", "The file is empty.", "empty");
    if (window.length > 0) await stage();
  } catch (error) {
    await abandonSuppressions(store, job);
    throw error;
  }
  return { job, total, sha256: hash.digest("hex") };
}

async function* hashed(file: AsyncIterable<Uint8Array>, hash: Bun.CryptoHasher): AsyncGenerator<Uint8Array> {
  for await (const piece of file) {
    hash.update(piece);
    yield piece;
  }
}

/** Makes the import final, even if this process dies. @throws AppError STORE_UNAVAILABLE */
export async function acceptSuppressions(
  tx: Tx,
  workspace: number,
  { job, total }: SuppressionUpload,
  accepted: Omit<FileJob, "total" | "terms">,
): Promise<{ jobId: string }> {
  const terms = { contactIds: [] };
  if ((await endStaging(tx, workspace, job.seq, { ...accepted, terms, total })) === 0) throw abandoned();
  tx.signal(CONTACT_JOB);
  return { jobId: job.id };
}

export async function abandonSuppressions(store: Store, job: OpenedJob): Promise<void> {
  await store.write((tx) => setAbandoned(tx, job.seq));
}

function abandoned(): AppError {
  return new AppError("STORE_UNAVAILABLE", "The upload took too long and was abandoned.", { retryAfterSeconds: 1 });
}

const ERASED = "The person was erased after the file was accepted.";

/** `created` counts new suppressions, `updated` those widened or already present. */
export async function suppressBatch(tx: Tx, job: ContactJob): Promise<JobBatchResult> {
  const rows = (await takeBatch<SuppressionRow>(tx, job.seq)) ?? [];
  const targets = [...new Set(rows.map(({ target }) => target))];
  const erased = await erasedAmong(tx, job.workspace, targets, job.createdAt);
  const kept = rows.map((one) => (erased.has(one.target) ? { row: one.row, target: "", error: ERASED } : one));
  const good = kept.flatMap((one) => ("error" in one ? [] : one));
  const bad = kept.flatMap((one) => ("error" in one ? one : []));
  const outcomes = await suppressEach(tx, job.workspace, good, { cause: job.id });
  const seen = new Set<string>();
  const added = outcomes.filter(
    ({ outcome, suppression: { id } }) => outcome === "added" && !seen.has(id) && seen.add(id),
  );
  return {
    position: job.position,
    processed: rows.length,
    created: added.length,
    updated: good.length - added.length,
    errors: bad.map(({ row: place, target: about, error }) => ({ place, about, error })),
    isLast: rows.length === 0 || job.processed + rows.length >= job.total,
  };
}
