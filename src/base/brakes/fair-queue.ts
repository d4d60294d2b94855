// A limit on concurrent work. The owner with the least work running is next; each owner's work runs in the order in
// which it came.
import type { Clock } from "../clock.ts";
import { AppError } from "../errors.ts";

export type WorkOwner = number | string | symbol | object;

type FairQueueOptions = {
  /** The owner of the work, for example a workspace. */
  readonly owner?: WorkOwner;
  /** How much of the capacity it takes. Work that is larger than the capacity runs alone. */
  readonly size?: number;
  /** The work does not run if this ends before its turn. */
  readonly until?: AbortSignal | undefined;
};

type FairQueueEntry = { readonly size: number; readonly start: () => void };

/** The owner that is next, ahead of all others. */
const FIRST = Symbol("first");

export class FairQueue {
  readonly #capacity: number;
  readonly #mostOfOwner: number;
  readonly #used = new Map<WorkOwner, number>();
  /** The owner that was served longest ago comes first. */
  readonly #waiting = new Map<WorkOwner, FairQueueEntry[]>();
  #free: number;

  /** `mostOfOwner`: how much of the capacity one owner may have. */
  constructor(capacity: number, mostOfOwner = capacity) {
    this.#capacity = capacity;
    this.#mostOfOwner = mostOfOwner;
    this.#free = capacity;
  }

  /** The number of entries that wait. */
  get waiting(): number {
    return this.#waiting.values().reduce((sum, { length }) => sum + length, 0);
  }

  /** How much of the capacity is in use. */
  get used(): number {
    return this.#capacity - this.#free;
  }

  usedBy(owner: WorkOwner): number {
    return this.#used.get(owner) ?? 0;
  }

  waitingOf(owner: WorkOwner): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  /** Runs `work` when its turn comes. @throws the reason of `until`, without having run it */
  async run<Result>(work: () => Promise<Result>, place: FairQueueOptions = {}): Promise<Result> {
    const release = await this.take(place);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Resolves when its turn comes, with a function that gives the capacity back, once. @throws the reason of `until` */
  take({ owner = 0, size = 1, until }: FairQueueOptions = {}): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    if (until?.aborted) return Promise.reject(until.reason as Error);
    const part = Math.min(size, this.#mostOfOwner);
    const giveUp = () => {
      this.#remove(owner, waiting);
      reject(until?.reason as Error);
      this.#startNext();
    };
    const start = () => {
      until?.removeEventListener("abort", giveUp);
      this.#count(owner, part);
      resolve(() => {
        this.#count(owner, -part);
        this.#startNext();
      });
    };
    const waiting = { size: part, start };
    until?.addEventListener("abort", giveUp);
    this.#enqueue(owner, waiting);
    this.#startNext();
    return promise;
  }

  /** Resolves when nothing runs any more; work that waits now runs later. */
  async idle(): Promise<void> {
    const release = await this.take({ owner: FIRST, size: this.#capacity });
    release();
  }

  /** As `run`, ahead of everything that waits. */
  runFirst<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.run(work, { owner: FIRST });
  }

  #enqueue(owner: WorkOwner, waiting: FairQueueEntry): void {
    const theirs = this.#waiting.get(owner);
    if (theirs) theirs.push(waiting);
    else this.#waiting.set(owner, [waiting]);
  }

  #remove(owner: WorkOwner, waiting: FairQueueEntry): void {
    const theirs = this.#waiting.get(owner) ?? [];
    theirs.splice(theirs.indexOf(waiting), 1);
    this.#waiting.delete(owner);
    if (theirs.length > 0) this.#waiting.set(owner, theirs);
  }

  #startNext(): void {
    for (let next = this.#next(); next && next.waiting.size <= this.#free; next = this.#next()) {
      this.#remove(next.owner, next.waiting);
      next.waiting.start();
    }
  }

  /** Work that waits for room keeps its turn until there is enough. */
  #next(): { readonly owner: WorkOwner; readonly waiting: FairQueueEntry } | null {
    let next: { readonly owner: WorkOwner; readonly waiting: FairQueueEntry } | null = null;
    let least = Infinity;
    if (this.#free === 0) return null;
    for (const [owner, [waiting]] of this.#waiting as Map<WorkOwner, [FairQueueEntry]>) {
      if (owner === FIRST) return { owner, waiting };
      const used = this.#used.get(owner) ?? 0;
      if (used < least && used + waiting.size <= this.#mostOfOwner) [next, least] = [{ owner, waiting }, used];
    }
    return next;
  }

  #count(owner: WorkOwner, change: number): void {
    this.#free -= change;
    const used = (this.#used.get(owner) ?? 0) + change;
    if (used > 0) this.#used.set(owner, used);
    else this.#used.delete(owner);
  }
}

/** The owner of a workspace's long reads: its requests, or a loop that works for it. */
export function readerOf(workspace: number, byLoop?: true): WorkOwner {
  return byLoop ? `loop ${workspace}` : workspace;
}

/** Callers give up after this time. */
const MAX_WAIT_MS = 5_000;

/** A queue for requests: work whose turn comes too late does not run. */
export class RequestQueue {
  readonly #clock: Clock;
  readonly #queue: FairQueue;
  readonly #what: string;

  /**
   * `what` names the waiting work in the plural: "long reads". `mostOfOwner`: how many of one owner run concurrently.
   */
  constructor(clock: Clock, atOnce: number, what: string, mostOfOwner = atOnce) {
    this.#clock = clock;
    this.#queue = new FairQueue(atOnce, mostOfOwner);
    this.#what = what;
  }

  /** @throws AppError STORE_UNAVAILABLE, without having run `work`, if its turn comes after `maxWaitMs` */
  run<Result>(owner: WorkOwner, work: () => Promise<Result>, maxWaitMs = MAX_WAIT_MS): Promise<Result> {
    const sinceMs = this.#clock.monotonicMs();
    const inTime = () => {
      if (this.#clock.monotonicMs() - sinceMs > maxWaitMs) throw waitedTooLong(this.#what);
      return work();
    };
    return this.#queue.run(inTime, { owner });
  }

  runFirst<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#queue.runFirst(work);
  }
}

function waitedTooLong(what: string): AppError {
  return new AppError("STORE_UNAVAILABLE", `Too many ${what} were waiting before this one.`, {
    suggestion: "Nothing was changed. Try again after the time in Retry-After, with fewer requests at once.",
    retryAfterSeconds: 2,
  });
}
