// One change to a SQLite file, on the connection that writes.
import type { Statement } from "bun:sqlite";
import { iso } from "../../base/clock.ts";
import { SQLITE } from "./connection.ts";
import type { RowStatement } from "../row-statement.ts";
import { Loads } from "../loads.ts";
import type { MetricCount } from "../../base/metrics/metric.ts";
import type { Statements } from "./statements.ts";
import { inPieces, type Bindable, type Value } from "../sql.ts";
import type { InstallationKey, Load, TurnWork, Tx } from "../store.ts";

const SELECT = /^\s*select\b/;
/** The tables that requests add to all day, and that are not kept in memory. */
const OF_RECORDS =
  /^\s*(?:insert into (?:contacts|consents|consent_heads|contact_counts|events|emails|contents|mail_increments)|update consent_tips|update contacts set) /;

export class SqliteTx implements Tx {
  readonly dialect = SQLITE;
  readonly now: string;
  readonly #statements: Statements;
  readonly callbacks: (() => void)[] = [];
  readonly signals: string[] = [];
  readonly counts: MetricCount[] = [];
  readonly #deferred: Promise<unknown>[] = [];
  readonly #loads = new Loads(this);
  statements = 0;
  rows = 0;
  /** Rows' worth of values that are larger than a page. */
  rowsInLarge = 0;
  hasWritten = false;
  /** It has written to tables other than those of records. */
  hasChangedMore = false;
  open = true;

  constructor(
    statements: Statements,
    readonly nowMs: number,
    private readonly key: InstallationKey,
  ) {
    this.#statements = statements;
    this.now = iso(nowMs);
  }

  /** How much it adds to the log: rows, or statements if they are more, with large values counted as several. */
  get changes(): number {
    return Math.max(this.statements, this.rows) + this.rowsInLarge;
  }

  async all<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row[]> {
    const rows = this.#prepare(strings, values, (statement, bound) => statement.all(...bound) as Row[]);
    this.rows += rows.length;
    return rows;
  }

  async get<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row | null> {
    return this.#prepare(strings, values, (statement, bound) => statement.get(...bound) as Row | null);
  }

  async run(strings: TemplateStringsArray, ...values: Bindable[]): Promise<number> {
    const rows = this.#prepare(strings, values, (statement, bound) => statement.run(...bound).changes);
    this.rows += rows;
    return rows;
  }

  async runEach<Row>({ sqlite, sqliteRows }: RowStatement, rows: readonly (readonly Value[])[]): Promise<Row[]> {
    if (!this.open) throw tooLate();
    const returned: Row[] = [];
    for (const piece of inPieces(rows, sqliteRows)) {
      const bound = piece.flat();
      for (const row of this.#statements.prepareText(sqlite(piece.length)).all(...bound)) returned.push(row as Row);
      for (const value of bound) this.rowsInLarge += rowsIn(value);
    }
    if (rows.length > 0) this.#note(sqlite(1));
    this.statements += rows.length;
    return returned;
  }

  deferred(statement: Promise<unknown>): void {
    statement.catch(() => undefined);
    this.#deferred.push(statement);
  }

  load<Key, Answer>(load: Load<Key, Answer>, key: Key): Promise<Answer> {
    return this.#loads.load(load, key);
  }

  post<Key>(load: Load<Key, unknown>, key: Key): void {
    this.#loads.post(load, key);
  }

  inTurn<Result>(name: string, work: TurnWork<Result>): Promise<Result> {
    return this.#loads.inTurn(name, work);
  }

  /** @throws the fault of a statement that was not awaited */
  async allHeard(): Promise<void> {
    this.#loads.askAll();
    if (this.#deferred.length > 0) await Promise.all(this.#deferred);
    await this.#loads.allPosted();
  }

  afterCommit(callback: () => void): void {
    this.callbacks.push(callback);
  }

  keyedHash(text: string): string {
    return this.key.keyedHash(text);
  }

  signature(use: string, bytes: Uint8Array): Uint8Array {
    return this.key.signature(use, bytes);
  }

  signal(what: string): void {
    this.signals.push(what);
  }

  tally(count: MetricCount): void {
    this.counts.push(count);
  }

  get memory(): Statements["memory"] {
    return this.#statements.memory;
  }

  /** Before a statement is carried out. */
  #note(text: string): void {
    if (SELECT.test(text)) return;
    this.hasWritten = true;
    if (OF_RECORDS.test(text)) return;
    this.hasChangedMore = true;
    this.#statements.forget();
  }

  #prepare<T>(strings: TemplateStringsArray, values: Bindable[], execute: (s: Statement, bound: Value[]) => T): T {
    if (!this.open) throw tooLate();
    this.statements++;
    this.#note(strings[0] as string);
    const [statement, bound] = this.#statements.prepare(strings, values);
    for (const value of bound) this.rowsInLarge += rowsIn(value);
    return execute(statement, bound);
  }
}

function tooLate(): Error {
  return new Error("This transaction is over: a write may await nothing but its tx.");
}

/** The growth of the log by a row with its indexes, roughly. */
const BYTES_A_ROW = 8 * 1024;

/** How many rows a large value is worth. */
function rowsIn(value: Value): number {
  const isLong = typeof value === "string" || value instanceof Uint8Array;
  return isLong && value.length > BYTES_A_ROW ? Math.ceil(value.length / BYTES_A_ROW) : 0;
}
