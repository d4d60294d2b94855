// Gives the free pages of a SQLite file back to the system, a few at a time, so that a server beside it goes on.
import type { Database } from "bun:sqlite";
import type { Clock } from "../../base/clock.ts";
import { Stride } from "../../base/jobs/stride.ts";
import { connect, lockFile } from "./connection.ts";

export type CompactionResult = { readonly bytesBefore: number; readonly bytesAfter: number };

type CompactionOptions = {
  readonly clock: Clock;
  /** Called after each step, with the pages that are still free; the next step waits for it. */
  readonly onStep: (freePages: number, tookMs: number) => Promise<void>;
};

/** Pages per step. Each one is read, written elsewhere, and references to it are changed. */
const STEP = { first: 16, least: 4, most: 512, aimMs: 4 };
/** After this many pages the log is copied back, which makes the file shorter. */
const PAGES_A_CHECKPOINT = 4_000;

export class FileToCompact implements Disposable {
  readonly #database: Database;
  readonly #unlock: (() => void) | null;

  constructor(path: string) {
    this.#unlock = lockFile(`${path}.lock`);
    this.#database = connect(path);
  }

  /** True while a server is at work on it. */
  get isServed(): boolean {
    return this.#unlock === null;
  }

  get bytes(): number {
    return this.#number("page_count") * this.#number("page_size");
  }

  get freePages(): number {
    return this.#number("freelist_count");
  }

  /** Each step is a transaction of a few milliseconds. */
  async inSteps({ clock, onStep }: CompactionOptions): Promise<CompactionResult> {
    const bytesBefore = this.bytes;
    const stride = new Stride(STEP);
    for (let left = this.freePages, copied = left; left > 0;) {
      const startMs = clock.monotonicMs();
      this.#database.query(`pragma incremental_vacuum(${stride.length})`).all();
      const tookMs = clock.monotonicMs() - startMs;
      stride.took(tookMs);
      left = this.freePages;
      if (copied - left > PAGES_A_CHECKPOINT) {
        this.#copyLogBack();
        copied = left;
      }
      await onStep(left, tookMs);
    }
    this.#copyLogBack();
    return { bytesBefore, bytesAfter: this.bytes };
  }

  [Symbol.dispose](): void {
    this.#database.close();
    this.#unlock?.();
  }

  #copyLogBack(): void {
    this.#database.query("pragma wal_checkpoint(passive)").all();
  }

  #number(pragma: "page_count" | "page_size" | "freelist_count"): number {
    const [[value]] = this.#database.query(`pragma ${pragma}`).values() as [[number]];
    return value;
  }
}
