// A client that sends one request after the other and, after a restart, repeats its last one that had an
// Idempotency-Key.
import type { Random } from "../support/seeded.ts";
import type { Answer, Book } from "./book.ts";
import type { Door, Opening } from "./door.ts";
import { post } from "./post.ts";
import { Requests, type SendRequest } from "./requests.ts";

/** So many mails in the queue add a millisecond between requests: it neither runs dry nor grows without end. */
const MAILS_A_PAUSE_MS = 20;

export class Client {
  readonly #requests: Requests;
  #lastKeyed: SendRequest | null = null;

  constructor(
    name: string,
    private readonly door: Door,
    private readonly book: Book,
    random: Random,
  ) {
    this.#requests = new Requests(name, random);
  }

  /** Sends until the door closes, through every run of the server. */
  async work(): Promise<void> {
    let opening = await this.door.next(null);
    while (opening !== null) {
      await this.#sendThrough(opening);
      opening = await this.door.next(opening);
    }
  }

  async #sendThrough(opening: Opening): Promise<void> {
    let answered = this.#lastKeyed === null || (await this.#repeat(opening, this.#lastKeyed));
    while (answered && this.door.isOpen(opening)) {
      answered = await this.#send(opening, this.#nextRequest());
      await Bun.sleep(this.book.backlog / MAILS_A_PAUSE_MS);
    }
  }

  #nextRequest(): SendRequest {
    const request = this.#requests.next();
    if (request.key !== null) this.#lastKeyed = request;
    return request;
  }

  async #repeat(opening: Opening, request: SendRequest): Promise<boolean> {
    const answered = await this.#send(opening, request);
    if (answered) this.book.repeated++;
    return answered;
  }

  /** False if the server could not answer any more. */
  async #send(opening: Opening, request: SendRequest): Promise<boolean> {
    this.book.asked(request);
    try {
      this.book.answered(request, await answerTo(opening, request));
      return true;
    } catch (error) {
      if (!this.door.mayFail(opening)) this.book.fault(`A request failed though nobody had ended the server: ${error}`);
      return false;
    }
  }
}

async function answerTo(opening: Opening, request: SendRequest): Promise<Answer> {
  const said = await post(opening, request);
  if (said.kind !== "accepted") throw new Error("Answered 503");
  return said.answer;
}
