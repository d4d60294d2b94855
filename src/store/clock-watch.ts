// Watches the calendar for jumps. What goes by the date waits while it is in doubt; what was due at once by a clock
// that is set back is called again.
import { DAY_MS, HOUR_MS, iso, MINUTE_MS, type Clock } from "../base/clock.ts";
import type { Calendar, LoopSpec } from "../base/jobs/loops.ts";
import type { Log } from "../base/log.ts";
import { acceptClock, doubtClock, keepSeen, seenIn, type ClockMark } from "./clock-queries.ts";
import type { Store, Tx } from "./store.ts";
import { makeAllDue } from "./turns.ts";

/** What a clock did between two looks is not seen. */
const LOOK_EVERY_MS = 1_000;
/** Less is how a clock is kept right. */
const MIN_JUMP_MS = 1_000;
/** So far ahead of the latest moment seen, and of the time gone by since, a clock may be right or not. */
const MAX_AHEAD_MS = DAY_MS;
/** Without a jump for so long, it is believed. */
const AGREED_MS = HOUR_MS;
const KEPT_EVERY_MS = MINUTE_MS;

/** Makes due what was due by a clock that went wrong. What is meant for later stays. */
export type Recall = (tx: Tx) => Promise<unknown>;

type ClockWatchOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  /** Of the work itself, by those whose work it is. */
  readonly recalls: readonly Recall[];
};

type ClockReading = { readonly nowMs: number; readonly atMs: number; readonly isAgreed: boolean };

export class ClockWatch implements Calendar {
  isDoubted = false;
  /** How far the calendar is ahead of the time that does not jump; before the first look it may have been anywhere. */
  #aheadMs = NaN;
  /** By the time that does not jump, as all that follows. */
  #steadySinceMs = 0;
  #nextLookMs = -Infinity;
  /** The latest moment that was believed, and when. */
  #believed = { nowMs: 0, atMs: 0 };
  #looking: Promise<void> | null = null;

  constructor(private readonly around: ClockWatchOptions) {}

  get loop(): LoopSpec {
    return { name: "watching the clock", step: async () => LOOK_EVERY_MS };
  }

  /** Each loop looks before each of its steps, so that none works with a clock that has just jumped. */
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

  /** Whatever was between the last moment seen and now, this run does not explain it. */
  async #begin(seen: ClockMark, nowMs: number, atMs: number): Promise<void> {
    this.#believed = { nowMs: momentOf(seen.seenAt) || nowMs, atMs };
    this.#steadySinceMs = atMs;
    this.#aheadMs = nowMs - atMs;
    // It was set back while no server ran.
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
    // The doubt of the run before goes on: what was queued since then is meant for now.
    const isTheSame = sinceDoubtMs >= 0 && sinceDoubtMs < MAX_AHEAD_MS;
    if (!isTheSame) await this.around.store.write((tx) => doubtClock(tx, iso(expectedMs), iso(nowMs)));
    if (!this.isDoubted)
      this.around.log.warn(
        "THE CLOCK IS IN DOUBT: it is more than a day ahead of the latest time this server has seen. Nothing is deleted by age and no scheduled email leaves until it has run for an hour without a jump, or somebody runs: posthorn clock accept",
        { seen: iso(expectedMs), now: iso(nowMs) },
      );
    this.isDoubted = true;
  }

  /** A doubt in the store may be of another run, or of another server. */
  async #believe({ doubtedAt }: ClockMark, { nowMs, atMs, isAgreed }: ClockReading): Promise<void> {
    const { store, log } = this.around;
    if (this.isDoubted || doubtedAt !== null) {
      await store.write(acceptClock);
      log.info("the clock is believed: scheduled email leaves, and what is old is deleted", { now: iso(nowMs) });
    } else await store.write((tx) => keepSeen(tx, isAgreed));
    this.#believed = { nowMs, atMs };
    this.isDoubted = false;
  }
}

/** 0: there is none. */
function momentOf(at: string | null): number {
  return at === null ? 0 : Date.parse(at);
}
