// The store as every room sees it: reads, writes, and the functions of a transaction. Two engines implement it.
import type { Clock } from "../base/clock.ts";
import type { MetricCount } from "../base/metrics/metric.ts";
import { AppError } from "../base/errors.ts";
import type { RowStatement } from "./row-statement.ts";
import type { Bindable, Sql, Value } from "./sql.ts";

type SqlTag<Result> = (strings: TemplateStringsArray, ...values: Bindable[]) => Promise<Result>;

export type Scalar = string | number | boolean;

/** A value inside a JSON column, as pieces of statements. */
export type JsonPlace = {
  /** True if the place is empty or null; never null itself. */
  readonly isNull: Sql;
  /** The text at that place, compared byte by byte; null if it is not a text. */
  readonly text: Sql;
  /** The moment that the text says, in the form of `momentOf` (moments.ts); null if the text is not a moment. */
  readonly moment: Sql;
  /** The number at that place; null if it is not a number. */
  readonly number: Sql;
  /** True for the same value of the same type; may be null where the place is empty. */
  readonly equals: (value: Scalar) => Sql;
  /**
   * True for a list that has this item, a text with its letters A to Z in lower case; null or false for a value that is
   * not a list.
   */
  readonly hasItem: (item: Scalar) => Sql;
};

/** Pieces of a statement over `contacts`, whose conditions go on with `and`. */
export type SoughtContacts = {
  /** Between `from` and the other conditions, with `where`. */
  readonly from: Sql;
  /** The sort key that reads only the contacts found. */
  readonly seq: Sql;
  /** As a condition on contacts `c`. */
  readonly isFound: Sql;
};

/** The differences between the engines, as pieces of statements. */
export type Dialect = {
  readonly name: "sqlite" | "postgres";
  /** No other process writes, and transactions follow one another. */
  readonly hasOneWriter: boolean;
  /** At the end of a `select … limit` that claims rows: skips rows that another process is claiming. */
  readonly skipLocked: Sql;
  /** As `skipLocked`, for rows that stay and keep their keys: rows that are only referred to are taken too. */
  readonly skipChanging: Sql;
  /** At the end of a `select` whose rows are about to be changed by the values read. */
  readonly forUpdate: Sql;
  /** As `forUpdate` for several rows with their `seq`: locks them in its order, the same for all transactions. */
  readonly forUpdateInOrder: Sql;
  /** A text of JSON as the value of a JSON column. */
  readonly json: (text: string) => Sql;
  /**
   * A value inside a JSON column; `path` has the keys of objects from the outside in, none with a quotation mark or
   * backslash.
   */
  readonly jsonAt: (column: Sql, path: readonly string[]) => JsonPlace;
  /**
   * As `forUpdate`, for rows that stay and keep their keys: it does not wait for a transaction that holds them with
   * `forReference`, or two of those that both want to change the row would wait for each other.
   */
  readonly forChange: Sql;
  /** True where the column is one of these, at least one. */
  readonly isAmong: (column: Sql, numbers: readonly number[]) => Sql;
  /** True where the column is one of these texts, at least one. */
  readonly isOneOf: (column: Sql, texts: readonly string[]) => Sql;
  /** After a table in a `from`: read along this index. Empty on an engine with statistics of its own. */
  readonly along: (index: string) => Sql;
  /**
   * True where the column begins with the text, by bytes; uses an index on the column if that keeps the order of bytes.
   */
  readonly startsWith: (column: Sql, text: string) => Sql;
  /** True for a text of these pieces in this order, at least two, with anything between them. */
  readonly isMadeOf: (column: Sql, pieces: readonly string[]) => Sql;
  /** The least length of a word for `contactsWith`, in characters. */
  readonly soughtChars: number;
  /** Contacts in whose `sought` all of these words may be, at least one. */
  readonly contactsWith: (words: readonly string[]) => SoughtContacts;
  /** In a `from`: the top-level fields of an object in a JSON column, as rows of `key`, `type` and `value`. */
  readonly jsonFields: (column: Sql) => Sql;
  /** In a `from`: `item`, with a `value` for each item of the list of texts under this key of a JSON column. */
  readonly jsonItems: (column: Sql, key: string) => Sql;
  /** At the end of a `select` whose row is about to be referred to: the row stays, and keeps its key. */
  readonly forReference: Sql;
  /**
   * Numbers of transactions: the next one that changes something, and the oldest that is not over. Once the oldest is
   * no longer below what the next one was, everything begun before then can be seen.
   */
  readonly nextTransaction: Sql;
  readonly oldestTransaction: Sql;
};

/**
 * Statements that do not need each other's answers may be given together, with `Promise.all`: they run in their order,
 * and PostgreSQL gets them in one packet.
 */
export interface Reader {
  readonly dialect: Dialect;
  all<Row>(...statement: Parameters<SqlTag<unknown>>): Promise<Row[]>;
  get<Row>(...statement: Parameters<SqlTag<unknown>>): Promise<Row | null>;
}

/** The functions of `Tx` that need the installation's key. */
export type InstallationKey = Pick<Tx, "keyedHash" | "signature">;

/** Used until the store gets its key. */
export const NO_KEY: InstallationKey = { keyedHash: keyIsMissing, signature: keyIsMissing };

function keyIsMissing(): never {
  throw new Error("The store has not been given the installation's key.");
}

/** The order in which a transaction asks its loads. `any`: locks nothing, and joins the next stage. */
export type LoadStage = "key" | "find" | "lock" | "take" | "change" | "note" | "any";

export type Load<Key, Answer> = {
  readonly stage: LoadStage;
  /** Loads of one moment are asked in the order of their places. */
  readonly place: number;
  /** Makes rows that another transaction may be making at the same moment. */
  readonly makesRows?: true;
  /**
   * Keys with the same name are asked once, in the order of the names. Without names each key is asked, in the order in
   * which they came.
   */
  readonly name?: (key: Key) => string;
  /** Answers for each key. Deferred work (`Tx.deferred`) sends all of its statements immediately. */
  readonly ask: (tx: Tx, keys: readonly Key[]) => Promise<readonly Answer[]>;
};

/** `before`: the answer of the turn before it; null = it failed, undefined = there was none. */
export type TurnWork<Result> = (before?: Result | null) => Promise<Result>;

export interface Tx extends Reader {
  /** One instant for every row of one change, as ISO text and in milliseconds. */
  readonly now: string;
  readonly nowMs: number;
  /** Answers by load, until a table not of records is written (loads.ts); null = cannot be detected (PostgreSQL). */
  readonly memory: Map<unknown, Map<string, unknown>> | null;
  /** Answers how many rows were touched. */
  run(...statement: Parameters<SqlTag<unknown>>): Promise<number>;
  /** Runs the statement for each row, in their order; answers its rows, for those that were inserted or changed. */
  runEach<Row>(statement: RowStatement, rows: readonly (readonly Value[])[]): Promise<Row[]>;
  /** Asked together with the loads of others in this transaction (loads.ts). */
  load<Key, Answer>(load: Load<Key, Answer>, key: Key): Promise<Answer>;
  /** As `load`, without an answer: asked with the next loads, or before the commit, which fails if it fails. */
  post<Key>(load: Load<Key, unknown>, key: Key): void;
  /** Runs work of one name one after the other: `work` sees the result of those before it. */
  inTurn<Result>(name: string, work: TurnWork<Result>): Promise<Result>;
  /**
   * A statement of this transaction whose answer is not needed: it is sent with the next ones, or with the commit. If
   * it fails, so does the transaction.
   */
  deferred(statement: Promise<unknown>): void;
  /** Runs once the change is durable, never after a rollback. */
  afterCommit(callback: () => void): void;
  /** Counts an event once the change is durable. */
  tally(count: MetricCount): void;
  /** A hash that only this installation can make of a text. @throws Error if the store has not been given its key */
  keyedHash(text: string): string;
  /** Signs with the key for this use (`Secrets.signer`). @throws Error as `keyedHash` */
  signature(use: string, bytes: Uint8Array): Uint8Array;
  /** Once the change is durable, the loops that wait for `what` look for work, in this process and in the others. */
  signal(what: string): void;
}

/**
 * Carries out many requests of the same moment together: an answer or a refusal for each request, in their order. A
 * refused request has changed nothing. If it throws, nothing counts, and they are carried out apart (shared-tx.ts),
 * until the request that throws is alone.
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
   * value is the workspace of the read, or 0 for none.
   */
  readonly longFor?: number;
  /** For a loop of ours: it takes turns with the workspace's requests, and does not wait behind all of them. */
  readonly byLoop?: true;
  /**
   * For reads of many rows that take less than that: one in each turn of the event loop, in the order in which they
   * came. A quick read then waits for one of them at most, and no caller of many is left behind round after round. No
   * effect on PostgreSQL, where each read waits for the network.
   */
  readonly inTurn?: boolean;
};

/**
 * A reader of the log beside the database, which must have read it before it starts over. None of these calls ever
 * rejects.
 */
export interface LogFollower {
  /** Resolves once all commits have been read. */
  catchUp(): Promise<void>;
  /** No more writes follow: the rest is read, and the log released. */
  end(): Promise<void>;
  /** The store has closed its files. */
  closed(): void;
}

export interface Store {
  read<Result>(work: (reader: Reader) => Promise<Result>, options?: ReadOptions): Promise<Result>;
  /**
   * All or nothing, durable when it resolves. `work` may await nothing but its `tx`, and may be run more than once
   * before it is done as a whole: its earlier runs count for nothing.
   */
  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * As `write`, for a request that is carried out together with waiting requests of its kind. @throws AppError that
   * refuses the request
   */
  writeTogether<Request, Answer>(together: BatchHandler<Request, Answer>, request: Request): Promise<Answer>;
  /**
   * A number that changes with every commit, of any process, that writes more than records (`OF_RECORDS`); null where
   * that cannot be known immediately (PostgreSQL).
   * @throws AppError STORE_UNAVAILABLE
   */
  version(): number | null;
  /** When a change of this process last became durable, by the clock that only goes forward; -Infinity = never. */
  readonly lastWriteMs: number;
  /** Requests that go together arrive by the hundred in a second: work that can wait leaves the store to them. */
  readonly isCrowded: boolean;
  /** True if no other process can be working on this store: the owner of any existing lease is gone. */
  readonly exclusive: boolean;
  /** The clock that all processes on this store share: times to compare with those in the store come from it. */
  readonly clock: Clock;
  /** Sets the key for all transactions from here on. */
  useKey(key: InstallationKey): void;
  /**
   * True: former contents that changes have left in a log beside the database are gone. False: another connection reads
   * the log; try again soon. Where the log is the engine's own (PostgreSQL), it does nothing and answers true.
   */
  emptyLog(): Promise<boolean>;
  /** From here on the follower reads that log before it starts over. No effect where `emptyLog` has none. */
  followedBy(follower: LogFollower): void;
  /**
   * There may be work: `what` is the signal of a transaction, here or in another process; null = signals may have been
   * missed. A listener also checks now and then without a signal.
   */
  onSignal(callback: (what: string | null) => void): void;
  close(): Promise<void>;
}

/**
 * Another transaction was faster, and going on could mean waiting for it while it waits for this one: thrown in a
 * write, it makes the write begin anew.
 */
export class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** A rule of the schema refused the change: `foreignKey` means that the row is still referred to. */
export class ConstraintError extends Error {
  override readonly name = "ConstraintError";

  constructor(
    readonly kind: "unique" | "foreignKey" | "other",
    message: string,
  ) {
    super(message);
  }
}

/** The store went away during a commit: the change is there as a whole, or not at all. */
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
