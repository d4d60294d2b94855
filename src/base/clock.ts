// The only place that reads the time.

export interface Clock {
  /** Milliseconds since 1970, as the calendar says; it may jump. */
  nowMs(): number;
  /** Milliseconds that only ever go forward, for measuring durations. */
  monotonicMs(): number;
  /** As `nowMs`, but without a jump when the calendar is set. */
  steadyNowMs(): number;
  /** A signal that is aborted after `ms`. */
  timeout(ms: number): AbortSignal;
  /** How long before its moment work is made ready; 0 = time moves only when a test moves it. */
  readonly headStartMs: number;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  steadyNowMs: () => performance.timeOrigin + performance.now(),
  timeout: (ms) => AbortSignal.timeout(ms),
  headStartMs: 250,
};

/** Stands still until it is moved, for tests of what takes days. No database tells it the time. */
export class StillClock implements Clock {
  readonly headStartMs = 0;
  #ms: number;

  constructor(startMs = Date.now()) {
    this.#ms = startMs;
  }

  nowMs(): number {
    return this.#ms;
  }

  monotonicMs(): number {
    return this.#ms;
  }

  steadyNowMs(): number {
    return this.#ms;
  }

  heard(): number {
    return this.#ms;
  }

  /** Timeouts of calls to other services, in real time. */
  timeout(ms: number): AbortSignal {
    return systemClock.timeout(ms);
  }

  /** It never goes back. */
  moveTo(ms: number): void {
    this.#ms = Math.max(this.#ms, Math.ceil(ms));
  }
}

/** The processor time of this thread in milliseconds: other load on the machine does not count. */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** `2026-01-31T09:30:00.000Z`, the form in which every time is stored and shown. */
export function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** Now, or a millisecond after `at` if that is later: each change has its own time, even if the clock goes back. */
export function laterThan(nowMs: number, at: string | null): string {
  return iso(at === null ? nowMs : Math.max(nowMs, Date.parse(at) + 1));
}

/** `2026-03-01`, a day that its month has: `Date.parse` would count on into the next month. */
export function isDay(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const ms = Date.parse(value);
  return !Number.isNaN(ms) && new Date(ms).getUTCDate() === Number(value.slice(8));
}
