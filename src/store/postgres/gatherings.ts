// Requests of one kind, gathered into one transaction, where transactions can run side by side (PostgreSQL). Two of a
// kind run at a time: while one commits, the other is carried out. Each takes half of all requests in hand, or many
// small ones would cost as much as a few large ones; so the second waits for its half, but not for long. A few requests
// are not worth two transactions.
import { isStoreAway, AppError } from "../../base/errors.ts";
import { apart } from "../shared-tx.ts";
import { MOST_TOGETHER, type BatchHandler, type Tx } from "../store.ts";

const AT_ONCE = 2;
const FEW = 32;
/** The duration of a small transaction. */
const MAX_WAIT_MS = 5;

/** Runs one transaction of that kind. */
type Write = <Result>(work: (tx: Tx) => Promise<Result>, kind: BatchHandler<never, unknown>) => Promise<Result>;

type GatheringRequest<Request, Answer> = {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
};

export class Gatherings {
  /** Each kind has its own requests and answers. */
  readonly #byKind = new Map<unknown, unknown>();

  constructor(
    private readonly write: Write,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {}

  carryOut<Request, Answer>(together: BatchHandler<Request, Answer>, request: Request): Promise<Answer> {
    const known = this.#byKind.get(together) as RequestGroup<Request, Answer> | undefined;
    const gathering = known ?? new RequestGroup(this.write, together, this.maxWaitMs);
    if (!known) this.#byKind.set(together, gathering);
    return new Promise((resolve, reject) => gathering.add({ request, resolve, reject }));
  }
}

class RequestGroup<Request, Answer> {
  readonly #waiting: GatheringRequest<Request, Answer>[] = [];
  /** Transactions, and the requests in them. */
  #running = 0;
  #underWay = 0;
  #waits: Timer | null = null;

  constructor(
    private readonly write: Write,
    private readonly together: BatchHandler<Request, Answer>,
    private readonly maxWaitMs: number,
  ) {}

  add(one: GatheringRequest<Request, Answer>): void {
    this.#waiting.push(one);
    // Requests of one turn of the event loop share a transaction.
    queueMicrotask(() => this.#goOn());
  }

  #goOn(mayWait = true): void {
    if (this.#running >= AT_ONCE || this.#waiting.length === 0) return;
    const half = (this.#underWay + this.#waiting.length) / AT_ONCE;
    const isHalf = this.#waiting.length >= Math.min(Math.floor(half), MOST_TOGETHER);
    if (this.#running > 0 && mayWait && !isHalf) return this.#wait();
    const isFew = this.#running === 0 && this.#waiting.length <= FEW;
    const taken = this.#waiting.splice(0, isFew ? FEW : Math.min(Math.ceil(half), MOST_TOGETHER));
    void this.#carryOut(taken);
    this.#goOn();
  }

  #wait(): void {
    this.#waits ??= setTimeout(() => {
      this.#waits = null;
      this.#goOn(false);
    }, this.maxWaitMs);
  }

  async #carryOut(taken: readonly GatheringRequest<Request, Answer>[]): Promise<void> {
    this.#running++;
    this.#underWay += taken.length;
    await this.#settle(taken);
    this.#running--;
    this.#underWay -= taken.length;
    this.#goOn();
  }

  async #settle(taken: readonly GatheringRequest<Request, Answer>[]): Promise<void> {
    try {
      const requests = taken.map(({ request }) => request);
      const answers = await this.write((tx: Tx) => this.together(tx, requests), this.together);
      taken.forEach((one, index) => answer(one, answers[index] as Answer | AppError));
    } catch (error) {
      if (taken.length === 1 || isStoreAway(error)) taken.forEach(({ reject }) => reject(error));
      else for (const some of apart(taken, error)) await this.#settle(some);
    }
  }
}

function answer<Request, Answer>(
  { resolve, reject }: GatheringRequest<Request, Answer>,
  given: Answer | AppError,
): void {
  if (given instanceof AppError) reject(given);
  else resolve(given);
}
