// The upload of a file of contacts: it is read once, as it arrives, and stored as batches of rows up to its end.
import { AppError, invalidField } from "../../../base/errors.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { TypesOfColumns } from "../../../audience/csv/typing.ts";
import { columnsOf, type ColumnChoice, type CsvColumns } from "../../../audience/csv/columns.ts";
import { letOthersRun, CsvRecords, type CsvEncoding } from "../../../audience/csv/records.ts";
import type { CsvRecord } from "../../../audience/csv/syntax.ts";
import { CONTACT_JOB, openJob, stagingEndsAt } from "../jobs/job.ts";
import { endStaging, type FileJob, insertBatch, keepStaging, setAbandoned, type OpenedJob } from "../jobs/queries.ts";
import { turnOf } from "../../../audience/csv/consent.ts";
import { PackedFile } from "../../../audience/csv/packed/packed-file.ts";
import { readRow, type CsvRow } from "../../../audience/csv/row.ts";
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

/** More batches than a file can have. */
const BATCHES_A_TURN = 100_000_000;

/** Rows read before other requests get their turn. */
const ROWS_A_TURN = 500;

/** Rows as JSON text. Batches are imported in the order of their numbers. */
type RowBatch = { readonly number: number; readonly rows: readonly string[] };

/** A stored file, without its last rows. */
type Upload = {
  readonly workspace: number;
  readonly job: OpenedJob | null;
  readonly total: number;
  readonly last: RowBatch | null;
  /** The hash of the file. */
  readonly sha256: string;
  readonly seen: CsvFacts;
};

/** `choices`, `encoding`, `asksPeople` and `fileName` apply from the first row on. */
export type ImportUploadOptions = {
  readonly workspace: number;
  /** The keys of the workspace's topics. */
  readonly topics: readonly string[];
  /** The keys of existing contacts' data. */
  readonly known: ReadonlySet<string>;
  readonly choices: () => readonly ColumnChoice[];
  readonly encoding: () => CsvEncoding | null;
  readonly asksPeople: () => boolean;
  readonly fileName: () => string | null;
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
  const { workspace, total, last } = upload;
  const job = upload.job ?? (await openStaging(tx, workspace));
  if (last !== null) await insertBatch(tx, job.seq, last.number, last.rows);
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
  readonly #packed: PackedFile;
  readonly #records: CsvRecords;
  #columns: CsvColumns | null = null;
  #types: TypesOfColumns | null = null;
  #window: { readonly email: string; readonly text: string; readonly turn: number }[] = [];
  #windowLength = 0;
  #rows = 0;
  #job: OpenedJob | null = null;
  #batches = 0;

  constructor(
    private readonly store: Store,
    private readonly reading: ImportUploadOptions,
  ) {
    this.#packed = new PackedFile(reading.workspace, true);
    this.#records = new CsvRecords(this.#packed);
  }

  async take(file: AsyncIterable<Uint8Array>): Promise<Upload> {
    for await (const records of this.#records.in(this.#hashed(file), this.reading.encoding)) await this.#add(records);
    if (!this.#columns || !this.#types) throw invalidField("file", "The file is empty.", "empty");
    const batches = this.#cutWindow();
    const last = batches.pop() ?? null;
    await this.#stage(batches);
    const { workspace } = this.reading;
    const sha256 = this.#hash.digest("hex");
    const { files } = this.#packed;
    const seen = { columns: this.#columns, types: this.#types.told(), encoding: this.#records.encoding, files };
    return { workspace, job: this.#job, total: this.#rows, last, sha256, seen };
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
    const { reading } = this;
    this.#columns = headerOf(header, { ...reading, choices: reading.choices(), fileName: reading.fileName() });
    this.#types = new TypesOfColumns(this.#columns);
  }

  #keep(columns: CsvColumns, record: CsvRecord): void {
    const row = readRow(columns, record);
    if (!("error" in row)) this.#types?.add(record.cells);
    const text = JSON.stringify(row);
    this.#rows++;
    this.#window.push({ email: row.email, text, turn: turnIn(record, row) });
    this.#windowLength += text.length;
  }

  /** Rows with the same address keep their order, and their turn in an archive. */
  #cutWindow(): RowBatch[] {
    const rows = this.#window.sort(({ email: one }, { email: other }) => (one < other ? -1 : one > other ? 1 : 0));
    this.#window = [];
    this.#windowLength = 0;
    const mostRows = this.reading.asksPeople() ? MAX_ASKED_A_BATCH : MAX_ROWS_A_BATCH;
    return [...Map.groupBy(rows, ({ turn }) => turn)].flatMap(([turn, some]) =>
      batchesOf(
        some.map(({ text }) => text),
        mostRows,
      ).map((texts) => ({ number: turn * BATCHES_A_TURN + this.#batches++, rows: texts })),
    );
  }

  async #stage(batches: readonly RowBatch[]): Promise<void> {
    for (let from = 0; from < batches.length; from += BATCHES_A_TRANSACTION) {
      const some = batches.slice(from, from + BATCHES_A_TRANSACTION);
      this.#job = await this.store.write((tx) => this.#insert(tx, some));
    }
  }

  async #insert(tx: Tx, batches: readonly RowBatch[]): Promise<OpenedJob> {
    const job = this.#job ?? (await openStaging(tx, this.reading.workspace));
    if ((await keepStaging(tx, job.seq, stagingEndsAt(tx))) === 0) throw abandoned();
    for (const { number, rows } of batches) await insertBatch(tx, job.seq, number, rows);
    return job;
  }
}

/** Only rows of an archive wait for those with an earlier turn. */
export function turnIn({ standing }: CsvRecord, row: CsvRow): number {
  return standing === undefined || "error" in row ? 0 : turnOf(row.standing);
}

function openStaging(tx: Tx, workspace: number): Promise<OpenedJob> {
  return openJob(tx, { workspace, operation: "IMPORT", status: "STAGING", selection: null, total: 0 });
}

/** @throws AppError VALIDATION_ERROR on `file` */
export function headerOf(
  { cells, row, fault, next = [], standing }: CsvRecord,
  given: Parameters<typeof columnsOf>[1],
): CsvColumns {
  if (fault === "open")
    throw invalidField(
      "file",
      `A quote in row ${row}, which has the names of the columns, is never closed.`,
      "invalid_csv",
    );
  return columnsOf(cells, { ...given, first: next, isJoint: standing !== undefined });
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
