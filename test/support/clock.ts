// A clock that stands still until a test moves it.
import type { Clock } from "../../src/clock.ts";

export class TestClock implements Clock {
  #ms: number;
  #monotonicMs = 1_000_000;

  constructor(start = "2026-03-01T09:00:00.000Z") {
    this.#ms = Date.parse(start);
  }

  nowMs(): number {
    return this.#ms;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  /** Time goes by. */
  advance(ms: number): void {
    this.#ms += ms;
    this.#monotonicMs += ms;
  }

  /** Somebody sets the clock: the calendar jumps, no time goes by. */
  jump(ms: number): void {
    this.#ms += ms;
  }
}
