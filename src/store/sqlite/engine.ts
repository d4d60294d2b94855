// The default engine: one SQLite file, one writer with group commit, a reader beside it, one thread for long work.
//
// - Writes that wait share a commit (writer.ts). A write may await nothing but its `tx`: it holds the only writer.
// - Other reads use the writer's connection while it is in no transaction, since each commit empties the cache of every
//   other connection.
// - The second thread copies the log back (log-care.ts) and carries out long reads; the log goes first.
import type { Clock } from "../../base/clock.ts";
import type { StoreOptions } from "../schema.ts";
import { Crowd } from "../engine/crowd.ts";
import { StoreFigures } from "../engine/figures.ts";
import { connect, emptyLogAtEnd, translated } from "./connection.ts";
import { CommittedReader, Statements } from "./statements.ts";
import { LogCare } from "./log-care.ts";
import { SqliteThread } from "./thread.ts";
import type { SqliteTx } from "./tx.ts";
import { alone } from "./waiting.ts";
import { SqliteWriter } from "./writer.ts";
import { FairQueue } from "../../base/brakes/fair-queue.ts";
import {
  type InstallationKey,
  type LogFollower,
  type Reader,
  type ReadOptions,
  type Store,
  type BatchHandler,
  type Tx,
} from "../store.ts";

/** After this many changes the other thread copies the log back into the database. */
const CHANGES_A_CHECKPOINT = 2_000;

const WRITER_CACHE_KIB = 8 * 1024;
/** Small, since each commit empties it. */
const READER_CACHE_KIB = 2 * 1024;

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
  readonly #statements: Statements;
  readonly #writer: SqliteWriter;
  readonly #reader: Statements;
  readonly #committed: Reader;
  readonly #thread: SqliteThread;
  readonly #log: LogCare;
  /**
   * One read each turn of the event loop. If all reads that came together had the same turn, a quick request a moment
   * later would wait for all of them.
   */
  readonly #turns = new FairQueue(1);
  readonly #options: SqliteOptions;
  readonly #figures: StoreFigures;
  readonly #crowd: Crowd;
  readonly #path: string;
  #changesSinceCheckpoint = 0;
  #checkpoint: Promise<void> | null = null;
  /** The commits of other processes; null = not read in this turn. */
  #ofOthers: number | null = null;
  readonly #listeners: ((what: string) => void)[] = [];

  constructor(path: string, options: SqliteOptions) {
    this.#options = options;
    this.#figures = new StoreFigures(options);
    this.#crowd = new Crowd(options.clock);
    this.clock = options.clock;
    this.#path = path;
    this.#statements = new Statements(connect(path, WRITER_CACHE_KIB));
    this.#writer = new SqliteWriter(this.#statements, {
      path,
      clock: options.clock,
      log: options.log,
      figures: this.#figures,
      onCommit: (transactions) => this.#committedNow(transactions),
    });
    this.#reader = new Statements(connect(path, READER_CACHE_KIB));
    this.#committed = new CommittedReader(this.#statements, this.#reader);
    this.#thread = new SqliteThread(path, options.clock);
    this.#log = new LogCare(this.#thread, (rest) => this.#writer.hold(rest));
  }

  async read<Result>(work: (reader: Reader) => Promise<Result>, options: ReadOptions = {}): Promise<Result> {
    if (options.inTurn) setImmediate(await this.#turns.take());
    try {
      const { longFor } = options;
      if (longFor === undefined) return await work(this.#committed);
      return await this.#figures.longRead(() => work(this.#thread.readerFor(longFor, options.byLoop)));
    } catch (error) {
      throw translated(error, this.#path);
    }
  }

  get lastWriteMs(): number {
    return this.#figures.lastWriteMs;
  }

  get isCrowded(): boolean {
    return this.#crowd.isHere;
  }

  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    return this.#add<Result>(alone, work);
  }

  writeTogether<Request, Answer>(together: BatchHandler<Request, Answer>, request: Request): Promise<Answer> {
    this.#crowd.count();
    return this.#add<Answer>(together, request);
  }

  #add<Answer>(together: BatchHandler<never, unknown>, request: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#writer.add({ together, request, resolve, reject });
    });
  }

  /** SQLite counts the commits of other processes; the count is read once in a turn of the event loop. */
  version(): number {
    this.#ofOthers ??= this.#countOfOthers();
    return this.#writer.changes + this.#ofOthers;
  }

  #countOfOthers(): number {
    try {
      const count = this.#statements.countOfOthers();
      setImmediate(() => (this.#ofOthers = null));
      return count;
    } catch (error) {
      throw translated(error, this.#path);
    }
  }

  /** No other process serves from this file. */
  onSignal(callback: (what: string) => void): void {
    this.#listeners.push(callback);
  }

  useKey(key: InstallationKey): void {
    this.#writer.key = key;
  }

  followedBy(follower: LogFollower): void {
    this.#log.followedBy(follower);
  }

  emptyLog(): Promise<boolean> {
    return this.#log.empty().finally(() => this.#writer.release());
  }

  async close(): Promise<void> {
    await this.#writer.close();
    await this.#checkpoint;
    await this.#log.end();
    await this.#thread.close();
    this.#reader.close();
    // Beside a server the log is left alone: emptying it would hold writes until all have read it. The last process to
    // close the file empties it anyway.
    if (this.#options.onClose) emptyLogAtEnd(this.#statements.database, this.#options.log);
    this.#statements.close();
    this.#log.closed();
    this.#options.onClose?.();
  }

  #committedNow(transactions: readonly SqliteTx[]): void {
    const signals = new Set(transactions.flatMap((tx) => tx.signals));
    for (const what of signals) this.#listeners.forEach((listener) => listener(what));
    this.#changesSinceCheckpoint += transactions.reduce((sum, { changes }) => sum + changes, 0);
    this.#checkpointIfDue();
  }

  #checkpointIfDue(): void {
    if (this.#checkpoint || this.#changesSinceCheckpoint < CHANGES_A_CHECKPOINT) return;
    this.#changesSinceCheckpoint = 0;
    this.#checkpoint = this.#log
      .copyBack()
      .catch((error) => this.#options.log.warn("checkpoint failed; the log grows until the next one", { error }))
      .finally(() => {
        this.#checkpoint = null;
        this.#writer.release();
      });
  }
}
