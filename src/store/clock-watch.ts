// Watches the calendar for jumps. Work that depends on the date waits while the calendar is in doubt; after a clock is
// set back, work that was due now by the wrong time is made due again.
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, type Clock } from "../base/clock.ts";
import { NOTHING_DUE } from "../base/jobs/due.ts";
import type { Calendar, LoopSpec } from "../base/jobs/loops.ts";
import type { Log } from "../base/log.ts";
import { acceptClock, doubtClock, keepSeen, seenIn, type ClockMark } from "./clock-queries.ts";
import type { Store, Tx } from "./store.ts";
import { makeAllDue } from "./turns.ts";

/** A jump between two checks goes unseen. */
const LOOK_EVERY_MS = 1_000;
/** Smaller jumps come from adjusting a clock. */
const MIN_JUMP_MS = 1_000;
/** A clock this far ahead of the latest moment seen, plus the time since, may be right or wrong. */
const MAX_AHEAD_MS = DAY_MS;
/** A clock without a jump for this long is believed. */
const AGREED_MS = HOUR_MS;
const KEPT_EVERY_MS = MINUTE_MS;

/** Makes work due that was due by the wrong clock. Work that is meant for later stays. */
export type Recall = (tx: Tx) => Promise<unknown>;

type ClockWatchOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** One for each kind of work, from the room that owns it. */
  readonly recalls: readonly Recall[];
};

type ClockSample = { readonly nowMs: number; readonly atMs: number; readonly isAgreed: boolean };

export class ClockWatch implements Calendar {
  isDoubted = false;
  /** How far the calendar is ahead of the monotonic time; unknown before the first check. */
  #aheadMs = NaN;
  /** In monotonic time, as all moments below. */
  #steadySinceMs = 0;
  #nextLookMs = -Infinity;
  /** The latest moment that was believed, and its monotonic time. */
  #believed = { nowMs: 0, atMs: 0 };
  #looking: Promise<void> | null = null;

  constructor(private readonly around: ClockWatchOptions) {}

  get loop(): LoopSpec {
    return { name: "watching the clock", step: async () => NOTHING_DUE, lookEveryMs: LOOK_EVERY_MS };
  }

  /** Each loop checks before each of its steps, so that none works with a clock that has just jumped. */
  async look(): Promise<void> {
    const { clock } = this.around;
    const isSteady = Math.abs(clock.nowMs() - clock.monotonicMs() - this.#aheadMs) < MIN_JUMP_MS;
    if (isSteady && clock.monotonicMs() < this.#nextLookMs) return;
    await (this.#looking ??= this.#lookClosely().finally(() => (this.#looking = null)));
  }

  async #lookClosely(): Promise<void> {
    const { clock, store } = this.around;
    const [nowMs, atMs] = [clock.nowMs(), clock.monotonicMs()];
    const seen = await store.read(seenIn);
    if (Number.isNaN(this.#aheadMs)) await this.#begin(seen, nowMs, atMs);
    const jumpMs = nowMs - atMs - this.#aheadMs;
    const hasJumped = Math.abs(jumpMs) >= MIN_JUMP_MS;
    if (hasJumped) await this.#jumped(jumpMs, nowMs, atMs);
    const expectedMs = Math.max(this.#believed.nowMs + atMs - this.#believed.atMs, momentOf(seen.seenAt));
    const isAgreed = atMs - this.#steadySinceMs >= AGREED_MS;
    if (nowMs > expectedMs + MAX_AHEAD_MS && !isAgreed) {
      if (!this.isDoubted || hasJumped) await this.#doubt(seen, expectedMs, nowMs);
    } else await this.#believe(seen, { nowMs, atMs, isAgreed });
    this.#aheadMs = nowMs - atMs;
    this.#nextLookMs = atMs + (this.isDoubted ? LOOK_EVERY_MS : KEPT_EVERY_MS);
  }

  /** This run cannot explain a gap between the last moment seen and now. */
  async #begin(seen: ClockMark, nowMs: number, atMs: number): Promise<void> {
    this.#believed = { nowMs: momentOf(seen.seenAt) || nowMs, atMs };
    this.#steadySinceMs = atMs;
    this.#aheadMs = nowMs - atMs;
    // The clock was set back while no server ran.
    if (Math.max(momentOf(seen.seenAt), momentOf(seen.doubtedAt)) - nowMs >= MIN_JUMP_MS) await this.#recallAll();
  }

  async #recallAll(): Promise<void> {
    await this.around.store.write(async (tx) => {
      for (const recall of this.around.recalls) await recall(tx);
      await makeAllDue(tx);
    });
  }

  async #jumped(jumpMs: number, nowMs: number, atMs: number): Promise<void> {
    const { log } = this.around;
    if (jumpMs < 0) await this.#recallAll();
    this.#steadySinceMs = atMs;
    const [how, bySeconds] = [jumpMs < 0 ? "back" : "forward", Math.round(Math.abs(jumpMs) / 1000)];
    log.warn(`the clock was set ${how}`, { bySeconds, from: iso(nowMs - jumpMs), to: iso(nowMs) });
  }

  async #doubt({ doubtedAt }: ClockMark, expectedMs: number, nowMs: number): Promise<void> {
    const sinceDoubtMs = nowMs - momentOf(doubtedAt);
    // The doubt of the previous run goes on: work that was queued since then is meant for now.
    const isTheSame = sinceDoubtMs >= 0 && sinceDoubtMs < MAX_AHEAD_MS;
    if (!isTheSame) await this.around.store.write((tx) => doubtClock(tx, iso(expectedMs), iso(nowMs)));
    if (!this.isDoubted)
      this.around.log.warn(
        "THE CLOCK IS IN DOUBT: it is more than a day ahead of the latest time this server has seen. Nothing is deleted by age and no scheduled email leaves until it has run for an hour without a jump, or somebody runs: posthorn clock accept",
        { seen: iso(expectedMs), now: iso(nowMs) },
      );
    this.isDoubted = true;
  }

  /** A doubt in the store may come from another run, or from another server. */
  async #believe({ doubtedAt }: ClockMark, { nowMs, atMs, isAgreed }: ClockSample): Promise<void> {
    const { store, log } = this.around;
    if (this.isDoubted || doubtedAt !== null) {
      await store.write(acceptClock);
      log.info("the clock is believed: scheduled email leaves, and what is old is deleted", { now: iso(nowMs) });
    } else await store.write((tx) => keepSeen(tx, isAgreed));
    this.#believed = { nowMs, atMs };
    this.isDoubted = false;
  }
}

/** 0: no moment. */
function momentOf(at: string | null): number {
  return at === null ? 0 : Date.parse(at);
}
