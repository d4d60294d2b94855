// The figures of the store about itself, on either engine.
import type { Clock } from "../../base/clock.ts";
import { histogram, SECONDS, type MetricCount } from "../../base/metrics/metric.ts";
import { Metrics } from "../../base/metrics/metrics.ts";
import type { StoreOptions } from "../schema.ts";

const COMMIT_SECONDS = histogram(
  "posthorn_commit_duration_seconds",
  "How long a commit took to become durable.",
  SECONDS,
);
const WRITES = histogram(
  "posthorn_commit_writes",
  "Changes that became durable with one commit.",
  [1, 2, 4, 8, 16, 32, 64, 128, 256],
);
const LONG_READ_SECONDS = histogram(
  "posthorn_long_read_duration_seconds",
  "How long reads beside the main thread took, waiting for their turn included.",
  SECONDS,
);

export class StoreFigures {
  /** When a change last became durable. */
  lastWriteMs = -Infinity;
  readonly #metrics: Metrics;
  readonly #clock: Clock;

  /** Verbs of the command line have no page to show figures on. */
  constructor({ metrics = new Metrics(), clock }: StoreOptions) {
    this.#metrics = metrics;
    this.#clock = clock;
  }

  /** Called before a commit; returns the function to call after it. */
  beginCommit(): (writes: number, hasChanged: boolean) => void {
    const startedMs = this.#clock.monotonicMs();
    return (writes, hasChanged) => {
      const nowMs = this.#clock.monotonicMs();
      this.#metrics.observe(COMMIT_SECONDS, (nowMs - startedMs) / 1000);
      this.#metrics.observe(WRITES, writes);
      if (hasChanged) this.lastWriteMs = nowMs;
    };
  }

  async longRead<Result>(read: () => Promise<Result>): Promise<Result> {
    const startedMs = this.#clock.monotonicMs();
    const result = await read();
    this.#metrics.observe(LONG_READ_SECONDS, (this.#clock.monotonicMs() - startedMs) / 1000);
    return result;
  }

  /** Adds the counts of a transaction, once it is durable. */
  count(counts: readonly MetricCount[]): void {
    for (const count of counts) this.#metrics.count(count);
  }
}
