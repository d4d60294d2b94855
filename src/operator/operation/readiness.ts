// The readiness of this server: what /ready says to load balancers and supervisors.
import type { Clock } from "../../base/clock.ts";
import type { FieldError } from "../../base/errors.ts";
import type { Ground } from "../../ground/ground.ts";
import type { Space } from "../../store/space.ts";
import type { Store } from "../../store/store.ts";
import { hasWorkspace } from "./queries.ts";
import { touchInstallation } from "../../store/installation.ts";

/** The state of the rest of the process. */
export type ProcessHealth = {
  /** Loops that do not come to the end of a batch. */
  readonly stuckLoops: () => readonly string[];
  /** Another data directory ships to the destination of the stream: it may have taken this server's place. */
  readonly isRefused: () => boolean;
  /** Where changes are written; null = on another server. */
  readonly space: () => Space | null;
};

/** A change that became durable within this time shows that the store works. */
const FRESH_MS = 10_000;
/** Balancers probe every few seconds, and give up soon. */
const MAX_PROBE_MS = 3_000;

export class Readiness {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #watched: ProcessHealth;
  /** The largest body is written to the log and to the database; the probe is tiny, and would still fit. */
  readonly #leastBytes: number;
  /** Concurrent requests share one probe. */
  #probe: Promise<string | null> | null = null;

  constructor({ store, clock, config }: Pick<Ground, "store" | "clock" | "config">, watched: ProcessHealth) {
    this.#store = store;
    this.#clock = clock;
    this.#watched = watched;
    this.#leastBytes = 2 * config.limits.bodyBytes;
  }

  /** The missing conditions; empty = ready. The store was migrated before the first request. */
  async missing(): Promise<readonly FieldError[]> {
    const unwritable = this.#isFresh ? null : await (this.#probe ??= this.#tryToWrite());
    if (unwritable !== null)
      return [fault("store", "unwritable", `Nothing can be stored: ${unwritable}`), ...this.#known];
    const hasOne = await this.#store.read(hasWorkspace);
    return [...(hasOne ? [] : [fault("workspaces", "none", "There is no workspace yet.")]), ...this.#known];
  }

  get #known(): FieldError[] {
    return [...this.#short, ...this.#streamFaults, ...this.#stuck];
  }

  get #short(): FieldError[] {
    const space = this.#watched.space();
    if (!space || space.freeBytes === null || space.freeBytes >= this.#leastBytes) return [];
    const megabytes = Math.floor(space.freeBytes / 1e6);
    return [
      fault("disk", "full", `Only ${megabytes} MB are free on the disk of ${space.path}: large emails are refused.`),
    ];
  }

  get #streamFaults(): FieldError[] {
    if (!this.#watched.isRefused()) return [];
    const message = "Another data directory ships to the place of backup.stream, so this installation is held.";
    return [fault("stream", "refused", message)];
  }

  get #isFresh(): boolean {
    return this.#clock.monotonicMs() - this.#store.lastWriteMs < FRESH_MS;
  }

  get #stuck(): FieldError[] {
    return this.#watched.stuckLoops().map((name) => fault("loops", "stuck", `The loop does not go on: ${name}.`));
  }

  /** Null if the write succeeded, or why not. */
  async #tryToWrite(): Promise<string | null> {
    const late = Promise.withResolvers<string>();
    this.#clock.timeout(MAX_PROBE_MS).addEventListener("abort", () => late.resolve("it takes too long."));
    const written = this.#store.write(touchInstallation).then(() => null, reasonOf);
    try {
      return await Promise.race([written, late.promise]);
    } finally {
      this.#probe = null;
    }
  }
}

function fault(field: string, code: string, message: string): FieldError {
  return { field, code, message };
}

/** The cause has the message of a full disk. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
