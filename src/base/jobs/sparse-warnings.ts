// Warnings that strangers can cause as often as they like: logged once in a while, with the number of omitted ones.
import { BoundedMap } from "../brakes/bounded-map.ts";
import type { Clock } from "../clock.ts";
import type { Log, LogFields } from "../log.ts";

type WarningTally = { readonly atMs: number; leftOut: number };

/** Of so many kinds at most it is remembered that they were said: a stranger may be able to make up more. */
const MOST_KINDS = 10_000;

export class SparseWarnings {
  readonly #said = new BoundedMap<string, WarningTally>(MOST_KINDS);

  /** Each kind once in `everyMs`. */
  constructor(
    private readonly log: Log,
    private readonly clock: Pick<Clock, "monotonicMs">,
    private readonly everyMs: number,
  ) {}

  /** `kind` tells apart what is said for itself. */
  warn(message: string, fields: LogFields = {}, kind = message): void {
    const nowMs = this.clock.monotonicMs();
    const before = this.#said.get(kind);
    if (before && nowMs - before.atMs < this.everyMs) return void before.leftOut++;
    this.#said.set(kind, { atMs: nowMs, leftOut: 0 });
    this.log.warn(message, { ...fields, ...(before?.leftOut ? { moreSinceLastLine: before.leftOut } : {}) });
  }
}
