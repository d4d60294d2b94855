// One change to a PostgreSQL database, on a connection of its own.
import { iso } from "../../base/clock.ts";
import { Loads } from "../loads.ts";
import type { MetricCount } from "../../base/metrics/metric.ts";
import { columnsOf, lengthened } from "./array.ts";
import type { RowStatement } from "../row-statement.ts";
import { PostgresStatements, withNumbers, type PostgresConnection } from "./connection.ts";
import type { Value } from "../sql.ts";
import type { InstallationKey, Load, TurnWork, Tx } from "../store.ts";

export class TransactionOver extends Error {}

export class PostgresTx extends PostgresStatements implements Tx {
  readonly memory = null;
  readonly now: string;
  readonly callbacks: (() => void)[] = [];
  readonly signals: string[] = [];
  readonly counts: MetricCount[] = [];
  rows = 0;
  isOver = false;
  /** The first refusal by the server: all later statements fail because of it. */
  fault: unknown = null;
  readonly #deferred: Promise<unknown>[] = [];
  readonly #loads = new Loads(this);

  constructor(
    connection: PostgresConnection,
    readonly nowMs: number,
    private readonly key: InstallationKey,
  ) {
    super(connection);
    this.now = iso(nowMs);
  }

  afterCommit(callback: () => void): void {
    this.callbacks.push(callback);
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

  /** Sends the rest immediately, and nothing after it. */
  end(): void {
    this.#loads.askAll();
    this.isOver = true;
  }

  /** @throws the first fault among the statements that were not awaited */
  async allHeard(): Promise<void> {
    await Promise.all(this.#deferred);
    await this.#loads.allPosted();
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

  override async run(...statement: Parameters<PostgresStatements["run"]>): Promise<number> {
    const rows = await super.run(...statement);
    this.rows += rows;
    return rows;
  }

  async runEach<Row>({ postgres }: RowStatement, rows: readonly (readonly Value[])[]): Promise<Row[]> {
    if (rows.length === 0) return [];
    // A row that occurs twice in an update is changed once only.
    const made = await this.executeText(postgres, columnsOf(postgres.startsWith("update") ? lengthened(rows) : rows));
    this.rows += made.count;
    return made.map(withNumbers) as Row[];
  }

  protected override async executeText(...statement: Parameters<PostgresStatements["executeText"]>) {
    if (this.isOver) throw new TransactionOver("This transaction is over: a write may await nothing but its tx.");
    this.#loads.sent();
    try {
      return await super.executeText(...statement);
    } catch (error) {
      this.fault ??= error;
      throw error;
    } finally {
      this.#loads.answered();
    }
  }
}
