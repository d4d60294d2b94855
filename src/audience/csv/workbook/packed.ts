// A workbook as it arrives. Its directory is at its end, so it is kept in memory, packed; a thread of its own reads it.
import { FairQueue } from "../../../base/brakes/fair-queue.ts";
import { SharedBytes, type ByteShare } from "../../../base/brakes/shared-bytes.ts";
import { AppError, invalidField } from "../../../base/errors.ts";
import { ThreadError, WorkerThread } from "../../../base/jobs/worker-thread.ts";
import type { CsvRecord } from "../syntax.ts";
import { isWorkbookCode, WorkbookFault } from "./fault.ts";
import type { WorkbookRequest } from "./workbook-worker.ts";

/** A sheet of a million contacts has some forty megabytes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Of all that are waiting or being read. A workspace has at most half of what is left. */
const MEMORY = new SharedBytes(4 * MAX_BYTES);
/** Two threads at a time, of two workspaces. */
const TURNS = new FairQueue(2, 1);
/** A last resort: the next rows of the largest sheet take some seconds. */
const LONGEST_MS = 120_000;

/** Of the container of old files of Office, and of encrypted ones. */
const OLD_SIGN = 0xd0;
const ENCRYPTED = Buffer.from("EncryptedPackage", "utf16le");

export class PackedWorkbook {
  readonly #share: ByteShare;
  #pieces: Uint8Array[] = [];
  #size = 0;

  constructor(private readonly workspace: number) {
    this.#share = MEMORY.share(String(workspace));
  }

  /** @throws AppError VALIDATION_ERROR on `file`, SERVER_BUSY */
  push(piece: Uint8Array): void {
    this.#size += piece.length;
    if (this.#size > MAX_BYTES) throw unreadable(new WorkbookFault("big_file"));
    if (!this.#share.take(piece.length))
      throw new AppError("SERVER_BUSY", "Other workbooks are being read.", { retryAfterSeconds: 5 });
    this.#pieces.push(piece.slice());
  }

  /** @throws AppError VALIDATION_ERROR on `file` */
  async *records(): AsyncGenerator<readonly CsvRecord[]> {
    const bytes = this.#whole();
    if (bytes[0] === OLD_SIGN)
      throw unreadable(new WorkbookFault(bytes.includes(ENCRYPTED) ? "protected_file" : "spreadsheet_file"));
    const release = await TURNS.take({ owner: this.workspace });
    const thread = new WorkerThread<WorkbookRequest>({
      name: "The thread that reads a workbook",
      start: () => new Worker(new URL("./workbook-worker.ts", import.meta.url).href, { smol: true }),
      opening: { kind: "open" },
      longestMs: LONGEST_MS,
    });
    try {
      await thread.ask({ kind: "take", bytes }, [bytes.buffer as ArrayBuffer]);
      const next = () => thread.ask<readonly CsvRecord[] | null>({ kind: "next" });
      for (let rows = await next(); rows; rows = await next()) yield rows;
    } catch (error) {
      throw error instanceof ThreadError && isWorkbookCode(error.code) ? unreadable(error) : error;
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

function unreadable({ message, code }: { readonly message: string; readonly code?: string | undefined }): AppError {
  return invalidField("file", message, code);
}
