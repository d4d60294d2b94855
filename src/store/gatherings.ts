// Requests that wait for the same, gathered into one transaction, where transactions can run side by side (PostgreSQL). Nobody waits to
// be gathered: a request finds a transaction free, or is taken along by the next one.
import { isStoreAway, AppError } from "../errors.ts";
import { MOST_TOGETHER, type Store, type Together, type Tx } from "./store.ts";

/** Of one kind at a time: while one commits, the next is filled. */
const AT_ONCE = 2;

type Waiting<Request, Answer> = {
  readonly request: Request;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
};

type Gathering<Request, Answer> = { readonly waiting: Waiting<Request, Answer>[]; running: number };

export class Gatherings {
  /** Each kind has requests and answers of its own. */
  readonly #byKind = new Map<unknown, unknown>();

  constructor(private readonly write: Store["write"]) {}

  carryOut<Request, Answer>(together: Together<Request, Answer>, request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const known = this.#byKind.get(together) as Gathering<Request, Answer> | undefined;
      const gathering = known ?? { waiting: [], running: 0 };
      this.#byKind.set(together, gathering);
      gathering.waiting.push({ request, resolve, reject });
      // Those of the same turn of the event loop go together.
      queueMicrotask(() => void this.#goOn(together, gathering));
    });
  }

  async #goOn<Request, Answer>(
    together: Together<Request, Answer>,
    gathering: Gathering<Request, Answer>,
  ): Promise<void> {
    if (gathering.running >= AT_ONCE || gathering.waiting.length === 0) return;
    gathering.running++;
    const taken = gathering.waiting.splice(0, MOST_TOGETHER);
    await this.#settle(together, taken);
    gathering.running--;
    void this.#goOn(together, gathering);
  }

  async #settle<Request, Answer>(
    together: Together<Request, Answer>,
    taken: readonly Waiting<Request, Answer>[],
  ): Promise<void> {
    try {
      const requests = taken.map(({ request }) => request);
      const answers = await this.write((tx: Tx) => together(tx, requests));
      taken.forEach((one, index) => answer(one, answers[index] as Answer | AppError));
    } catch (error) {
      if (taken.length === 1 || isStoreAway(error)) taken.forEach(({ reject }) => reject(error));
      else await Promise.all(taken.map((one) => this.#settle(together, [one])));
    }
  }
}

function answer<Request, Answer>({ resolve, reject }: Waiting<Request, Answer>, given: Answer | AppError): void {
  if (given instanceof AppError) reject(given);
  else resolve(given);
}
