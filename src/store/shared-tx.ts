// Requests that share a transaction: each is carried out as if it were alone, and their loads are asked together
// (loads.ts).
import { AppError } from "../base/errors.ts";
import { changes } from "./loads.ts";
import type { BatchHandler, Load, TurnWork, Tx } from "./store.ts";

/**
 * Carries out all requests with `work` concurrently. One that is refused before it has changed anything does not affect
 * the others. @throws RefusedLate if requests are refused after a change; then nothing counts
 */
export function sharing<Request, Answer>(
  work: (tx: Tx, request: Request) => Promise<Answer | AppError>,
): BatchHandler<Request, Answer> {
  return async (tx, requests) => {
    const late = new Set<unknown>();
    const carryOut = async (request: Request) => {
      const share = new TxShare(tx);
      try {
        return await work(share, request);
      } catch (error) {
        if (share.endsWith(error)) return error;
        if (!(error instanceof AppError) || requests.length === 1) throw error;
        late.add(request);
        return error;
      }
    };
    const answers = await Promise.all(requests.map(carryOut));
    if (late.size > 0) throw new RefusedLate(late);
    return answers;
  };
}

/** The answer of `work`, or its refusal. @throws if it was refused after it had changed something */
export async function attempt<Answer>(tx: Tx, work: (tx: Tx) => Promise<Answer>): Promise<Answer | AppError> {
  const share = new TxShare(tx);
  try {
    return await work(share);
  } catch (error) {
    if (share.endsWith(error)) return error;
    throw error;
  }
}

/**
 * Some of many requests were refused after they had changed something, which only the end of the transaction undoes.
 */
class RefusedLate extends Error {
  override readonly name = "RefusedLate";

  constructor(readonly requests: ReadonlySet<unknown>) {
    super("Requests were refused after they had changed something.");
  }
}

/**
 * How at least two requests go on after their transaction failed: those that were refused late each alone, behind the
 * others. If it is unknown which one failed, each half goes on separately.
 */
export function apart<One extends { readonly request: unknown }>(those: readonly One[], reason: unknown): One[][] {
  if (reason instanceof RefusedLate) {
    const others = those.filter(({ request }) => !reason.requests.has(request));
    const late = those.filter(({ request }) => reason.requests.has(request));
    return [...(others.length > 0 ? [others] : []), ...late.map((one) => [one])];
  }
  const middle = Math.ceil(those.length / 2);
  return [those.slice(0, middle), those.slice(middle)];
}

const SELECT = /^\s*select\b/;

/**
 * A transaction as one of its participants sees it. Every call passes `enter`; if that throws, the statement is
 * rejected, so that of several given together no rejection goes unhandled.
 */
export abstract class TxPart implements Tx {
  readonly dialect: Tx["dialect"];
  readonly now: string;
  readonly nowMs: number;

  constructor(protected readonly tx: Tx) {
    this.dialect = tx.dialect;
    this.now = tx.now;
    this.nowMs = tx.nowMs;
  }

  /** Returns the whole transaction. `changes`: the call may change something. */
  protected abstract enter(changes: boolean): Tx;

  get memory(): Tx["memory"] {
    return this.tx.memory;
  }

  all<Row>(...statement: Parameters<Tx["all"]>): Promise<Row[]> {
    return this.#entered(!SELECT.test(statement[0][0] as string), (tx) => tx.all<Row>(...statement));
  }

  get<Row>(...statement: Parameters<Tx["get"]>): Promise<Row | null> {
    return this.#entered(!SELECT.test(statement[0][0] as string), (tx) => tx.get<Row>(...statement));
  }

  run(...statement: Parameters<Tx["run"]>): Promise<number> {
    return this.#entered(true, (tx) => tx.run(...statement));
  }

  runEach<Row>(...statement: Parameters<Tx["runEach"]>): Promise<Row[]> {
    return this.#entered(true, (tx) => tx.runEach<Row>(...statement));
  }

  load<Key, Answer>(load: Load<Key, Answer>, key: Key): Promise<Answer> {
    try {
      return this.enter(changes(load)).load(load, key);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  post<Key>(load: Load<Key, unknown>, key: Key): void {
    this.enter(changes(load)).post(load, key);
  }

  /** Adds no promise of its own: a transaction makes enough of them. */
  #entered<Answer>(changes: boolean, ask: (tx: Tx) => Promise<Answer>): Promise<Answer> {
    try {
      return ask(this.enter(changes));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  inTurn<Result>(name: string, work: TurnWork<Result>): Promise<Result> {
    return this.tx.inTurn(name, work);
  }

  deferred(statement: Promise<unknown>): void {
    this.tx.deferred(statement);
  }

  afterCommit(callback: () => void): void {
    this.enter(true).afterCommit(callback);
  }

  tally(count: Parameters<Tx["tally"]>[0]): void {
    this.enter(true).tally(count);
  }

  keyedHash(text: string): string {
    return this.tx.keyedHash(text);
  }

  signature(use: string, bytes: Uint8Array): Uint8Array {
    return this.tx.signature(use, bytes);
  }

  signal(what: string): void {
    this.enter(true).signal(what);
  }
}

/** A request's part of a transaction: knows whether the request has changed anything. */
class TxShare extends TxPart {
  #hasChanged = false;
  /** The request was refused: its other concurrent work writes nothing any more. */
  #isOver = false;

  /** True for a refusal before any change. */
  endsWith(error: unknown): error is AppError {
    return (this.#isOver = error instanceof AppError && !this.#hasChanged);
  }

  protected override enter(changes: boolean): Tx {
    if (this.#isOver) throw new Error("The request was refused.");
    this.#hasChanged ||= changes;
    return this.tx;
  }
}
