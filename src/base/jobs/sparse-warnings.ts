// Warnings that strangers can cause as often as they like: logged once in an interval, with the number of omitted ones.
import { BoundedMap } from "../brakes/bounded-map.ts";
import type { Clock } from "../clock.ts";
import type { Log, LogFields } from "../log.ts";

type WarningTally = { readonly atMs: number; leftOut: number };

/** The limit on remembered kinds: a stranger may be able to make up more. */
const MOST_KINDS = 10_000;

export class SparseWarnings {
  readonly #said = new BoundedMap<string, WarningTally>(MOST_KINDS);

  /** Logs each kind once in `everyMs`. */
  constructor(
    private readonly log: Log,
    private readonly clock: Pick<Clock, "monotonicMs">,
    private readonly everyMs: number,
  ) {}

  /** `kind` groups the warnings that are logged once together. */
  warn(message: string, fields: LogFields = {}, kind = message): void {
    const nowMs = this.clock.monotonicMs();
    const before = this.#said.get(kind);
    if (before && nowMs - before.atMs < this.everyMs) return void before.leftOut++;
    this.#said.set(kind, { atMs: nowMs, leftOut: 0 });
    this.log.warn(message, { ...fields, ...(before?.leftOut ? { moreSinceLastLine: before.leftOut } : {}) });
  }
}
