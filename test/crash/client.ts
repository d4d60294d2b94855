// A client that sends one request after the other and, after a restart, repeats its last one that had an Idempotency-Key.
import type { Random } from "../support/seeded.ts";
import type { Answer, Book, SendRequest } from "./book.ts";
import type { Door, Opening } from "./door.ts";

/** So many mails in the queue add a millisecond between requests: it neither runs dry nor grows without end. */
const MAILS_A_PAUSE_MS = 100;
const LONGEST_ANSWER_MS = 15_000;
const MOST_RECIPIENTS = 5;

type SendAnswer = { readonly data: { readonly emails: readonly { readonly email: string }[] } };

export class Client {
  #lastKeyed: SendRequest | null = null;
  #serial = 0;

  constructor(
    private readonly name: string,
    private readonly door: Door,
    private readonly book: Book,
    private readonly random: Random,
  ) {}

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

  /** A fifth have several recipients, half have a key. */
  #nextRequest(): SendRequest {
    const kind = this.random.below(10);
    const count = kind < 2 ? 2 + this.random.below(MOST_RECIPIENTS - 1) : 1;
    const recipients = Array.from({ length: count }, () => `${this.name}-${++this.#serial}@example.com`);
    const request = { recipients, key: kind % 2 === 0 ? `key of ${recipients[0]}` : null };
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

async function answerTo({ url, secretKey }: Opening, { recipients, key }: SendRequest): Promise<Answer> {
  const mail = {
    to: recipients,
    from: "hello@example.test",
    subject: "Still here?",
    body: "<p>What was accepted arrives.</p>",
  };
  const headers = new Headers({ authorization: `Bearer ${secretKey}`, "content-type": "application/json" });
  if (key !== null) headers.set("idempotency-key", key);
  const signal = AbortSignal.timeout(LONGEST_ANSWER_MS);
  const response = await fetch(`${url}/v1/send`, { method: "POST", headers, body: JSON.stringify(mail), signal });
  if (response.status !== 200) throw new Error(`Answered ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as SendAnswer;
  return {
    ids: data.emails.map(({ email }) => email),
    replayed: response.headers.get("idempotent-replayed") === "true",
  };
}
