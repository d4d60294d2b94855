// A commit of one process wakes the loops of all: its own immediately, the others by NOTIFY.
import type { SQL } from "bun";
import { again } from "./again.ts";
import { arrayOf } from "./array.ts";
import { isLostConnection } from "./connection.ts";
import type { StoreOptions } from "../schema.ts";

const CHANNEL = "posthorn";
/** Commits within this time share one signal. */
const EVERY_MS = 50;

type Listener = (what: string | null) => void;

export class Signals {
  readonly #listeners: Listener[] = [];
  readonly #unsent = new Set<string>();
  #sending: Timer | null = null;

  constructor(
    private readonly sql: SQL,
    private readonly options: Pick<StoreOptions, "clock" | "log">,
  ) {}

  listen(listener: Listener): void {
    this.#listeners.push(listener);
    if (this.#listeners.length === 1) this.#subscribe();
  }

  /** Signals this process immediately, and the others soon. */
  send(what: string): void {
    this.#tell(what);
    this.#unsent.add(what);
    this.#sending ??= setTimeout(() => {
      this.#sending = null;
      this.#notify([...this.#unsent]);
      this.#unsent.clear();
    }, EVERY_MS);
  }

  stop(): void {
    if (this.#sending) clearTimeout(this.#sending);
  }

  /** In one transaction that is not awaited, nor flushed to disk. */
  #notify(signals: readonly string[]): void {
    const sent = this.sql`
      select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, one)
      from unnest(cast(${arrayOf(signals)} as text[])) as one`.execute();
    // A loop that misses a signal checks on its own soon.
    sent.catch((error: unknown) => this.options.log.debug("a signal was lost", { error }));
  }

  #tell(what: string | null): void {
    this.#listeners.forEach((listener) => listener(what));
  }

  /** The client subscribes again on its own after a lost connection; signals in between are lost. */
  #subscribe(): void {
    const subscribe = () =>
      this.sql.listen(
        CHANNEL,
        (what) => this.#tell(what),
        () => this.#tell(null),
      );
    again(this.options.clock, subscribe, isLostConnection).catch((error: unknown) =>
      this.options.log.warn("no signals from other processes; looking for work every few seconds", { error }),
    );
  }
}
