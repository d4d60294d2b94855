// When each key set was last used, to the minute: kept in memory, and written once a minute.
import { NOTHING_DUE } from "../../base/jobs/due.ts";
import { iso, MINUTE_MS } from "../../base/clock.ts";
import type { Ground } from "../../ground/ground.ts";
import { noteKeyUse } from "./key-queries.ts";

/** A statement names no more key sets than this. */
const MOST_AT_ONCE = 500;

/** A request pays for an entry in a map, and waits for no write. The notes of the minute before a crash are lost. */
export class KeyUseLog {
  /** The minute of the last use, by the id of the key set. */
  readonly #minutes = new Map<string, number>();

  constructor(private readonly ground: Pick<Ground, "store" | "clock">) {}

  note(keySet: string): void {
    this.#minutes.set(keySet, minuteOf(this.ground.clock.nowMs()));
  }

  /** Writes the notes, and answers how long a loop may rest. */
  async step(): Promise<number> {
    const noted = [...this.#minutes].slice(0, MOST_AT_ONCE);
    if (noted.length === 0) return NOTHING_DUE;
    await this.ground.store.write(async (tx) => {
      for (const [minute, keySets] of byMinute(noted)) await noteKeyUse(tx, keySets, iso(minute));
    });
    for (const [keySet, minute] of noted) if (this.#minutes.get(keySet) === minute) this.#minutes.delete(keySet);
    return noted.length < MOST_AT_ONCE ? NOTHING_DUE : 0;
  }

  /** Writes the remaining notes. */
  async end(): Promise<void> {
    while ((await this.step()) === 0);
  }
}

function minuteOf(ms: number): number {
  return ms - (ms % MINUTE_MS);
}

function byMinute(noted: readonly (readonly [keySet: string, minute: number])[]): Map<number, string[]> {
  const groups = new Map<number, string[]>();
  for (const [keySet, minute] of noted) groups.set(minute, [...(groups.get(minute) ?? []), keySet]);
  return groups;
}
