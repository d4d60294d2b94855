// A clock that stands still until a test moves it. A database that is asked for the time does not set it.
import type { SharedClock } from "../../src/store/postgres/shared-clock.ts";

export class TestClock implements SharedClock {
  readonly headStartMs = 0;
  #ms: number;
  #monotonicMs = 1_000_000;
  #jumpedMs = 0;
  readonly #timeouts = new Map<AbortController, number>();

  hasJumped = false;

  constructor(private readonly start = "2026-03-01T09:00:00.000Z") {
    this.#ms = Date.parse(start);
  }

  nowMs(): number {
    return this.#ms;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  steadyNowMs(): number {
    return this.#ms - this.#jumpedMs;
  }

  heard(): number {
    return this.#ms;
  }

  timeout(ms: number): AbortSignal {
    const controller = new AbortController();
    this.#timeouts.set(controller, this.#monotonicMs + ms);
    return controller.signal;
  }

  /** Time goes by until somebody's timeout is over, if somebody waits for one. */
  advanceToTimeout(): void {
    const next = Math.min(...this.#timeouts.values());
    if (next !== Infinity) this.advance(Math.max(0, next - this.#monotonicMs));
  }

  /** Time goes by. */
  advance(ms: number): void {
    this.#ms += ms;
    this.#monotonicMs += ms;
    for (const [controller, atMs] of this.#timeouts) {
      if (atMs > this.#monotonicMs) continue;
      this.#timeouts.delete(controller);
      controller.abort();
    }
  }

  /** So much time goes by, in which what is counted by it is forgotten; and it is the first moment again. */
  startOver(ms: number): void {
    this.advance(ms);
    this.jump(Date.parse(this.start) - this.#ms);
    this.hasJumped = false;
  }

  /** Somebody sets the clock: the calendar jumps, no time goes by. */
  jump(ms: number): void {
    this.hasJumped = true;
    this.#jumpedMs += ms;
    this.#ms += ms;
  }
}
