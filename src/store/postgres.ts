// The engine for several machines: one PostgreSQL, any number of Posthorns on it.
import { SQL } from "bun";
import { iso, type Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import {
  isConflict,
  isLostConnection,
  PostgresStatements,
  translated,
  type Connection,
} from "./postgres-connection.ts";
import { migratePostgres } from "./postgres-migrations.ts";
import type { Reader, Store, Tx } from "./store.ts";

export type PostgresOptions = { readonly clock: Clock; readonly log: Log };

const CONNECTIONS = 16;
const CHANNEL = "posthorn";
/** Many commits in a moment are one signal. */
const SIGNAL_MS = 50;
/** Waits between tries while two transactions collide or the server restarts; about three seconds in all. */
const WAITS_MS: readonly number[] = [10, 40, 150, 400, 900, 1500];

/** Connects, migrates, and answers the store. @throws NewerStoreError, AppError STORE_UNAVAILABLE */
export async function openPostgres(url: string, options: PostgresOptions): Promise<Store> {
  const sql = new SQL(url, { max: CONNECTIONS, bigint: true, connectionTimeout: 10 });
  try {
    await migratePostgres(sql, iso(options.clock.nowMs()));
  } catch (error) {
    await sql.close({ timeout: 0 });
    throw translated(error);
  }
  return new PostgresStore(sql, options);
}

class PostgresStore implements Store {
  readonly exclusive = false;
  readonly #sql: SQL;
  readonly #options: PostgresOptions;
  #signalling: Timer | null = null;

  constructor(sql: SQL, options: PostgresOptions) {
    this.#sql = sql;
    this.#options = options;
  }

  read<Result>(work: (reader: Reader) => Promise<Result>): Promise<Result> {
    const reader = new PostgresStatements(this.#sql);
    return again(
      () => work(reader),
      (error) => isLostConnection(error),
    );
  }

  /** A collision is tried again; a lost connection too, unless it was lost while the commit was under way. */
  async write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    let committing = false;
    const attempt = async (): Promise<[Result, PostgresTx]> => {
      committing = false;
      let tx: PostgresTx | null = null;
      const result = await this.#sql.begin(async (connection) => {
        tx = new PostgresTx(connection, this.#options.clock.nowMs());
        const done = await work(tx);
        committing = true;
        return done;
      });
      return [result as Result, tx as unknown as PostgresTx];
    };
    const [result, tx] = await again(attempt, (error) => isConflict(error) || (isLostConnection(error) && !committing));
    tx.callbacks.forEach((callback) => callback());
    return result;
  }

  signal(): void {
    this.#signalling ??= setTimeout(() => {
      this.#signalling = null;
      // Whoever misses a signal looks by itself before long.
      this.#sql.notify(CHANNEL, "").catch((error: unknown) => this.#options.log.debug("a signal was lost", { error }));
    }, SIGNAL_MS);
  }

  onSignal(callback: () => void): void {
    this.#sql
      .listen(CHANNEL, callback)
      .catch((error: unknown) =>
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
}

async function again<Result>(work: () => Promise<Result>, isSafe: (error: unknown) => boolean): Promise<Result> {
  for (const waitMs of WAITS_MS) {
    try {
      return await work();
    } catch (error) {
      if (!isSafe(error)) throw translated(error);
      await new Promise((resolve) => setTimeout(resolve, waitMs * (0.5 + Math.random())));
    }
  }
  try {
    return await work();
  } catch (error) {
    throw translated(error);
  }
}
