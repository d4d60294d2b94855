// The default engine: one SQLite file, one writer with group commit, a reader beside it, one thread for long work.
//
// - Group commit: waiting writes run in turn inside one `begin immediate … commit` and are answered after the commit. If one fails after it
//   has written, the batch is undone and run again, each write in its own savepoint. (A savepoint copies every page that is changed, so
//   the usual batch has none.) A write may await nothing but its `tx`: it holds the only writer.
// - Reads beside go over the writer's connection while it is in no transaction, since each commit empties the cache of every other one.
// - The second thread copies the log back (sqlite-log-care.ts) and carries out long reads; the log goes first.
import type { Clock } from "../clock.ts";
import type { StoreOptions } from "./schema.ts";
import { callEach } from "./after-commit.ts";
import { StoreFigures } from "./figures.ts";
import { connect, emptyLogAtEnd, translated } from "./sqlite-connection.ts";
import { CommittedReader, Statements } from "./sqlite-statements.ts";
import { LogCare } from "./sqlite-log-care.ts";
import { SqliteThread } from "./sqlite-thread.ts";
import { SqliteTx } from "./sqlite-tx.ts";
import { alone, answerEach, gathered, without, type Settled, type Waiting } from "./sqlite-waiting.ts";
import { FairQueue } from "../brakes/fair-queue.ts";
import {
  NO_KEYED_HASH,
  type KeyedHash,
  type LogFollower,
  type Reader,
  type ReadOptions,
  type Store,
  type Together,
  type Tx,
} from "./store.ts";

/** One batch holds the thread no longer than this; what waits goes into the next one. */
const BATCH_MS = 10;
/** From so many writes a batch on, one more turn of the event loop brings more requests into the same commit … */
const BUSY_BATCH = 4;
/** … and from so many on, waiting a millisecond for the others costs less than a commit. */
const CROWDED_BATCH = 24;
/** After so many the log is copied back into the database, by the other thread: rows, or statements where they are more, with large values counted as several. */
const CHANGES_A_CHECKPOINT = 2_000;

const WRITER_CACHE_KIB = 16 * 1024;
const READER_CACHE_KIB = 4 * 1024;

export type SqliteOptions = StoreOptions & {
  /** Called when the file is closed. */
  readonly onClose?: () => void;
};

/** Opens the file at `path`; it must have been migrated. */
export function openSqlite(path: string, options: SqliteOptions): Store {
  return new SqliteStore(path, options);
}

class SqliteStore implements Store {
  readonly exclusive = true;
  readonly clock: Clock;
  readonly #writer: Statements;
  readonly #reader: Statements;
  readonly #committed: Reader;
  readonly #thread: SqliteThread;
  readonly #log: LogCare;
  /**
   * One read each turn of the event loop. If all reads that came together had the same turn, a quick request that comes a moment
   * later would wait for all of them.
   */
  readonly #turns = new FairQueue(1);
  readonly #options: SqliteOptions;
  readonly #figures: StoreFigures;
  readonly #path: string;
  #waiting: Waiting[] = [];
  #scheduled = false;
  #lastBatch = 0;
  #batch: Promise<void> = Promise.resolve();
  #changesSinceCheckpoint = 0;
  #checkpoint: Promise<void> | null = null;
  #held: Promise<void> | null = null;
  #commits = 0;
  #keyedHash: KeyedHash = NO_KEYED_HASH;
  #isTurnOver = false;
  #turnEnd: NodeJS.Immediate | undefined;
  readonly #listeners: ((what: string) => void)[] = [];

  constructor(path: string, options: SqliteOptions) {
    this.#options = options;
    this.#figures = new StoreFigures(options);
    this.clock = options.clock;
    this.#path = path;
    this.#writer = new Statements(connect(path, WRITER_CACHE_KIB));
    this.#reader = new Statements(connect(path, READER_CACHE_KIB));
    this.#committed = new CommittedReader(this.#writer, this.#reader);
    this.#thread = new SqliteThread(path, options.clock);
    this.#log = new LogCare(this.#thread, (rest) => this.#hold(rest));
  }

  async read<Result>(work: (reader: Reader) => Promise<Result>, options: ReadOptions = {}): Promise<Result> {
    if (options.inTurn) setImmediate(await this.#turns.take());
    try {
      const { longFor } = options;
      if (longFor === undefined) return await work(this.#committed);
      return await this.#figures.longRead(() => work(this.#thread.readerFor(longFor)));
    } catch (error) {
      throw translated(error, this.#path);
    }
  }

  get lastWriteMs(): number {
    return this.#figures.lastWriteMs;
  }

  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.writeTogether(alone, work) as Promise<Result>;
  }

  writeTogether<Request, Answer>(together: Together<Request, Answer>, request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ together, request, resolve, reject });
      this.#schedule();
    });
  }

  /** SQLite counts what other processes commit. */
  version(): number {
    try {
      const [[ofOthers]] = this.#writer.prepareText("pragma data_version").values() as [[number]];
      return this.#commits + ofOthers;
    } catch (error) {
      throw translated(error, this.#path);
    }
  }

  /** No other process serves from this file. */
  onSignal(callback: (what: string) => void): void {
    this.#listeners.push(callback);
  }

  useKeyedHash(hash: KeyedHash): void {
    this.#keyedHash = hash;
  }

  followedBy(follower: LogFollower): void {
    this.#log.followedBy(follower);
  }

  emptyLog(): Promise<boolean> {
    return this.#log.empty().finally(() => (this.#held = null));
  }

  async close(): Promise<void> {
    while (this.#waiting.length > 0 || this.#scheduled) await this.#batch.then(() => new Promise(setImmediate));
    await this.#checkpoint;
    await this.#log.end();
    await this.#thread.close();
    this.#reader.close();
    // Beside a server its log is left alone: this would hold writes until all have read it. The last one to close empties it anyway.
    if (this.#options.onClose) emptyLogAtEnd(this.#writer.database, this.#options.log);
    this.#writer.close();
    this.#log.closed();
    this.#options.onClose?.();
  }

  #schedule(): void {
    if (this.#scheduled || this.#waiting.length === 0) return;
    this.#scheduled = true;
    const commit = () => {
      this.#lastBatch = this.#waiting.length;
      this.#batch = this.#commitWaiting();
    };
    if (this.#lastBatch < BUSY_BATCH) setImmediate(commit);
    else if (this.#lastBatch < CROWDED_BATCH) setImmediate(() => setImmediate(commit));
    else setTimeout(commit, 1);
  }

  async #commitWaiting(): Promise<void> {
    await this.#held?.catch(() => undefined);
    const settled: Settled[] = [];
    try {
      this.#control("begin immediate");
      if (!(await this.#runWaiting(settled, false))) {
        settled.length = 0;
        this.#control("rollback");
        this.#control("begin immediate");
        await this.#runWaiting(settled, true);
      }
      this.#commits++;
      const committed = this.#figures.beginCommit();
      this.#control("commit");
      committed(
        settled.reduce((sum, { waiting }) => sum + waiting.length, 0),
        settled.some(({ ok, tx }) => ok && tx.rows > 0),
      );
    } catch (error) {
      this.#failBatch(settled, error);
      return;
    } finally {
      clearImmediate(this.#turnEnd);
      this.#scheduled = false;
      this.#schedule();
    }
    settled.forEach((one) => this.#answer(one));
    this.#tell(settled);
    this.#checkpointIfDue();
  }

  #control(statement: "begin immediate" | "commit" | "rollback" | "savepoint work" | "release work"): void {
    this.#writer.prepareText(statement).run();
  }

  /**
   * Runs as many as fit into one batch. A savepoint for each lets one that fails be undone by itself, but copies every page that
   * it changes: `withSavepoints` false does without, and answers false, with the batch to be undone, if one fails that has written.
   */
  async #runWaiting(settled: Settled[], withSavepoints: boolean): Promise<boolean> {
    this.#watchTurn();
    const startedMs = this.#options.clock.monotonicMs();
    const units = withSavepoints ? this.#waiting.map((one) => [one]) : gathered(this.#waiting);
    for (const unit of units) {
      if (settled.length > 0 && this.#options.clock.monotonicMs() - startedMs >= BATCH_MS) break;
      const one = await this.#runOne(unit, withSavepoints);
      settled.push(one);
      // SQLite has rolled back the whole transaction (disk full, I/O error): nothing of it may be committed.
      if (!this.#writer.database.inTransaction) throw lastReason(settled);
      if (!withSavepoints && !one.ok && (one.tx.hasWritten || unit.length > 1)) return false;
    }
    this.#waiting = without(
      this.#waiting,
      settled.flatMap(({ waiting }) => waiting),
    );
    return true;
  }

  async #runOne(waiting: readonly Waiting[], withSavepoint: boolean): Promise<Settled> {
    const tx = new SqliteTx(this.#writer, this.#options.clock.nowMs(), this.#keyedHash);
    const [{ together }] = waiting as [Waiting];
    if (withSavepoint) this.#control("savepoint work");
    try {
      const answers = await together(tx, waiting.map(({ request }) => request) as never[]);
      this.#refuseSlow();
      tx.open = false;
      this.#changesSinceCheckpoint += Math.max(tx.statements, tx.rows) + tx.rowsInLarge;
      if (withSavepoint) this.#control("release work");
      return { waiting, tx, ok: true, answers };
    } catch (reason) {
      tx.open = false;
      if (withSavepoint && this.#writer.database.inTransaction)
        this.#writer.database.run("rollback to work; release work");
      return { waiting, tx, ok: false, reason };
    }
  }

  #watchTurn(): void {
    clearImmediate(this.#turnEnd);
    this.#isTurnOver = false;
    this.#turnEnd = setImmediate(() => (this.#isTurnOver = true));
  }

  /** The one writer waits for nobody: a batch is over within one turn of the event loop. */
  #refuseSlow(): void {
    if (!this.#isTurnOver) return;
    this.#watchTurn();
    throw new Error("A write waited for something other than its transaction.");
  }

  #answer(settled: Settled): void {
    if (!settled.ok) return settled.waiting.forEach(({ reject }) => reject(translated(settled.reason, this.#path)));
    answerEach(settled.waiting, settled.answers);
    this.#figures.count(settled.tx.counts);
    callEach(settled.tx.callbacks, this.#options.log);
  }

  #failBatch(settled: readonly Settled[], error: unknown): void {
    if (this.#writer.database.inTransaction) this.#writer.database.run("rollback");
    const waiting = settled.length > 0 ? settled.flatMap((one) => one.waiting) : [...this.#waiting];
    this.#waiting = without(this.#waiting, waiting);
    waiting.forEach((one) => one.reject(translated(error, this.#path)));
  }

  #tell(settled: readonly Settled[]): void {
    const signals = new Set(settled.flatMap(({ ok, tx }) => (ok ? tx.signals : [])));
    for (const what of signals) this.#listeners.forEach((listener) => listener(what));
  }

  #checkpointIfDue(): void {
    if (this.#checkpoint || this.#changesSinceCheckpoint < CHANGES_A_CHECKPOINT) return;
    this.#changesSinceCheckpoint = 0;
    this.#checkpoint = this.#log
      .copyBack()
      .catch((error) => this.#options.log.warn("checkpoint failed; the log grows until the next one", { error }))
      .finally(() => void (this.#checkpoint = this.#held = null));
  }

  async #hold(rest: () => Promise<void>): Promise<void> {
    await this.#batch;
    this.#held = rest();
    await this.#held;
  }
}

function lastReason(settled: readonly Settled[]): unknown {
  const last = settled.at(-1);
  return last && !last.ok ? last.reason : new Error("The transaction ended before its commit.");
}
