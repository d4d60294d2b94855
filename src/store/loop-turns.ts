// The turns of the event loop, one for each who asks, in the order in which they ask.

/**
 * Between two turns the loop looks for what has arrived. If all who came together were served in one turn, who is late by a moment
 * would wait for all of them twice, and whatever is quick for all of them once.
 */
export class LoopTurns {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Resolves in a turn of the loop that is nobody else's: in this one, unless it is taken. */
  next(): Promise<void> | undefined {
    if (this.#isTaken) return new Promise((begin) => this.#waiting.push(begin));
    this.#isTaken = true;
    setImmediate(this.#pass);
    return undefined;
  }

  readonly #pass = (): void => {
    const begin = this.#waiting.shift();
    if (begin) setImmediate(this.#pass);
    else this.#isTaken = false;
    begin?.();
  };
}
