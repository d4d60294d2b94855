// The one writer of a SQLite file. Writes that wait run in turn inside one `begin immediate … commit` and are answered
// after the commit. Kinds of writes take turns, so that accepting by the thousands does not hold up claiming and
// settling.
//
// If a write fails after it has written, the batch is undone and run again with savepoints, and writes that fail again
// then run apart. (A savepoint copies every page that is changed, so the usual batch has none.) Where no write before it
// has succeeded, it is undone alone, and the batch goes on. A write may await nothing but its `tx`: the batch is over
// within a turn of the event loop, but for the commit of a large one.
import type { Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import { callEach } from "../engine/after-commit.ts";
import type { StoreFigures } from "../engine/figures.ts";
import { apart } from "../shared-tx.ts";
import { translated } from "./connection.ts";
import type { Statements } from "./statements.ts";
import { SqliteTx } from "./tx.ts";
import { answerEach, gathered, without, type WorkKind, type WorkResult, type WorkRequest } from "./waiting.ts";
import { NO_KEY, type InstallationKey } from "../store.ts";

/** A batch holds the thread no longer than this; further writes go into the next one. */
const BATCH_MS = 10;
/**
 * A larger batch (in rows of the log) is written in one turn of the event loop and committed in the next: other work
 * comes in between.
 */
const LARGE_ROWS = 128;
/** From this many writes a batch on, one more turn of the event loop brings more requests into the same commit … */
const BUSY_BATCH = 4;
/** … and from this many on, waiting a millisecond for others costs less than a commit. */
const CROWDED_BATCH = 24;

type WriterOptions = {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly figures: StoreFigures;
  /** Called after each commit, with the transactions that it made durable. */
  readonly onCommit: (transactions: readonly SqliteTx[]) => void;
};

export class SqliteWriter {
  key: InstallationKey = NO_KEY;
  /** Commits since this process opened the file. */
  commits = 0;
  /** The commits that changed other tables than those of records. */
  changes = 0;
  readonly #statements: Statements;
  readonly #options: WriterOptions;
  #waiting: WorkRequest[] = [];
  #scheduled = false;
  #lastBatch = 0;
  /** In which commit each kind had its last turn. */
  readonly #lastTurns = new WeakMap<WorkKind, number>();
  #batch: Promise<void> = Promise.resolve();
  #isClosed = false;
  #held: Promise<void> | null = null;
  #isTurnOver = false;
  #turnEnd: NodeJS.Immediate | undefined;

  constructor(statements: Statements, options: WriterOptions) {
    this.#statements = statements;
    this.#options = options;
  }

  add(one: WorkRequest): void {
    if (this.#isClosed) return one.reject(new Error("The store is closed."));
    this.#waiting.push(one);
    this.#schedule();
  }

  /** Holds all writes until `rest` is over. */
  async hold(rest: () => Promise<void>): Promise<void> {
    await this.#batch;
    this.#held = rest();
    await this.#held;
  }

  release(): void {
    this.#held = null;
  }

  /** Resolves when no write waits; later ones are refused. A server that is slow to stop may have work in hand. */
  async close(): Promise<void> {
    while (this.#waiting.length > 0 || this.#scheduled) await this.#batch.then(() => new Promise(setImmediate));
    this.#isClosed = true;
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
    const settled: WorkResult[] = [];
    try {
      this.#control("begin immediate");
      this.#statements.countOfOthers();
      if (!(await this.#runWaiting(settled, false))) {
        settled.length = 0;
        this.#beginAnew();
        await this.#runWaiting(settled, true);
      }
      if (settled.some(({ tx }) => tx.rowsInLarge >= LARGE_ROWS)) await new Promise(setImmediate);
      this.commits++;
      if (settled.some(({ tx }) => tx.hasChangedMore)) this.changes++;
      const committed = this.#options.figures.beginCommit();
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
    this.#options.onCommit(settled.flatMap(({ ok, tx }) => (ok ? [tx] : [])));
  }

  #beginAnew(): void {
    this.#control("rollback");
    this.#statements.forget();
    this.#control("begin immediate");
  }

  #control(statement: "begin immediate" | "commit" | "rollback" | "savepoint work" | "release work"): void {
    this.#statements.prepareText(statement).run();
  }

  /**
   * Runs as many writes as fit into one batch. With `withSavepoints` false, answers false if one fails that has
   * written, after others that have succeeded; the batch must then be undone.
   */
  async #runWaiting(settled: WorkResult[], withSavepoints: boolean): Promise<boolean> {
    this.#watchTurn();
    const startedMs = this.#options.clock.monotonicMs();
    for (const unit of gathered(this.#waiting, this.#lastTurns)) {
      if (settled.length > 0 && this.#options.clock.monotonicMs() - startedMs >= BATCH_MS) break;
      const one = await this.#runOne(unit, withSavepoints);
      const isToUndo = !withSavepoints && !one.ok && (one.tx.hasWritten || unit.length > 1);
      if (isToUndo && this.#statements.database.inTransaction) {
        if (unit.length > 1 || settled.some(({ ok }) => ok)) return false;
        this.#beginAnew();
      }
      await this.#settle(one, settled);
    }
    const done = settled.flatMap(({ waiting }) => waiting);
    for (const { together } of done) this.#lastTurns.set(together, this.commits + 1);
    this.#waiting = without(this.#waiting, done);
    return true;
  }

  /** Runs work again, apart, that has failed and is undone. @throws if nothing of the batch may be committed */
  async #settle(one: WorkResult, settled: WorkResult[]): Promise<void> {
    // SQLite has rolled back the whole transaction: disk full, I/O error.
    const isLost = !this.#statements.database.inTransaction;
    if (one.ok || one.waiting.length === 1 || isLost) settled.push(one);
    else for (const some of apart(one.waiting, one.reason)) await this.#settle(await this.#runOne(some, true), settled);
    if (isLost) throw one.ok ? new Error("The transaction ended before its commit.") : one.reason;
  }

  async #runOne(waiting: readonly WorkRequest[], withSavepoint: boolean): Promise<WorkResult> {
    const tx = new SqliteTx(this.#statements, this.#options.clock.nowMs(), this.key);
    const [{ together }] = waiting as [WorkRequest];
    if (withSavepoint) this.#control("savepoint work");
    try {
      const answers = await together(tx, waiting.map(({ request }) => request) as never[]);
      await tx.allHeard();
      this.#refuseSlow();
      tx.open = false;
      if (withSavepoint) this.#control("release work");
      return { waiting, tx, ok: true, answers };
    } catch (reason) {
      tx.open = false;
      if (withSavepoint && this.#statements.database.inTransaction)
        this.#statements.database.run("rollback to work; release work");
      this.#statements.forget();
      return { waiting, tx, ok: false, reason };
    }
  }

  #watchTurn(): void {
    clearImmediate(this.#turnEnd);
    this.#isTurnOver = false;
    this.#turnEnd = setImmediate(() => (this.#isTurnOver = true));
  }

  /** The one writer does not wait: all writes of a batch are over within one turn of the event loop. */
  #refuseSlow(): void {
    if (!this.#isTurnOver) return;
    this.#watchTurn();
    throw new Error("A write waited for something other than its transaction.");
  }

  #answer(settled: WorkResult): void {
    if (!settled.ok)
      return settled.waiting.forEach(({ reject }) => reject(translated(settled.reason, this.#options.path)));
    answerEach(settled.waiting, settled.answers);
    this.#options.figures.count(settled.tx.counts);
    callEach(settled.tx.callbacks, this.#options.log);
  }

  #failBatch(settled: readonly WorkResult[], error: unknown): void {
    if (this.#statements.database.inTransaction) this.#statements.database.run("rollback");
    this.#statements.forget();
    const waiting = settled.length > 0 ? settled.flatMap((one) => one.waiting) : [...this.#waiting];
    this.#waiting = without(this.#waiting, waiting);
    waiting.forEach((one) => one.reject(translated(error, this.#options.path)));
  }
}
