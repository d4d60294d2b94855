// Places for questions that are on their way: so many in all, so many for one asker; whoever has the fewest comes first.
import { DnsError } from "../dns.ts";

export type Bounds = { readonly all: number; readonly each: number };

/** What tells askers apart, a workspace for example. */
export type Who = number | string;

type Waiting = { readonly go: () => void };

export class Places {
  readonly #taken = new Map<Who, number>();
  readonly #waiting = new Map<Who, Set<Waiting>>();
  #all = 0;

  constructor(private readonly bounds: Bounds) {}

  /** Null: the place was taken at once. Else the promise is kept when it is. @throws DnsError if there is none before `until` */
  take(who: Who, until: AbortSignal | undefined): Promise<void> | null {
    if (!this.#hasRoom(who)) return this.#wait(who, until);
    this.#count(who, 1);
    return null;
  }

  giveBack(who: Who): void {
    this.#count(who, -1);
    for (let next = this.#next(); next !== null; next = this.#next()) {
      const [first] = this.#waiting.get(next) ?? [];
      if (first) this.#leave(next, first);
      this.#count(next, 1);
      first?.go();
    }
  }

  #wait(who: Who, until: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { go: resolve };
    const late = () => {
      this.#leave(who, waiting);
      reject(new DnsError("Too many questions were on their way.", false));
    };
    this.#waiting.set(who, (this.#waiting.get(who) ?? new Set()).add(waiting));
    until?.addEventListener("abort", late);
    return promise.finally(() => until?.removeEventListener("abort", late));
  }

  /** Who is to have the place that is free; null if there is none, or nobody waits for it. */
  #next(): Who | null {
    let next: Who | null = null;
    for (const who of this.#waiting.keys()) {
      if (this.#hasRoom(who) && (next === null || this.#of(who) < this.#of(next))) next = who;
    }
    return next;
  }

  #leave(who: Who, waiting: Waiting): void {
    const others = this.#waiting.get(who);
    others?.delete(waiting);
    if (others?.size === 0) this.#waiting.delete(who);
  }

  #hasRoom(who: Who): boolean {
    return this.#all < this.bounds.all && this.#of(who) < this.bounds.each;
  }

  #of(who: Who): number {
    return this.#taken.get(who) ?? 0;
  }

  #count(who: Who, more: number): void {
    this.#all += more;
    const taken = this.#of(who) + more;
    if (taken > 0) this.#taken.set(who, taken);
    else this.#taken.delete(who);
  }
}
