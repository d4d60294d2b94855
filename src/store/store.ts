// The store as every room sees it: read, write, and what a transaction offers. Two engines implement it.
import type { Clock } from "../base/clock.ts";
import type { MetricCount } from "../base/metrics/metric.ts";
import { AppError } from "../base/errors.ts";
import type { RowStatement } from "./row-statement.ts";
import type { Bindable, Sql, Value } from "./sql.ts";

type SqlTag<Result> = (strings: TemplateStringsArray, ...values: Bindable[]) => Promise<Result>;

export type Scalar = string | number | boolean;

/** A value inside a JSON column, as pieces of statements. */
export type JsonPlace = {
  /** True if nothing is there, or null; never null itself. */
  readonly isNull: Sql;
  /** The text at that place, compared byte by byte; null if it is not a text. */
  readonly text: Sql;
  /** The moment that the text says, in the form of `momentOf` (moments.ts); null if it says none. */
  readonly moment: Sql;
  /** The number at that place; null if it is not a number. */
  readonly number: Sql;
  /** True for the same value of the same type; may be null where nothing is. */
  readonly equals: (value: Scalar) => Sql;
  /**
   * True for a list that has this item, a text with its letters A to Z in lower case; null or false for what is no
   * list.
   */
  readonly hasItem: (item: Scalar) => Sql;
};

/** A piece of a statement over `contacts`, whose conditions go on with `and`. */
export type SoughtContacts = {
  /** Between `from` and the other conditions, with `where`. */
  readonly from: Sql;
  /** What to order by, so that only what was found is read. */
  readonly seq: Sql;
  /** As a condition on contacts `c`. */
  readonly isFound: Sql;
};

/** What really differs between the engines, as pieces of statements. */
export type Dialect = {
  readonly name: "sqlite" | "postgres";
  /** No other process writes, and transactions follow one another. */
  readonly hasOneWriter: boolean;
  /** At the end of a `select … limit` that claims rows: take only what no other process is taking. */
  readonly skipLocked: Sql;
  /**
   * As `skipLocked`, where the rows stay and keep what they are found by: rows that are only referred to are taken too.
   */
  readonly skipChanging: Sql;
  /** At the end of a `select` whose rows are about to be changed by what is read from them. */
  readonly forUpdate: Sql;
  /** As `forUpdate`, where there are several, with their `seq`: in its order, in which all lock who lock several. */
  readonly forUpdateInOrder: Sql;
  /** A text of JSON as the value of a JSON column. */
  readonly json: (text: string) => Sql;
  /**
   * A value inside a JSON column; `path` has the keys of objects from the outside in, none with a quotation mark or
   * backslash.
   */
  readonly jsonAt: (column: Sql, path: readonly string[]) => JsonPlace;
  /**
   * As `forUpdate`, where the rows stay and keep what they are found by: a transaction that holds them with
   * `forReference` is not waited for, or two who do and both want to change the row would wait for each other.
   */
  readonly forChange: Sql;
  /** True where the column is one of these, at least one. */
  readonly isAmong: (column: Sql, numbers: readonly number[]) => Sql;
  /** True where the column is one of these texts, at least one. */
  readonly isOneOf: (column: Sql, texts: readonly string[]) => Sql;
  /**
   * After a table in a `from`: read along this index. Where the engine knows how many rows it has of what, it says
   * nothing.
   */
  readonly along: (index: string) => Sql;
  /**
   * True where the column begins with the text, by bytes; by an index on the column where that keeps the order of
   * bytes.
   */
  readonly startsWith: (column: Sql, text: string) => Sql;
  /** True for a text of these pieces in this order, at least two, with anything between them. */
  readonly isMadeOf: (column: Sql, pieces: readonly string[]) => Sql;
  /** Words of so many characters or more can be asked of `contactsWith`. */
  readonly soughtChars: number;
  /** Contacts in whose `sought` all of these words may be, at least one. */
  readonly contactsWith: (words: readonly string[]) => SoughtContacts;
  /** In a `from`: what is at the top level of an object in a JSON column, as rows of `key`, `type` and `value`. */
  readonly jsonFields: (column: Sql) => Sql;
  /** In a `from`: `item`, with a `value` for each item of the list of texts under this key of a JSON column. */
  readonly jsonItems: (column: Sql, key: string) => Sql;
  /** At the end of a `select` whose row is about to be referred to: it stays, and keeps what it is found by. */
  readonly forReference: Sql;
  /**
   * Numbers of transactions: the next one that changes something, and the oldest that is not over. Once the oldest is
   * no longer below what the next one was, everything begun before then can be seen.
   */
  readonly nextTransaction: Sql;
  readonly oldestTransaction: Sql;
};

/**
 * Statements that do not need each other's answers may be given at once, with `Promise.all`: they are done in their
 * order, and PostgreSQL gets them in one packet.
 */
export interface Reader {
  readonly dialect: Dialect;
  all<Row>(...statement: Parameters<SqlTag<unknown>>): Promise<Row[]>;
  get<Row>(...statement: Parameters<SqlTag<unknown>>): Promise<Row | null>;
}

/** What only this installation can make, as `Tx` says. */
export type InstallationKey = Pick<Tx, "keyedHash" | "signature">;

/** As long as nobody has given the store its key. */
export const NO_KEY: InstallationKey = { keyedHash: keyIsMissing, signature: keyIsMissing };

function keyIsMissing(): never {
  throw new Error("The store has not been given the installation's key.");
}

/** In this order a transaction asks. `any`: it locks nothing, and goes along with whatever is next. */
export type LoadStage = "key" | "find" | "lock" | "take" | "change" | "note" | "any";

export type Load<Key, Answer> = {
  readonly stage: LoadStage;
  /** Loads of one moment are asked in the order of their places. */
  readonly place: number;
  /**
   * Keys of one name are asked once, in the order of the names. Without it each is asked, in the order in which they
   * came.
   */
  readonly name?: (key: Key) => string;
  /** Answers for each key. What is deferred (`Tx.deferred`) sends all of its statements at once. */
  readonly ask: (tx: Tx, keys: readonly Key[]) => Promise<readonly Answer[]>;
};

/** `before`: what the turn before it has answered; null = it failed, undefined = there was none. */
export type TurnWork<Result> = (before?: Result | null) => Promise<Result>;

export interface Tx extends Reader {
  /** One instant for every row of one change, as ISO text and in milliseconds. */
  readonly now: string;
  readonly nowMs: number;
  /** Answers by their load, until anything but records is written (loads.ts); null = that cannot be told (PostgreSQL). */
  readonly memory: Map<unknown, Map<string, unknown>> | null;
  /** Answers how many rows were touched. */
  run(...statement: Parameters<SqlTag<unknown>>): Promise<number>;
  /** Does the statement for each row, in their order; answers what it returns, of those that it inserted or changed. */
  runEach<Row>(statement: RowStatement, rows: readonly (readonly Value[])[]): Promise<Row[]>;
  /** Asked together with what others ask in this transaction (loads.ts). */
  load<Key, Answer>(load: Load<Key, Answer>, key: Key): Promise<Answer>;
  /** As `load`, where nobody needs the answer. It is asked with the next ones, or before the commit, which it fails if it fails. */
  post<Key>(load: Load<Key, unknown>, key: Key): void;
  /** Those of one name are done one after the other: `work` sees what those before it have left. */
  inTurn<Result>(name: string, work: TurnWork<Result>): Promise<Result>;
  /**
   * A statement of this transaction whose answer nobody needs: it goes with the next ones, or with the commit.
   * If it fails, so does the transaction.
   */
  deferred(statement: Promise<unknown>): void;
  /** Runs once the change is durable, never after a rollback. */
  afterCommit(callback: () => void): void;
  /** Counts what happened once the change is durable. */
  tally(count: MetricCount): void;
  /** A hash that only this installation can make of a text. @throws Error if the store has not been given its key */
  keyedHash(text: string): string;
  /** By the key for this use (`Secrets.signer`). @throws Error as `keyedHash` */
  signature(use: string, bytes: Uint8Array): Uint8Array;
  /** Once the change is durable, the loops that wait for `what` look for work, in this process and in the others. */
  signal(what: string): void;
}

/**
 * What many ask for at the same moment, done at once: an answer or a refusal for each request, in their order. A
 * refused request has changed nothing. If it throws, nothing counts, and they are carried out apart (shared-tx.ts),
 * until the one that throws is alone.
 */
export type BatchHandler<Request, Answer> = (
  tx: Tx,
  requests: readonly Request[],
) => Promise<readonly (Answer | AppError)[]>;

/** At most so many requests are carried out together. */
export const MOST_TOGETHER = 64;

export type ReadOptions = {
  /**
   * For reads that may take longer than a few milliseconds: they wait in a queue in which workspaces take turns. The
   * workspace that it is done for, or 0 for none.
   */
  readonly longFor?: number;
  /** A loop of ours asks: it takes turns with the workspace's requests, and does not wait behind all of them. */
  readonly byLoop?: true;
  /**
   * For reads of many rows that take less than that: one in each turn of the event loop, in the order in which they
   * came. What is quick then waits for one of them at most, and of many who ask at once none is left for the next round
   * again and again. On PostgreSQL, where each waits for the network, it says nothing.
   */
  readonly inTurn?: boolean;
};

/**
 * Somebody who reads the log beside the database, and must have read it before it starts over. None of this ever
 * rejects.
 */
export interface LogFollower {
  /** Answers once all has been read that is committed. */
  catchUp(): Promise<void>;
  /** Nothing more will be written: the rest is read, and the log released. */
  end(): Promise<void>;
  /** The store has closed its files. */
  closed(): void;
}

export interface Store {
  read<Result>(work: (reader: Reader) => Promise<Result>, options?: ReadOptions): Promise<Result>;
  /**
   * All or nothing, durable when it answers. `work` may await nothing but its `tx`, and may be run more than once
   * before it is done as a whole: what it did before counts for nothing.
   */
  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * As `write`, for a request that is carried out with those that wait for the same. @throws AppError as which it was
   * refused
   */
  writeTogether<Request, Answer>(together: BatchHandler<Request, Answer>, request: Request): Promise<Answer>;
  /**
   * Another number than before once anything has been committed, by whomever; null where that cannot be told at once
   * (PostgreSQL).
   * @throws AppError STORE_UNAVAILABLE
   */
  version(): number | null;
  /** When a change of this process last became durable, by the clock that only goes forward; -Infinity = never. */
  readonly lastWriteMs: number;
  /** Requests that go together are coming by the hundred in a second: what can wait leaves the store to them. */
  readonly isCrowded: boolean;
  /** True if no other process can be working on this store: what is leased was leased by a process that is gone. */
  readonly exclusive: boolean;
  /** The time by which all processes on this store go: what is compared with times in the store is taken from here. */
  readonly clock: Clock;
  /** In all transactions from here on. */
  useKey(key: InstallationKey): void;
  /**
   * Former contents that changes have left in a log beside the database are gone when it answers true; false: somebody
   * reads it, ask again soon. Where the log is the engine's own (PostgreSQL), it answers true and does nothing.
   */
  emptyLog(): Promise<boolean>;
  /** From here on that log is not started over before it was read. Only where `emptyLog` does something. */
  followedBy(follower: LogFollower): void;
  /**
   * There may be work: `what` a transaction signalled, here or in another process; null = some signals may have been
   * missed. A listener also looks now and then without a signal.
   */
  onSignal(callback: (what: string | null) => void): void;
  close(): Promise<void>;
}

/**
 * Another transaction was faster, and to go on could be to wait for it while it waits for this one: thrown in a write,
 * it has the write begin anew.
 */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** A rule of the schema refused the change: `foreignKey` means that something still uses the row. */
export class ConstraintError extends Error {
  override readonly name = "ConstraintError";

  constructor(
    readonly kind: "unique" | "foreignKey" | "other",
    message: string,
  ) {
    super(message);
  }
}

/** The store went away while a change was being made durable: it is there as a whole, or not at all. */
export function outcomeUnknown(cause: unknown): AppError {
  const error = new AppError("STORE_UNAVAILABLE", "The store was lost while the request was being stored.", {
    suggestion:
      "The request was carried out as a whole or not at all. Repeat it with its Idempotency-Key after the time in Retry-After; without one, look first.",
    retryAfterSeconds: 2,
  });
  error.cause = cause;
  return error;
}

export function storeUnavailable(cause: unknown): AppError {
  const error = new AppError("STORE_UNAVAILABLE", "The store cannot be written to or read from at the moment.", {
    suggestion: "Nothing of the request was done. Try again after the time in Retry-After.",
    retryAfterSeconds: 2,
  });
  error.cause = cause;
  return error;
}
