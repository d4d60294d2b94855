// The progress of long work: a line refreshed in place for a person, written now and then if there is no terminal.
import type { Clock } from "../../base/clock.ts";
import type { CopyStep } from "../../store/copy/table.ts";
import type { Io } from "./verb.ts";

const SHOWN_EVERY_MS = 1_000;
const WRITTEN_EVERY_MS = 5_000;

export class ProgressLine {
  #lastMs: number;

  constructor(
    readonly io: Io,
    readonly clock: Clock,
  ) {
    this.#lastMs = clock.monotonicMs();
  }

  /** Shows the line, unless one was shown just before; the line of a finished part is always shown, and stays. */
  at(line: string, isDone = false): void {
    const nowMs = this.clock.monotonicMs();
    const everyMs = this.io.show ? SHOWN_EVERY_MS : WRITTEN_EVERY_MS;
    if (!isDone && nowMs - this.#lastMs < everyMs) return;
    this.#lastMs = nowMs;
    if (this.io.show) this.io.show(isDone ? `${line}\n` : line);
    else this.io.err(line);
  }

  /** Removes the line in place. */
  end(): void {
    this.io.show?.("");
  }
}

/** The progress of a copy: one line a table, with the rows a second of this run. */
export class CopyProgress extends ProgressLine {
  /** The present phase and table, its rows in this run, and its start. */
  #part = { name: "", rows: 0, sinceMs: 0 };
  #lastStepMs: number;

  constructor(io: Io, clock: Clock) {
    super(io, clock);
    this.#lastStepMs = clock.monotonicMs();
  }

  step({ table, phase, rows, total, added }: CopyStep): void {
    const nowMs = this.clock.monotonicMs();
    const name = `${table} ${phase}`;
    // A table begins with the last step of the one before it.
    if (this.#part.name !== name) this.#part = { name, rows: 0, sinceMs: this.#lastStepMs };
    this.#part.rows += added;
    this.#lastStepMs = nowMs;
    const percent = Math.floor((rows / total) * 100);
    const rate = Math.round((this.#part.rows * 1000) / Math.max(nowMs - this.#part.sinceMs, 1));
    const done = `${grouped(rows)} of ${grouped(total)} rows (${percent} %), ${grouped(rate)} rows a second`;
    this.at(`${table}: ${phase} ${done}`, rows === total);
  }
}

/** `412,345` */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
