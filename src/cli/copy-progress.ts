// How a copy goes on: one line a table, refreshed in place for a person, written now and then where there is no terminal.
import type { Clock } from "../clock.ts";
import type { Step } from "../store/copy/table.ts";
import type { Io } from "./verb.ts";

const SHOWN_EVERY_MS = 1_000;
const WRITTEN_EVERY_MS = 5_000;

export class CopyProgress {
  readonly #io: Io;
  readonly #clock: Clock;
  /** What is done now with which table, how many rows of it in this run, and since when. */
  #part = { name: "", rows: 0, sinceMs: 0 };
  #lastStepMs: number;
  #toldMs: number;

  constructor(io: Io, clock: Clock) {
    this.#io = io;
    this.#clock = clock;
    this.#lastStepMs = this.#toldMs = clock.monotonicMs();
  }

  step(step: Step): void {
    const nowMs = this.#clock.monotonicMs();
    const name = `${step.table} ${step.phase}`;
    // A table has been under way since the last step of the one before it.
    if (this.#part.name !== name) this.#part = { name, rows: 0, sinceMs: this.#lastStepMs };
    this.#part.rows += step.added;
    this.#lastStepMs = nowMs;
    const everyMs = this.#io.show ? SHOWN_EVERY_MS : WRITTEN_EVERY_MS;
    const isDone = step.rows === step.total;
    if (!isDone && nowMs - this.#toldMs < everyMs) return;
    this.#toldMs = nowMs;
    this.#tell(progressLine(step, this.#rowsASecond(nowMs)), isDone);
  }

  /** Says something that is no progress. */
  note(line: string): void {
    this.end();
    this.#io.err(line);
  }

  /** To be called before anything else is written. */
  end(): void {
    this.#io.show?.("");
  }

  /** The last line of a table stays. */
  #tell(line: string, isDone: boolean): void {
    if (this.#io.show) this.#io.show(isDone ? `${line}\n` : line);
    else this.#io.err(line);
  }

  #rowsASecond(nowMs: number): number {
    return Math.round((this.#part.rows * 1000) / Math.max(nowMs - this.#part.sinceMs, 1));
  }
}

function progressLine({ table, phase, rows, total }: Step, rowsASecond: number): string {
  const percent = Math.floor((rows / total) * 100);
  return `${table}: ${phase} ${grouped(rows)} of ${grouped(total)} rows (${percent} %), ${grouped(rowsASecond)} rows a second`;
}

/** `412,345` */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
