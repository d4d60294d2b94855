// What the clients asked for and what they were told: the ledger against which the sink and the database are held.
import type { SendRequest } from "./requests.ts";

export type Answer = { readonly ids: readonly string[]; readonly replayed: boolean };

/** A request and the ids of its mails, in the order of the recipients: none if it was refused, null if nobody knows. */
export type Exchange = { readonly recipients: readonly string[]; readonly ids: readonly string[] | null };

export class Book {
  readonly faults: string[] = [];
  /** How many requests were repeated with their key, and answered. */
  repeated = 0;
  /** How often a server said 503: nothing was done, or it could not tell. */
  readonly refusals = { refused: 0, unsure: 0 };
  readonly #answers = new Map<SendRequest, readonly string[] | null>();
  readonly #accepted = new Set<string>();
  readonly #arrived = new Set<string>();
  #backlog = 0;

  /** How many accepted mails have not arrived yet. */
  get backlog(): number {
    return this.#backlog;
  }

  get exchanges(): Exchange[] {
    return [...this.#answers].map(([{ recipients }, ids]) => ({ recipients, ids }));
  }

  /** A request is on its way, for the first time or again. */
  asked(request: SendRequest): void {
    if (!this.#answers.has(request)) this.#answers.set(request, null);
  }

  /** An answer has come; a second one must say the same as the first. */
  answered(request: SendRequest, answer: Answer): void {
    const first = this.#answers.get(request) ?? null;
    if (first !== null) return this.#compare(first, answer);
    this.#answers.set(request, answer.ids);
    for (const id of answer.ids) this.#accept(id);
  }

  /** A server said 503. A request that is not made again must have left nothing if that is what it said. */
  turnedAway(request: SendRequest, kind: "refused" | "unsure"): void {
    this.refusals[kind]++;
    if (request.key === null && kind === "refused") this.#answers.set(request, []);
  }

  arrived(id: string): void {
    if (this.#arrived.has(id)) return;
    this.#arrived.add(id);
    if (this.#accepted.has(id)) this.#backlog--;
  }

  fault(what: string): void {
    this.faults.push(what);
  }

  #accept(id: string): void {
    this.#accepted.add(id);
    if (!this.#arrived.has(id)) this.#backlog++;
  }

  #compare(first: readonly string[], { ids, replayed }: Answer): void {
    if (!replayed) this.fault(`A repeated request was not answered as a repetition: ${first}`);
    if (ids.join() !== first.join())
      this.fault(`A repeated request was answered with other ids: ${first}, then ${ids}`);
  }
}
