// Whether this server can do its work: what /ready says to load balancers and supervisors.
import type { Clock } from "../clock.ts";
import type { FieldError } from "../errors.ts";
import type { Ground } from "../ground.ts";
import type { Store } from "../store/store.ts";
import { hasWorkspace, touchInstallation } from "./queries.ts";

/** What the rest of the process knows. */
export type Watched = {
  /** Loops that do not come to the end of a batch. */
  readonly stuckLoops: () => readonly string[];
};

/** A change that became durable within this time shows that the store works. */
const FRESH_MS = 10_000;
/** Balancers ask every few seconds, and give up soon. */
const MAX_PROBE_MS = 3_000;

export class Readiness {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #watched: Watched;
  /** However many ask at once, one tries. */
  #probe: Promise<string | null> | null = null;

  constructor({ store, clock }: Pick<Ground, "store" | "clock">, watched: Watched) {
    this.#store = store;
    this.#clock = clock;
    this.#watched = watched;
  }

  /** What is missing; nothing = ready. The store was migrated before anybody could ask. */
  async missing(): Promise<readonly FieldError[]> {
    const unwritable = this.#isFresh ? null : await (this.#probe ??= this.#tryToWrite());
    if (unwritable !== null)
      return [fault("store", "unwritable", `Nothing can be stored: ${unwritable}`), ...this.#stuck];
    const hasOne = await this.#store.read(hasWorkspace);
    return [...(hasOne ? [] : [fault("workspaces", "none", "There is no workspace yet.")]), ...this.#stuck];
  }

  get #isFresh(): boolean {
    return this.#clock.monotonicMs() - this.#store.lastWriteMs < FRESH_MS;
  }

  get #stuck(): FieldError[] {
    return this.#watched.stuckLoops().map((name) => fault("loops", "stuck", `The loop does not go on: ${name}.`));
  }

  /** Null if it went through, or why not. */
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

/** What a full disk says is the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message} (${cause.message})` : message;
}
