// Taking in a file of contacts: read once, as it comes, and kept as batches of rows until the last of it is there.
import { AppError, invalidField } from "../../errors.ts";
import type { Store, Tx } from "../../store/store.ts";
import { columnsOf, type Columns } from "../csv/columns.ts";
import { CsvReader, type CsvRecord } from "../csv/syntax.ts";
import { CONTACT_JOB, openJob, stagingEndsAt, type Job } from "./job.ts";
import { endStaging, insertBatch, keepStaging, setAbandoned } from "./queries.ts";
import { readRow, type Row } from "./row.ts";

/** A batch is imported in one change: few enough for about ten milliseconds. */
const MAX_ROWS_A_BATCH = 400;
/**
 * So many rows are put in the order of their addresses before they are cut into batches: a batch then lies close together in
 * the index of addresses, and writes a tenth of its pages.
 */
const MAX_ROWS_A_WINDOW = 8_000;
/** Of a window, so many are stored in one change: a commit for each would take most of the time. */
const BATCHES_A_CHANGE = 4;
/** Characters, as they are kept. */
const MAX_BATCH_CHARS = 128 * 1024;
const MAX_WINDOW_CHARS = 4 * 1024 * 1024;

/** Rows that are read before other requests have their turn. */
const ROWS_A_TURN = 500;

type Kept = { readonly email: string; readonly text: string };

/** A file that is stored but for its last rows. */
type Upload = {
  readonly workspace: number;
  readonly job: Job | null;
  readonly batches: number;
  readonly total: number;
  readonly lastRows: string | null;
  /** Of the file. */
  readonly sha256: string;
};

/**
 * Reads a file of contacts (interface-gaps.md §3) to its end. Nothing that is stored counts before `acceptUpload`.
 * @throws AppError VALIDATION_ERROR on `file`, and whatever reading `file` throws
 */
export async function takeUpload(store: Store, workspace: number, file: AsyncIterable<Uint8Array>): Promise<Upload> {
  const staging = new Staging(store, workspace);
  try {
    return await staging.take(file);
  } catch (error) {
    await staging.abandon();
    throw error;
  }
}

/** From now on the import happens, whatever happens to this process. @throws AppError CONFLICT, STORE_UNAVAILABLE if the upload took too long */
export async function acceptUpload(tx: Tx, upload: Upload): Promise<{ jobId: string }> {
  const { workspace, total, batches, lastRows } = upload;
  const job =
    upload.job ?? (await openJob(tx, { workspace, operation: "IMPORT", status: "STAGING", selection: null, total }));
  if (lastRows !== null) await insertBatch(tx, job.seq, batches, lastRows);
  if ((await endStaging(tx, workspace, job.seq, total)) === 0) throw abandoned();
  tx.signal(CONTACT_JOB);
  return { jobId: job.id };
}

/** For an upload that is not accepted: it was taken before. */
export async function abandonUpload(store: Store, { job }: Upload): Promise<void> {
  if (job) await store.write((tx) => setAbandoned(tx, job.seq));
}

class Staging {
  readonly #reader = new CsvReader();
  readonly #hash = new Bun.CryptoHasher("sha256");
  #columns: Columns | null = null;
  #window: Kept[] = [];
  #windowLength = 0;
  #rows = 0;
  #job: Job | null = null;
  #batches = 0;

  constructor(
    private readonly store: Store,
    private readonly workspace: number,
  ) {}

  async take(file: AsyncIterable<Uint8Array>): Promise<Upload> {
    const decoder = new TextDecoder("utf-8", { fatal: true });
    for await (const piece of file) {
      this.#hash.update(piece);
      await this.#add(this.#reader.push(decoded(() => decoder.decode(piece, { stream: true }))));
    }
    await this.#add(this.#reader.push(decoded(() => decoder.decode())));
    await this.#add(this.#reader.end());
    if (!this.#columns) throw invalidField("file", "The file is empty.", "empty");
    const last = this.#cutWindow();
    const lastRows = last.pop() ?? null;
    await this.#stage(last);
    const { workspace } = this;
    const sha256 = this.#hash.digest("hex");
    return { workspace, job: this.#job, batches: this.#batches, total: this.#rows, lastRows, sha256 };
  }

  async abandon(): Promise<void> {
    const job = this.#job;
    if (job) await this.store.write((tx) => setAbandoned(tx, job.seq));
  }

  async #add(records: Iterable<CsvRecord>): Promise<void> {
    for (const record of records) {
      if (this.#columns) this.#keep(readRow(this.#columns, record));
      else this.#columns = columnsOf(record.cells);
      if (this.#rows % ROWS_A_TURN === 0) await letOthersRun();
      if (this.#window.length < MAX_ROWS_A_WINDOW && this.#windowLength < MAX_WINDOW_CHARS) continue;
      await this.#stage(this.#cutWindow());
    }
  }

  #keep(row: Row): void {
    const text = JSON.stringify(row);
    this.#rows++;
    this.#window.push({ email: row.email, text });
    this.#windowLength += text.length;
  }

  /** Rows of one address keep their order. */
  #cutWindow(): string[] {
    const rows = this.#window.sort(({ email: one }, { email: other }) => (one < other ? -1 : one > other ? 1 : 0));
    this.#window = [];
    this.#windowLength = 0;
    return batchesOf(rows.map(({ text }) => text));
  }

  async #stage(contents: readonly string[]): Promise<void> {
    for (let from = 0; from < contents.length; from += BATCHES_A_CHANGE) {
      const some = contents.slice(from, from + BATCHES_A_CHANGE);
      this.#job = await this.store.write((tx) => this.#insert(tx, some));
      this.#batches += some.length;
    }
  }

  async #insert(tx: Tx, contents: readonly string[]): Promise<Job> {
    const { workspace } = this;
    const job =
      this.#job ??
      (await openJob(tx, { workspace, operation: "IMPORT", status: "STAGING", selection: null, total: 0 }));
    if ((await keepStaging(tx, job.seq, stagingEndsAt(tx))) === 0) throw abandoned();
    for (const [index, content] of contents.entries()) await insertBatch(tx, job.seq, this.#batches + index, content);
    return job;
  }
}

function letOthersRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function batchesOf(rows: readonly string[]): string[] {
  const batches: string[] = [];
  for (let from = 0; from < rows.length;) {
    let to = from;
    for (let length = 0; to < rows.length && to - from < MAX_ROWS_A_BATCH && length < MAX_BATCH_CHARS; to++) {
      length += rows[to]?.length ?? 0;
    }
    batches.push(`[${rows.slice(from, to).join(",")}]`);
    from = to;
  }
  return batches;
}

function decoded(decode: () => string): string {
  try {
    return decode();
  } catch {
    throw invalidField("file", "The file is not UTF-8.", "invalid_encoding");
  }
}

function abandoned(): AppError {
  return new AppError("STORE_UNAVAILABLE", "The upload took too long and was given up.", { retryAfterSeconds: 1 });
}
