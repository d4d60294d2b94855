// The upload of a file of contacts: it is read once, as it arrives, and stored as batches of rows up to its end.
import { AppError, invalidField } from "../../../base/errors.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { TypesOfColumns } from "../../../audience/csv/typing.ts";
import { columnsOf, type ColumnChoice, type CsvColumns } from "../../../audience/csv/columns.ts";
import { letOthersRun, CsvRecords, type CsvEncoding } from "../../../audience/csv/records.ts";
import type { CsvRecord } from "../../../audience/csv/syntax.ts";
import { CONTACT_JOB, openJob, stagingEndsAt } from "../jobs/job.ts";
import { endStaging, type FileJob, insertBatch, keepStaging, setAbandoned, type OpenedJob } from "../jobs/queries.ts";
import { readRow } from "../../../audience/csv/row.ts";
import type { CsvFacts } from "../terms.ts";

/** Rows of a batch, which is imported in one transaction of about ten milliseconds, … */
const MAX_ROWS_A_BATCH = 400;
/** … even if each new person is sent a mail. */
const MAX_ASKED_A_BATCH = 25;
/**
 * Rows sorted by address before they are cut into batches: the rows of a batch are then neighbours in the index of
 * addresses, and write a tenth of its pages.
 */
const MAX_ROWS_A_WINDOW = 8_000;
/** Batches of a window stored by one transaction: a commit for each would take most of the time. */
const BATCHES_A_TRANSACTION = 4;
/** In characters as stored. */
const MAX_BATCH_CHARS = 128 * 1024;
const MAX_WINDOW_CHARS = 4 * 1024 * 1024;

/** Rows read before other requests get their turn. */
const ROWS_A_TURN = 500;

/** A stored file, without its last rows. */
type Upload = {
  readonly workspace: number;
  readonly job: OpenedJob | null;
  readonly batches: number;
  readonly total: number;
  readonly lastRows: readonly string[] | null;
  /** The hash of the file. */
  readonly sha256: string;
  readonly seen: CsvFacts;
};

/** `choices`, `encoding` and `asksPeople` apply from the first row on. */
export type ImportUploadOptions = {
  readonly workspace: number;
  /** The keys of the workspace's topics. */
  readonly topics: readonly string[];
  /** The keys of existing contacts' data. */
  readonly known: ReadonlySet<string>;
  readonly choices: () => readonly ColumnChoice[];
  readonly encoding: () => CsvEncoding | null;
  readonly asksPeople: () => boolean;
};

/**
 * Reads a file of contacts to its end. Stored rows take effect only with `acceptUpload`.
 * @throws AppError VALIDATION_ERROR on `file`, and the errors of reading `file`
 */
export async function takeUpload(
  store: Store,
  reading: ImportUploadOptions,
  file: AsyncIterable<Uint8Array>,
): Promise<Upload> {
  const staging = new UploadStage(store, reading);
  try {
    return await staging.take(file);
  } catch (error) {
    await staging.abandon();
    throw error;
  }
}

/**
 * Makes the import final, even if this process dies.
 * @throws AppError CONFLICT, STORE_UNAVAILABLE if the upload took too long
 */
export async function acceptUpload(
  tx: Tx,
  upload: Upload,
  accepted: Omit<FileJob, "total">,
): Promise<{ jobId: string }> {
  const { workspace, total, batches, lastRows } = upload;
  const job = upload.job ?? (await openStaging(tx, workspace));
  if (lastRows !== null) await insertBatch(tx, job.seq, batches, lastRows);
  if ((await endStaging(tx, workspace, job.seq, { ...accepted, total })) === 0) throw abandoned();
  tx.signal(CONTACT_JOB);
  return { jobId: job.id };
}

/** For an upload that is not accepted since its Idempotency-Key was used before. */
export async function abandonUpload(store: Store, { job }: Pick<Upload, "job">): Promise<void> {
  if (job) await store.write((tx) => setAbandoned(tx, job.seq));
}

class UploadStage {
  readonly #hash = new Bun.CryptoHasher("sha256");
  readonly #records: CsvRecords;
  #columns: CsvColumns | null = null;
  #types: TypesOfColumns | null = null;
  /** Rows as JSON text. */
  #window: { readonly email: string; readonly text: string }[] = [];
  #windowLength = 0;
  #rows = 0;
  #job: OpenedJob | null = null;
  #batches = 0;

  constructor(
    private readonly store: Store,
    private readonly reading: ImportUploadOptions,
  ) {
    this.#records = new CsvRecords(reading.workspace);
  }

  async take(file: AsyncIterable<Uint8Array>): Promise<Upload> {
    for await (const records of this.#records.in(this.#hashed(file), this.reading.encoding)) await this.#add(records);
    if (!this.#columns || !this.#types) throw invalidField("file", "The file is empty.", "empty");
    const last = this.#cutWindow();
    const lastRows = last.pop() ?? null;
    await this.#stage(last);
    const { workspace } = this.reading;
    const sha256 = this.#hash.digest("hex");
    const seen = { columns: this.#columns, types: this.#types.told(), encoding: this.#records.encoding };
    return { workspace, job: this.#job, batches: this.#batches, total: this.#rows, lastRows, sha256, seen };
  }

  async *#hashed(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of file) {
      this.#hash.update(piece);
      yield piece;
    }
  }

  async abandon(): Promise<void> {
    await abandonUpload(this.store, { job: this.#job });
  }

  async #add(records: Iterable<CsvRecord>): Promise<void> {
    for (const record of records) {
      if (this.#columns) this.#keep(this.#columns, record);
      else this.#begin(record);
      if (this.#rows % ROWS_A_TURN === 0) await letOthersRun();
      if (this.#window.length < MAX_ROWS_A_WINDOW && this.#windowLength < MAX_WINDOW_CHARS) continue;
      await this.#stage(this.#cutWindow());
    }
  }

  #begin(header: CsvRecord): void {
    this.#columns = headerOf(header, { ...this.reading, choices: this.reading.choices() });
    this.#types = new TypesOfColumns(this.#columns);
  }

  #keep(columns: CsvColumns, record: CsvRecord): void {
    const row = readRow(columns, record);
    if (!("error" in row)) this.#types?.add(record.cells);
    const text = JSON.stringify(row);
    this.#rows++;
    this.#window.push({ email: row.email, text });
    this.#windowLength += text.length;
  }

  /** Rows with the same address keep their order. */
  #cutWindow(): string[][] {
    const rows = this.#window.sort(({ email: one }, { email: other }) => (one < other ? -1 : one > other ? 1 : 0));
    this.#window = [];
    this.#windowLength = 0;
    return batchesOf(
      rows.map(({ text }) => text),
      this.reading.asksPeople() ? MAX_ASKED_A_BATCH : MAX_ROWS_A_BATCH,
    );
  }

  async #stage(batches: readonly (readonly string[])[]): Promise<void> {
    for (let from = 0; from < batches.length; from += BATCHES_A_TRANSACTION) {
      const some = batches.slice(from, from + BATCHES_A_TRANSACTION);
      this.#job = await this.store.write((tx) => this.#insert(tx, some));
      this.#batches += some.length;
    }
  }

  async #insert(tx: Tx, batches: readonly (readonly string[])[]): Promise<OpenedJob> {
    const job = this.#job ?? (await openStaging(tx, this.reading.workspace));
    if ((await keepStaging(tx, job.seq, stagingEndsAt(tx))) === 0) throw abandoned();
    for (const [index, rows] of batches.entries()) await insertBatch(tx, job.seq, this.#batches + index, rows);
    return job;
  }
}

function openStaging(tx: Tx, workspace: number): Promise<OpenedJob> {
  return openJob(tx, { workspace, operation: "IMPORT", status: "STAGING", selection: null, total: 0 });
}

/** @throws AppError VALIDATION_ERROR on `file` */
export function headerOf(
  { cells, row, fault, next = [] }: CsvRecord,
  given: Parameters<typeof columnsOf>[1],
): CsvColumns {
  if (fault === "open")
    throw invalidField(
      "file",
      `A quote in row ${row}, which has the names of the columns, is never closed.`,
      "invalid_csv",
    );
  return columnsOf(cells, { ...given, first: next });
}

function batchesOf(rows: readonly string[], mostRows: number): string[][] {
  const batches: string[][] = [];
  for (let from = 0; from < rows.length;) {
    let to = from;
    for (let length = 0; to < rows.length && to - from < mostRows && length < MAX_BATCH_CHARS; to++) {
      length += rows[to]?.length ?? 0;
    }
    batches.push(rows.slice(from, to));
    from = to;
  }
  return batches;
}

function abandoned(): AppError {
  return new AppError("STORE_UNAVAILABLE", "The upload took too long and was abandoned.", { retryAfterSeconds: 1 });
}
