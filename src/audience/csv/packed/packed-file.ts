// A workbook or an archive as it arrives. Its directory is at its end, so it is kept in memory, packed; a thread of its
// own reads it.
import { FairQueue } from "../../../base/brakes/fair-queue.ts";
import { SharedBytes, type ByteShare } from "../../../base/brakes/shared-bytes.ts";
import { AppError, invalidField } from "../../../base/errors.ts";
import { ThreadError, WorkerThread } from "../../../base/jobs/worker-thread.ts";
import type { CsvEncoding, PackedReader } from "../records.ts";
import type { CsvRecord } from "../syntax.ts";
import type { FileInArchive } from "./files.ts";
import type { PackedRequest } from "./packed-worker.ts";

/** A sheet of a million contacts has some forty megabytes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** For all files that wait or are being read. A workspace has at most half of the free part. */
const MEMORY = new SharedBytes(4 * MAX_BYTES);
/** Two threads at a time, of two workspaces. */
const TURNS = new FairQueue(2, 1);
/** A last resort: the next rows of the largest sheet take some seconds. */
const LONGEST_MS = 120_000;

export class PackedFile implements PackedReader {
  readonly #share: ByteShare;
  #pieces: Uint8Array[] = [];
  #size = 0;
  files: readonly FileInArchive[] = [];

  /** `mayBeArchive`: it may have several files of contacts in it. */
  constructor(
    private readonly workspace: number,
    readonly mayBeArchive = false,
  ) {
    this.#share = MEMORY.share(String(workspace));
  }

  get encoding(): CsvEncoding | null {
    return this.files.find(({ encoding }) => encoding !== "utf-8")?.encoding ?? null;
  }

  /** @throws AppError VALIDATION_ERROR on `file`, SERVER_BUSY */
  push(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#size > MAX_BYTES) throw invalidField("file", BIG, "big_file");
    if (!this.#share.take(piece.length))
      throw new AppError("SERVER_BUSY", "Other workbooks and archives are being read.", { retryAfterSeconds: 5 });
    this.#pieces.push(piece.slice());
  }

  /** @throws AppError VALIDATION_ERROR on `file` */
  async *records(encoding: CsvEncoding | null): AsyncGenerator<readonly CsvRecord[]> {
    const release = await TURNS.take({ owner: this.workspace });
    const thread = new WorkerThread<PackedRequest>({
      name: "The thread that reads a workbook or an archive",
      start: () => new Worker(new URL("./packed-worker.ts", import.meta.url).href, { smol: true }),
      opening: { kind: "open" },
      longestMs: LONGEST_MS,
    });
    try {
      const bytes = this.#whole();
      const { mayBeArchive } = this;
      await thread.ask({ kind: "take", bytes, mayBeArchive, encoding }, [bytes.buffer as ArrayBuffer]);
      const next = () => thread.ask<readonly CsvRecord[] | null>({ kind: "next" });
      for (let rows = await next(); rows; rows = await next()) yield rows;
      if (mayBeArchive) this.files = await thread.ask<readonly FileInArchive[]>({ kind: "files" });
    } catch (error) {
      if (!(error instanceof ThreadError) || error.path !== "file") throw error;
      throw invalidField("file", error.message, error.code);
    } finally {
      await thread.close();
      release();
    }
  }

  /** Gives its memory back. */
  [Symbol.dispose](): void {
    this.#pieces = [];
    this.#share.release();
  }

  #whole(): Buffer {
    const whole = Buffer.from(new ArrayBuffer(this.#size));
    let at = 0;
    for (const piece of this.#pieces) {
      whole.set(piece, at);
      at += piece.length;
    }
    this.#pieces = [];
    return whole;
  }
}

const BIG =
  "This file is bigger than the 64 MB of a workbook or an archive. Save the contacts as CSV, and import that file.";
