// The engine for several machines: one PostgreSQL, any number of Posthorns on it.
//
// - Functions that PostgreSQL lacks are made by its migration (`json`, `json_quote`, `instr`, `moment_of`). Real
//   differences are pieces of a statement from `tx.dialect`: `skipLocked` for claims, `forUpdate` for rows that are
//   read to be changed (`forChange` where others may go on to refer to them), `jsonAt` for values inside a JSON column.
// - A write that collides with another runs again, so it may do nothing but use its `tx`; callbacks after the commit
//   run once. A connection lost before the commit is tried again; one lost during the commit is answered 503, since its
//   outcome is unknown.
// - All time is the database's (shared-clock.ts). Processes wake each other by NOTIFY, and check on their own every few
//   seconds.
import { SQL, type ReservedSQL } from "bun";
import { iso } from "../../base/clock.ts";
import { callEach } from "../engine/after-commit.ts";
import { FairQueue, readerOf, RequestQueue } from "../../base/brakes/fair-queue.ts";
import { Crowd } from "../engine/crowd.ts";
import { StoreFigures } from "../engine/figures.ts";
import {
  databaseNowMs,
  isBehindAnother,
  isConflict,
  isLostConnection,
  isReadOnly,
  onServer,
  PostgresStatements,
} from "./connection.ts";
import { again } from "./again.ts";
import { Signals } from "./signals.ts";
import { MIGRATIONS } from "../migrations.ts";
import { migratePostgres, postgresVersion, refuseHalfCopied } from "./migrations.ts";
import { refusePooledTransactions } from "./sessions.ts";
import { PostgresTx, TransactionOver } from "./tx.ts";
import { WarmConnections } from "./warm.ts";
import { refuseUnfit, type OpenStore, type StoreOpenMode, type StoreOptions } from "../schema.ts";
import { sharedClock, type SharedClock } from "./shared-clock.ts";
import { Gatherings } from "./gatherings.ts";
import { Growth } from "./growth.ts";
import {
  NO_KEY,
  outcomeUnknown,
  Overtaken,
  type InstallationKey,
  type Reader,
  type ReadOptions,
  type Store,
  type BatchHandler,
  type Tx,
} from "../store.ts";

/** A share of a node's connections; the others are left for quick work. */
const FOR_LONG_READS = 0.5;
/** A share of a node's connections; reads have the others. */
const KEPT_WARM = 0.25;
/**
 * A share of a node's connections, for one kind of writing: other kinds, such as claiming and settling, find room
 * immediately.
 */
const FOR_ONE_KIND = 0.75;
/** At the start; the fastest of several answers is the most accurate. */
const CLOCK_QUESTIONS = 5;
/**
 * A transaction whose time is further from the database's begins anew: this machine was asleep, or the database's clock
 * was set.
 */
const MOST_OFF_MS = 1_000;
/** Where the database is, and how many connections this process keeps to it. */
export type PostgresServer = { readonly url: string; readonly connections: number };

/**
 * Connects, migrates if it may, and returns the store. Waits a while for a server that is just starting.
 * @throws NewerStoreError, Error if the database cannot be used, may not be opened in this way, is behind a pooler
 * between transactions, or a store is being copied to it
 */
export async function openPostgres(
  { url, connections }: PostgresServer,
  options: StoreOptions & { readonly opening: StoreOpenMode },
): Promise<OpenStore> {
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

/** 0 = there is no store in the database. @throws ForeignStoreError, NewerStoreError, Error if the query fails */
export async function schemaAt(url: string): Promise<number> {
  await using sql = new SQL(url, { max: 1, connectionTimeout: 10 });
  return await postgresVersion(sql);
}

async function prepared(sql: SQL, { clock, log, opening }: StoreOptions & { readonly opening: StoreOpenMode }) {
  await refusePooledTransactions(sql);
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

/** The kind of writes that run alone. */
const ALONE = Symbol("alone");
type WriteKind = typeof ALONE | BatchHandler<never, unknown>;

type PostgresOptions = StoreOptions & Pick<PostgresServer, "connections"> & { readonly isNew: boolean };
type PostgresResult<Result> = { readonly result: Result; readonly tx: PostgresTx };

class PostgresStore implements Store {
  readonly exclusive = false;
  /** Time is the database's, so that leases hold for all machines alike. */
  readonly clock: SharedClock;
  readonly #sql: SQL;
  readonly #options: PostgresOptions;
  readonly #figures: StoreFigures;
  readonly #crowd: Crowd;
  readonly #longReads: RequestQueue;
  readonly #warm: WarmConnections;
  readonly #signals: Signals;
  /**
   * Kinds of writing have the same right to connections, however many of one wait. Writes that run alone are one kind.
   */
  readonly #writes: FairQueue;
  readonly #gatherings = new Gatherings((work, kind) => this.#write(work, kind));
  readonly #growth: Growth | null;
  #key: InstallationKey = NO_KEY;

  constructor(sql: SQL, options: PostgresOptions, clock: SharedClock) {
    this.#sql = sql;
    this.#options = options;
    this.#figures = new StoreFigures(options);
    this.#crowd = new Crowd(options.clock);
    this.#writes = new FairQueue(options.connections, Math.ceil(options.connections * FOR_ONE_KIND));
    this.#warm = new WarmConnections(sql, Math.floor(options.connections * KEPT_WARM));
    this.#signals = new Signals(sql, options);
    this.clock = clock;
    this.#longReads = new RequestQueue(options.clock, Math.floor(options.connections * FOR_LONG_READS), "long reads");
    this.#growth = options.isNew ? new Growth(() => this.#measure()) : null;
  }

  read<Result>(work: (reader: Reader) => Promise<Result>, { longFor, byLoop }: ReadOptions = {}): Promise<Result> {
    const reader = new PostgresStatements(this.#sql);
    const readWithRetry = () =>
      again(
        this.#options.clock,
        () => work(reader),
        (error) => isConflict(error) || isLostConnection(error),
      );
    return longFor === undefined
      ? readWithRetry()
      : this.#figures.longRead(() => this.#longReads.run(readerOf(longFor, byLoop), readWithRetry));
  }

  get isCrowded(): boolean {
    return this.#crowd.isHere;
  }

  get lastWriteMs(): number {
    return this.#figures.lastWriteMs;
  }

  /**
   * A collision is tried again; so is a lost connection, unless it was lost while the commit was under way; and a
   * refusal that only a read-only session causes, since another session may write.
   */
  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#write(work, ALONE);
  }

  async #write<Result>(work: (tx: Tx) => Promise<Result>, kind: WriteKind): Promise<Result> {
    const done = await again(
      this.#options.clock,
      () => this.#writes.run(() => this.#attempt(work), { owner: kind }),
      (error) => isConflict(error) || isLostConnection(error) || isReadOnly(error),
    );
    this.#growth?.add(done.tx.rows);
    this.#figures.count(done.tx.counts);
    callEach(done.tx.callbacks, this.#options.log);
    new Set(done.tx.signals).forEach((what) => this.#signals.send(what));
    return done.result;
  }

  writeTogether<Request, Answer>(together: BatchHandler<Request, Answer>, request: Request): Promise<Answer> {
    this.#crowd.count();
    return this.#gatherings.carryOut(together, request);
  }

  async #attempt<Result>(work: (tx: Tx) => Promise<Result>): Promise<PostgresResult<Result>> {
    const connection = await this.#warm.take();
    const tx = new PostgresTx(connection, this.clock.nowMs(), this.#key);
    let committing = false;
    try {
      const begun = this.#begin(connection, tx.nowMs);
      tx.deferred(begun);
      const result = await work(tx);
      await begun;
      tx.end();
      committing = true;
      const committed = this.#figures.beginCommit();
      await Promise.all([tx.allHeard(), connection`commit`.execute()]);
      committed(1, tx.rows > 0);
      return { result, tx };
    } catch (error) {
      tx.isOver = true;
      // After the failure of a statement that is not awaited, the others fail because of it.
      const heard = await tx.allHeard().then(
        () => error,
        (fault: unknown) => (fault instanceof TransactionOver ? error : fault),
      );
      const reason = isBehindAnother(heard) ? (tx.fault ?? heard) : heard;
      if (isLostConnection(reason)) {
        this.#warm.letGo();
        throw committing ? outcomeUnknown(reason) : reason;
      }
      await this.#end(connection, reason);
      throw reason;
    } finally {
      this.#warm.giveBack(connection);
    }
  }

  /** A read-only session stays so, though the server may be writable again: it ends, and the pool begins another. */
  async #end(connection: ReservedSQL, reason: unknown): Promise<void> {
    const statement = isReadOnly(reason) ? "select pg_terminate_backend(pg_backend_pid())" : "rollback";
    await connection.unsafe(statement).catch(() => this.#warm.letGo());
  }

  /**
   * Sent together with the first statements of the transaction, which take this machine's estimate of the database's
   * time.
   * @throws Overtaken if the estimate was wrong
   */
  async #begin(connection: ReservedSQL, nowMs: number): Promise<void> {
    const beganMs = this.clock.monotonicMs();
    const [, databaseMs] = await Promise.all([connection`begin`.execute(), databaseNowMs(connection)]);
    this.clock.heard(databaseMs);
    const tookMs = this.clock.monotonicMs() - beganMs;
    if (Math.abs(this.clock.nowMs() - tookMs - nowMs) > MOST_OFF_MS) throw new Overtaken("The clock was wrong.");
  }

  useKey(key: InstallationKey): void {
    this.#key = key;
  }

  /** The log is the server's own. */
  followedBy(): void {}

  async emptyLog(): Promise<boolean> {
    return true;
  }

  version(): null {
    return null;
  }

  onSignal(callback: (what: string | null) => void): void {
    this.#signals.listen(callback);
  }

  /** Not awaited, and if it fails, PostgreSQL measures the tables itself a minute later. */
  #measure(): void {
    const measured = this.#sql.unsafe("analyze");
    measured.catch((error: unknown) => this.#options.log.debug("the tables were not measured", { error }));
  }

  async close(): Promise<void> {
    this.#signals.stop();
    this.#warm.close();
    await this.#sql.close({ timeout: 5 });
  }
}
