// The engine for several machines: one PostgreSQL, any number of Posthorns on it.
import { SQL } from "bun";
import { iso, type Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { callEach } from "./after-commit.ts";
import { FairQueue } from "./fair-queue.ts";
import { refuseHalfCopied } from "./copy/record.ts";
import {
  isConflict,
  isLostConnection,
  PostgresStatements,
  translated,
  type Connection,
} from "./postgres-connection.ts";
import { migratePostgres } from "./postgres-migrations.ts";
import { outcomeUnknown, type Reader, type ReadOptions, type Store, type Tx } from "./store.ts";

type PostgresOptions = { readonly clock: Clock; readonly log: Log };

const MAX_CONNECTIONS = 16;
/** At once; the other connections are left for what is quick. */
const MAX_LONG_READS = 8;
const CHANNEL = "posthorn";
/** Many commits in a moment are one signal. */
const SIGNALS_EVERY_MS = 50;
/** Waits between tries while two transactions collide or the server restarts; about three seconds in all. */
const WAITS_MS: readonly number[] = [10, 40, 150, 400, 900, 1500];
/** A try may take long as well, where nobody refuses the connection. */
const MAX_TRYING_MS = 5_000;

/**
 * Connects, migrates, and answers the store. Has patience with a server that is just starting.
 * @throws NewerStoreError, AppError STORE_UNAVAILABLE, Error if a store is being copied to the database
 */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Store> {
  const sql = new SQL(url, { max: MAX_CONNECTIONS, bigint: true, connectionTimeout: 10 });
  try {
    await again(
      options.clock,
      async () => {
        await refuseHalfCopied(sql);
        await migratePostgres(sql, iso(options.clock.nowMs()));
      },
      isLostConnection,
    );
  } catch (error) {
    await sql.close({ timeout: 0 });
    throw translated(error);
  }
  return new PostgresStore(sql, options);
}

type Done<Result> = { readonly result: Result; readonly tx: PostgresTx };

class PostgresStore implements Store {
  readonly exclusive = false;
  readonly #sql: SQL;
  readonly #options: PostgresOptions;
  readonly #longReads: FairQueue;
  readonly #listeners: ((what: string | null) => void)[] = [];
  readonly #unsent = new Set<string>();
  #signalling: Timer | null = null;

  constructor(sql: SQL, options: PostgresOptions) {
    this.#sql = sql;
    this.#options = options;
    this.#longReads = new FairQueue(options.clock, MAX_LONG_READS);
  }

  read<Result>(work: (reader: Reader) => Promise<Result>, { longFor }: ReadOptions = {}): Promise<Result> {
    const reader = new PostgresStatements(this.#sql);
    const read = () =>
      again(
        this.#options.clock,
        () => work(reader),
        (error) => isLostConnection(error),
      );
    return longFor === undefined ? read() : this.#longReads.run(longFor, read);
  }

  /** A collision is tried again; a lost connection too, unless it was lost while the commit was under way. */
  async write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const done = await again(
      this.#options.clock,
      () => this.#attempt(work),
      (error) => isConflict(error) || isLostConnection(error),
    );
    callEach(done.tx.callbacks, this.#options.log);
    new Set(done.tx.signals).forEach((what) => this.#signal(what));
    return done.result;
  }

  /** When the connection goes, `begin` rejects at once, while `work` may still run: nothing here is shared with the next attempt. */
  async #attempt<Result>(work: (tx: Tx) => Promise<Result>): Promise<Done<Result>> {
    let committing = false;
    try {
      return (await this.#sql.begin(async (connection) => {
        const tx = new PostgresTx(connection, this.#options.clock.nowMs());
        const result = await work(tx);
        committing = true;
        return { result, tx };
      })) as Done<Result>;
    } catch (error) {
      throw committing && isLostConnection(error) ? outcomeUnknown(error) : error;
    }
  }

  version(): null {
    return null;
  }

  onSignal(callback: (what: string | null) => void): void {
    this.#listeners.push(callback);
    if (this.#listeners.length === 1) this.#listen();
  }

  /** Here at once, to the other processes before long. */
  #signal(what: string): void {
    this.#tell(what);
    this.#unsent.add(what);
    this.#signalling ??= setTimeout(() => {
      this.#signalling = null;
      for (const one of this.#unsent) this.#notify(one);
      this.#unsent.clear();
    }, SIGNALS_EVERY_MS);
  }

  #notify(what: string): void {
    // Whoever misses a signal looks by itself before long.
    const sent = this.#sql.notify(CHANNEL, what);
    sent.catch((error: unknown) => this.#options.log.debug("a signal was lost", { error }));
  }

  #tell(what: string | null): void {
    this.#listeners.forEach((listener) => listener(what));
  }

  /** The client subscribes again by itself after a lost connection; what was signalled meanwhile is lost. */
  #listen(): void {
    const subscribe = () =>
      this.#sql.listen(
        CHANNEL,
        (what) => this.#tell(what),
        () => this.#tell(null),
      );
    again(this.#options.clock, subscribe, isLostConnection).catch((error: unknown) =>
      this.#options.log.warn("no signals from other processes; work is looked for now and then", { error }),
    );
  }

  async close(): Promise<void> {
    if (this.#signalling) clearTimeout(this.#signalling);
    await this.#sql.close({ timeout: 5 });
  }
}

class PostgresTx extends PostgresStatements implements Tx {
  readonly now: string;
  readonly callbacks: (() => void)[] = [];
  readonly signals: string[] = [];

  constructor(
    connection: Connection,
    readonly nowMs: number,
  ) {
    super(connection);
    this.now = iso(nowMs);
  }

  afterCommit(callback: () => void): void {
    this.callbacks.push(callback);
  }

  signal(what: string): void {
    this.signals.push(what);
  }
}

async function again<Result>(
  clock: Clock,
  work: () => Promise<Result>,
  isSafe: (error: unknown) => boolean,
): Promise<Result> {
  const startMs = clock.monotonicMs();
  for (const waitMs of WAITS_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isSafe(error) || clock.monotonicMs() - startMs > MAX_TRYING_MS) throw translated(error);
      await new Promise((resolve) => setTimeout(resolve, waitMs * (0.5 + Math.random())));
    }
  }
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
}
