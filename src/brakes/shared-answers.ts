// Many who ask the same at once share an answer. Nobody gets one that was asked for before it came: who asks while an answer is on its
// way waits for the next, which knows all that has been committed until then.

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

/** Whatever became of the answer before. */
function nothing(): void {}
