// Callers that ask the same question at the same time share one answer. No caller gets an answer that was begun before
// its question: while one is being computed, new callers wait for the next, which sees all commits until then.

export class SharedAnswers<Answer> {
  readonly #onTheirWay = new Map<string, Promise<Answer>>();
  readonly #next = new Map<string, Promise<Answer>>();

  get(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    const before = this.#onTheirWay.get(question);
    if (!before) return this.#ask(question, ask);
    const next = this.#next.get(question) ?? before.then(nothing, nothing).then(() => this.#ask(question, ask));
    this.#next.set(question, next);
    return next;
  }

  #ask(question: string, ask: () => Promise<Answer>): Promise<Answer> {
    this.#next.delete(question);
    const answer = ask();
    this.#onTheirWay.set(question, answer);
    const end = () => void (this.#onTheirWay.get(question) === answer && this.#onTheirWay.delete(question));
    answer.then(end, end);
    return answer;
  }
}

/** The outcome of the previous answer does not matter. */
function nothing(): void {}
