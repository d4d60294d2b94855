// The engine for several machines: one PostgreSQL, any number of Posthorns on it.
//
// - Functions that PostgreSQL lacks are made by its migration (`json`, `jsonb`, `json_quote`, `instr`, `moment_of`). What really differs is a
//   piece of a statement asked of `tx.dialect`: `skipLocked` for claims, `forUpdate` for what is read to be changed (`forChange` where
//   others may go on to refer to it), `jsonAt` for what is inside a JSON column.
// - A write that collides with another runs again, so it may do nothing but use its `tx`; callbacks after the commit run once. A connection
//   lost before the commit is tried again; one lost during the commit is answered 503, since nobody knows.
// - All time is the database's (shared-clock.ts). Processes wake each other by NOTIFY and look by themselves every few seconds.
import { SQL } from "bun";
import { iso, type Clock } from "../clock.ts";
import { callEach } from "./after-commit.ts";
import { RequestQueue } from "../brakes/fair-queue.ts";
import { refuseHalfCopied } from "./copy/record.ts";
import { StoreFigures } from "./figures.ts";
import {
  isConflict,
  isLostConnection,
  NOW_MS,
  onServer,
  PostgresStatements,
  translated,
  type Connection,
} from "./postgres-connection.ts";
import { MIGRATIONS } from "./migrations.ts";
import { migratePostgres, postgresVersion } from "./postgres-migrations.ts";
import { PostgresTx } from "./postgres-tx.ts";
import { refuseUnfit, type Opened, type Opening, type StoreOptions } from "./schema.ts";
import { sharedClock, type SharedClock } from "./shared-clock.ts";
import { Gatherings } from "./gatherings.ts";
import { Growth } from "./postgres-growth.ts";
import {
  NO_KEYED_HASH,
  outcomeUnknown,
  type KeyedHash,
  type Reader,
  type ReadOptions,
  type Store,
  type Together,
  type Tx,
} from "./store.ts";

/** Of a node's connections; the others are left for what is quick. */
const FOR_LONG_READS = 0.5;
/** At the start; of several answers the one that came fastest tells best. */
const CLOCK_QUESTIONS = 5;
const CHANNEL = "posthorn";
/** Many commits in a moment are one signal. */
const SIGNALS_EVERY_MS = 50;
/** Waits between tries while two transactions collide or the server restarts; about three seconds in all. */
const WAITS_MS: readonly number[] = [10, 40, 150, 400, 900, 1500];
/** A try may take long as well, where nobody refuses the connection. */
const MAX_TRYING_MS = 5_000;

/** Where the database is, and how many connections this process keeps to it. */
export type PostgresServer = { readonly url: string; readonly connections: number };

/**
 * Connects, migrates if it may, and answers the store. Has patience with a server that is just starting.
 * @throws NewerStoreError, Error if the database cannot be used, is not to be opened so, or a store is being copied to it
 */
export async function openPostgres(
  { url, connections }: PostgresServer,
  options: StoreOptions & { readonly opening: Opening },
): Promise<Opened> {
  const sql = new SQL(url, { max: connections, bigint: true, connectionTimeout: 10 });
  const clock = sharedClock(options.clock);
  try {
    const ready = await again(
      options.clock,
      async () => {
        const made = await prepared(sql, options);
        for (let asked = 0; asked < CLOCK_QUESTIONS; asked++) clock.heard(await databaseNowMs(sql));
        return made;
      },
      isLostConnection,
    );
    const isNew = ready.schema.before === 0;
    return { ...ready, store: new PostgresStore(sql, { ...options, connections, isNew }, clock) };
  } catch (error) {
    await sql.close({ timeout: 0 });
    throw onServer(error, url);
  }
}

async function prepared(sql: SQL, { clock, log, opening }: StoreOptions & { readonly opening: Opening }) {
  await refuseHalfCopied(sql);
  const version = await postgresVersion(sql);
  refuseUnfit(version, MIGRATIONS.length, opening);
  const isReady = opening !== "migrate" && version > 0;
  const schema = isReady
    ? { before: version, now: version }
    : await migratePostgres(sql, { now: iso(clock.nowMs()), log });
  const [row] = await sql`select 'PostgreSQL ' || current_setting('server_version') as engine`;
  return { schema, engine: String(row.engine) };
}

type PostgresOptions = StoreOptions & Pick<PostgresServer, "connections"> & { readonly isNew: boolean };
type Done<Result> = { readonly result: Result; readonly tx: PostgresTx };

class PostgresStore implements Store {
  readonly exclusive = false;
  /** Time is the database's, so that leases hold for all machines alike. */
  readonly clock: SharedClock;
  readonly #sql: SQL;
  readonly #options: PostgresOptions;
  readonly #figures: StoreFigures;
  readonly #longReads: RequestQueue;
  readonly #listeners: ((what: string | null) => void)[] = [];
  readonly #unsent = new Set<string>();
  readonly #gatherings = new Gatherings((work) => this.write(work));
  readonly #growth: Growth | null;
  #keyedHash: KeyedHash = NO_KEYED_HASH;
  #signalling: Timer | null = null;

  constructor(sql: SQL, options: PostgresOptions, clock: SharedClock) {
    this.#sql = sql;
    this.#options = options;
    this.#figures = new StoreFigures(options);
    this.clock = clock;
    this.#longReads = new RequestQueue(options.clock, Math.floor(options.connections * FOR_LONG_READS), "long reads");
    this.#growth = options.isNew ? new Growth(() => this.#measure()) : null;
  }

  read<Result>(work: (reader: Reader) => Promise<Result>, { longFor }: ReadOptions = {}): Promise<Result> {
    const reader = new PostgresStatements(this.#sql);
    const read = () =>
      again(
        this.#options.clock,
        () => work(reader),
        (error) => isConflict(error) || isLostConnection(error),
      );
    return longFor === undefined ? read() : this.#figures.longRead(() => this.#longReads.run(longFor, read));
  }

  get lastWriteMs(): number {
    return this.#figures.lastWriteMs;
  }

  /** A collision is tried again; a lost connection too, unless it was lost while the commit was under way. */
  async write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    const done = await again(
      this.#options.clock,
      () => this.#attempt(work),
      (error) => isConflict(error) || isLostConnection(error),
    );
    this.#growth?.add(done.tx.rows);
    this.#figures.count(done.tx.counts);
    callEach(done.tx.callbacks, this.#options.log);
    new Set(done.tx.signals).forEach((what) => this.#signal(what));
    return done.result;
  }

  writeTogether<Request, Answer>(together: Together<Request, Answer>, request: Request): Promise<Answer> {
    return this.#gatherings.carryOut(together, request);
  }

  async #attempt<Result>(work: (tx: Tx) => Promise<Result>): Promise<Done<Result>> {
    const connection = await this.#sql.reserve();
    let committing = false;
    let tx: PostgresTx | null = null;
    try {
      tx = new PostgresTx(connection, await this.#begin(connection), this.#keyedHash);
      const result = await work(tx);
      committing = true;
      const committed = this.#figures.beginCommit();
      await connection.unsafe("commit");
      committed(1, tx.rows > 0);
      return { result, tx };
    } catch (error) {
      if (isLostConnection(error)) throw committing ? outcomeUnknown(error) : error;
      await connection.unsafe("rollback").catch(() => undefined);
      throw error;
    } finally {
      if (tx) tx.isOver = true;
      connection.release();
    }
  }

  /** Answers the instant of the transaction: the database's, which comes with the answer to `begin`. */
  async #begin(connection: Connection): Promise<number> {
    const [, [row]] = await connection.unsafe(`begin; select ${NOW_MS} as now_ms`).simple();
    return this.clock.heard(row.now_ms);
  }

  useKeyedHash(hash: KeyedHash): void {
    this.#keyedHash = hash;
  }

  /** Its log is the server's own. */
  followedBy(): void {}

  async emptyLog(): Promise<boolean> {
    return true;
  }

  version(): null {
    return null;
  }

  onSignal(callback: (what: string | null) => void): void {
    this.#listeners.push(callback);
    if (this.#listeners.length === 1) this.#listen();
  }

  /** Nobody waits for it, and what it would have told is learnt without it a minute later. */
  #measure(): void {
    const measured = this.#sql.unsafe("analyze");
    measured.catch((error: unknown) => this.#options.log.debug("the tables were not measured", { error }));
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
    // A loop that misses a signal looks by itself before long.
    const sent = this.#sql.notify(CHANNEL, what);
    sent.catch((error: unknown) => this.#options.log.debug("a signal was lost", { error }));
  }

  #tell(what: string | null): void {
    this.#listeners.forEach((listener) => listener(what));
  }

  /** The client subscribes again by itself after a lost connection; signals in between are lost. */
  #listen(): void {
    const subscribe = () =>
      this.#sql.listen(
        CHANNEL,
        (what) => this.#tell(what),
        () => this.#tell(null),
      );
    again(this.#options.clock, subscribe, isLostConnection).catch((error: unknown) =>
      this.#options.log.warn("no signals from other processes; looking for work every few seconds", { error }),
    );
  }

  async close(): Promise<void> {
    if (this.#signalling) clearTimeout(this.#signalling);
    await this.#sql.close({ timeout: 5 });
  }
}

async function databaseNowMs(sql: SQL): Promise<number> {
  const [row] = await sql.unsafe(`select ${NOW_MS} as now_ms`);
  return row.now_ms;
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
