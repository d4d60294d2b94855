// The prepared statements of a connection to a SQLite file, cached by their text.
import type { Database, Statement } from "bun:sqlite";
import { SQLITE } from "./connection.ts";
import { flatten, Sql, type Bindable, type SqlPart, type Value } from "../sql.ts";
import type { Reader } from "../store.ts";

/**
 * Statements that are put together while running, such as the conditions of segments, would fill the cache: beyond this
 * number, all are dropped.
 */
const MOST_STATEMENTS = 1_000;

/**
 * A statement as it is prepared. SQLite uses a bound limit when it plans, and plans again each time that a limit is
 * bound, even the same one; a sum is exempt.
 */
export function preparable(text: string): string {
  return text.replace(/\blimit \?/g, "limit ? + 0");
}

/** A connection with its prepared statements. */
export class Statements implements Reader {
  readonly dialect = SQLITE;
  #byTemplate = new StatementTree();
  readonly #byText = new Map<string, Statement>();
  /** As `Tx.memory`: answers that the open transaction sees. */
  memory = new Map<unknown, Map<string, unknown>>();
  #ofOthers = 0;

  constructor(readonly database: Database) {}

  /** SQLite counts the commits of other connections; a new one empties the memory. */
  countOfOthers(): number {
    const [[count]] = this.prepareText("pragma data_version").values() as [[number]];
    if (count !== this.#ofOthers) this.forget();
    return (this.#ofOthers = count);
  }

  forget(): void {
    this.memory = new Map();
  }

  async all<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row[]> {
    const [statement, bound] = this.prepare(strings, values);
    return statement.all(...bound) as Row[];
  }

  async get<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row | null> {
    const [statement, bound] = this.prepare(strings, values);
    return statement.get(...bound) as Row | null;
  }

  prepare(strings: TemplateStringsArray, values: Bindable[]): [Statement, Value[]] {
    const bound: Value[] = [];
    const template = this.#byTemplate.find({ strings, values }, bound);
    if (template?.statement) return [template.statement, bound];
    const flat = flatten({ strings, values }, () => "?");
    const statement = this.prepareText(flat.text);
    if (template) template.statement = statement;
    return [statement, flat.values];
  }

  prepareText(text: string): Statement {
    let statement = this.#byText.get(text);
    if (!statement) {
      if (this.#byText.size >= MOST_STATEMENTS) this.#finalize();
      statement = this.database.prepare(preparable(text));
      this.#byText.set(text, statement);
    }
    return statement;
  }

  close(): void {
    this.#finalize();
    this.database.close();
  }

  #finalize(): void {
    this.#byText.forEach((statement) => statement.finalize());
    this.#byText.clear();
    this.#byTemplate = new StatementTree();
  }
}

const VALUE = Symbol("a value");
const VALUES = Symbol("values alone");

/**
 * Finds a statement by its literals: its own, then the content of each place, a value or another literal. Each literal
 * in the code is one object forever; joining their texts again would take longer.
 */
class StatementTree {
  statement: Statement | null = null;
  readonly #next = new Map<unknown, StatementTree>();

  /** Adds the values to `bound`. Null = a part of the statement is not a literal. */
  find({ strings, values }: SqlPart, bound: Value[]): StatementTree | null {
    if (!("raw" in strings)) return null;
    const here = this.#after(strings);
    if (!values.some((value) => value instanceof Sql)) {
      bound.push(...(values as Value[]));
      return here.#after(VALUES);
    }
    let found: StatementTree | null = here;
    for (const value of values) {
      if (!found) return null;
      if (!(value instanceof Sql)) bound.push(value);
      found = value instanceof Sql ? found.find(value, bound) : found.#after(VALUE);
    }
    return found;
  }

  #after(step: unknown): StatementTree {
    let next = this.#next.get(step);
    if (!next) this.#next.set(step, (next = new StatementTree()));
    return next;
  }
}

/**
 * Reads committed data on the writer's own connection while no transaction is open there: a commit leaves its cache as
 * it is, and empties that of every other connection.
 */
export class CommittedReader implements Reader {
  readonly dialect = SQLITE;

  constructor(
    private readonly writer: Statements,
    private readonly reader: Statements,
  ) {}

  all<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row[]> {
    return this.#connection.all<Row>(strings, ...values);
  }

  get<Row>(strings: TemplateStringsArray, ...values: Bindable[]): Promise<Row | null> {
    return this.#connection.get<Row>(strings, ...values);
  }

  get #connection(): Statements {
    return this.writer.database.inTransaction ? this.reader : this.writer;
  }
}
