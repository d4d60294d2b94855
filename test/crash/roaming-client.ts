// A client of an installation of several servers: goes to any of them, and to another one when that fails.
import type { Random } from "../support/seeded.ts";
import type { Book } from "./book.ts";
import type { Node } from "./node.ts";
import { post } from "./post.ts";
import { Requests, type SendRequest } from "./requests.ts";

/** What clients see of the installation. */
export type Sight = {
  readonly nodes: readonly Pick<Node, "name" | "address">[];
  readonly book: Book;
  /** No more new requests. */
  readonly isOver: boolean;
  /** Whether the database was away at some moment since then. */
  wasAwaySince(sinceMs: number): boolean;
  /** Whether a request may have failed in this way; no, unless it says so. */
  excuses?(error: unknown, sinceMs: number): boolean;
};

/** One answered request with a key in so many is repeated, at a server chosen anew. */
/** So many mails in the queue add a millisecond between requests: it neither runs dry nor grows without end. */
const MAILS_A_PAUSE_MS = 3;
const REQUESTS_A_REPETITION = 4;
const BEFORE_THE_NEXT_TRY_MS = 20;

export class RoamingClient {
  readonly #requests: Requests;

  constructor(
    name: string,
    private readonly sight: Sight,
    private readonly random: Random,
  ) {
    this.#requests = new Requests(name, random);
  }

  async work(): Promise<void> {
    while (!this.sight.isOver) {
      await this.#send(this.#requests.next());
      await Bun.sleep(this.sight.book.backlog / MAILS_A_PAUSE_MS);
    }
  }

  /** A request with a key is made until it is answered, and now and then once more; one without is made once. */
  async #send(request: SendRequest): Promise<void> {
    this.sight.book.asked(request);
    let mayBeStored = false;
    let said = await this.#ask(request, mayBeStored);
    while (request.key !== null && said !== "accepted") {
      mayBeStored ||= said === "unsure";
      await Bun.sleep(BEFORE_THE_NEXT_TRY_MS);
      said = await this.#ask(request, mayBeStored);
    }
    if (request.key === null || this.random.below(REQUESTS_A_REPETITION) > 0) return;
    if ((await this.#ask(request, true)) === "accepted") this.sight.book.repeated++;
  }

  async #ask(request: SendRequest, mayBeStored: boolean): Promise<"accepted" | "refused" | "unsure"> {
    const { book } = this.sight;
    const node = await this.#anyNode();
    const { address } = node;
    if (address === null) return "refused";
    const sinceMs = Date.now();
    try {
      const said = await post(address, request);
      if (said.kind === "accepted") {
        if (said.answer.replayed && !mayBeStored) book.fault(`${request.key} was refused, and stored all the same`);
        book.answered(request, said.answer);
      } else {
        book.turnedAway(request, said.kind);
        if (!this.sight.wasAwaySince(sinceMs)) book.fault(`${node.name} said 503 though its database was there`);
      }
      return said.kind;
    } catch (error) {
      const isExcused = node.address !== address || this.sight.excuses?.(error, sinceMs);
      if (!isExcused) book.fault(`A request failed though nobody had ended ${node.name}: ${error}`);
      return "unsure";
    }
  }

  async #anyNode(): Promise<Sight["nodes"][number]> {
    for (;;) {
      const up = this.sight.nodes.filter(({ address }) => address !== null);
      if (up.length > 0) return this.random.pick(up);
      await Bun.sleep(BEFORE_THE_NEXT_TRY_MS);
    }
  }
}
