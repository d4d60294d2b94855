// One way out: whom mails are handed to, at which pace, over how many connections, and whether that works.
import type { Pace } from "../../base/brakes/token-bucket.ts";
import type { FairQueue } from "../../base/brakes/fair-queue.ts";
import { iso, MINUTE_MS, type Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { CarrierResult } from "./carrier/carrier.ts";
import type { Carriers } from "./carrier/carriers.ts";
import type { HeaderTerms } from "./carrier/handover.ts";
import { Connections } from "./connections.ts";
import { Deferrals } from "./deferrals.ts";
import { pacerOf } from "./queries.ts";
import { Reachability, type Circuit, type HopState } from "./reachability.ts";
import { Closers } from "./closers.ts";
import { wasLost, waitsForSender } from "./refused-by-way.ts";
import { SenderRefusals } from "./sender-refusals.ts";
import { aboutWay } from "./transport/about-way.ts";
import type { HandoverOutcome, HopRefusal } from "./transport/transport.ts";

export type WayOutOptions = HeaderTerms & {
  readonly name: string;
  readonly transport: WayState["transport"];
  /** Host and port of the relay, or the region of SES. */
  readonly relay: string | null;
  readonly carriers: Carriers;
  /** Connections to the next hop. */
  readonly concurrency: number;
  /** Null = no limit. */
  readonly pace: Pace | null;
  /** Its number in the store (hop-queries.ts). */
  readonly hop: number | null;
  /** There are others. */
  readonly isOneOfSeveral: boolean;
  /** Nothing is claimed ahead of a free connection. */
  readonly isStrict: boolean;
  /** For large mails, which all ways share. */
  readonly memory: FairQueue;
  readonly log: Log;
  readonly clock: Clock;
};

export type WayState = HopState & {
  readonly name: string;
  readonly transport: "smtp" | "ses" | "capture";
  readonly place: string | null;
  readonly circuit: Circuit;
  /** No answer has come for a while, though mails wait for one. */
  readonly isStalled: boolean;
  readonly ratePerSecond: number | null;
  /** By its owners: it gets no mail. */
  readonly isPaused: boolean;
};

/** With another way to go, nobody waits longer for a next hop that says nothing. */
const STALLED_MS = 15_000;

/** What only looks like a fault of the way is one if so many receivers say it. */
const LEAST_RECEIVERS = 3;
/** Of a mail whose sender no way knows: once one does, it leaves at once (send-loop.ts). */
const WAITS_MS = 10 * MINUTE_MS;
/** Until a mail is offered again that the way is not to be tried with. */
const PASSED_OVER_MS = 5_000;

type HandoverParties = { readonly receiver: string; readonly sender: string | null };

/** What becomes due with an older time (a queue that is released) waits so long at most. */
const LOOK_AGAIN_MS = 5_000;
const LATE_COMMITS_MS = 10_000;

export class WayOut {
  readonly options: WayOutOptions;
  readonly pacer: string;
  readonly connections: Connections;
  readonly #reachability: Reachability;
  /** The rate has no slot before. */
  nextSlotAtMs = -Infinity;
  /** While mail goes by another way: when what waits for this one is looked for again. */
  nextOwnAtMs = -Infinity;
  mailsPerSession: number | null = null;
  isPaused = false;
  /** From the claim on, while they wait for a connection and are on their way. */
  #given = 0;
  #onTheirWay = 0;
  /** The last answer, or the moment at which the first one was waited for. */
  #heardAtMs = 0;
  #isLooking = false;
  #looked: { readonly before: string; readonly untilMs: number } | null = null;
  readonly #deferrals = new Deferrals();
  readonly #closers = new Closers();
  readonly #senders = new SenderRefusals();

  constructor(options: WayOutOptions) {
    const { name, isOneOfSeveral, log, clock } = options;
    this.options = options;
    this.pacer = pacerOf(name);
    this.connections = new Connections(options);
    this.#reachability = new Reachability({ log, clock, way: isOneOfSeveral ? name : null });
  }

  get isDown(): boolean {
    return this.#reachability.isDown;
  }

  get hop(): HopState {
    return this.#reachability.state;
  }

  get state(): WayState {
    const { name, transport, relay: place, pace, clock } = this.options;
    const { circuit, state } = this.#reachability;
    const isStalled = this.isStalled(clock.monotonicMs());
    const ratePerSecond = pace && 1000 / pace.intervalMs;
    return { name, transport, place, ...state, circuit, isStalled, ratePerSecond, isPaused: this.isPaused };
  }

  /** Milliseconds until something may be claimed for it. `isCurrent`: by which mail leaves. */
  waitMs(nowMs: number, isCurrent: boolean): number {
    const nextAtMs = isCurrent ? this.nextSlotAtMs : Math.max(this.nextSlotAtMs, this.nextOwnAtMs);
    return Math.max(this.#reachability.restMs(nowMs), nextAtMs - nowMs);
  }

  /** The most that may be claimed. One that has yet to show that it works gets one mail at a time. */
  get most(): number {
    if (this.isPaused) return 0;
    if (this.#reachability.circuit === "CLOSED") return Infinity;
    return this.isIdle ? 1 : 0;
  }

  /** Whether a mail that may go by several ways is given to it. */
  isUsable(nowMs: number): boolean {
    return !this.isDown && this.most > 0 && !this.isStalled(nowMs);
  }

  /** What it had in hand when a process died goes by another way. */
  isAway(nowMs: number): boolean {
    return this.isDown || this.isPaused || this.isStalled(nowMs);
  }

  /** Rules keep all that is due from it, of every workspace: for a while the head of the queue is not looked through again. */
  foundNothing(nowMs: number): void {
    if (this.#looked !== null && nowMs < this.#looked.untilMs) return;
    const before = iso(this.options.clock.nowMs() - LATE_COMMITS_MS);
    this.#looked = { before, untilMs: nowMs + LOOK_AGAIN_MS };
  }

  /** Up to which due time nothing is for it; null = that is not known. */
  lookedUntil(nowMs: number): string | null {
    return this.#looked !== null && nowMs < this.#looked.untilMs ? this.#looked.before : null;
  }

  get isIdle(): boolean {
    return this.#given + this.#onTheirWay === 0;
  }

  isStalled(nowMs: number): boolean {
    return this.#onTheirWay > 0 && nowMs - this.#heardAtMs > STALLED_MS;
  }

  /** Tries it without a mail, once it is time; `onEnd`: it is known. */
  look(nowMs: number, onEnd: () => void): void {
    if (!this.isDown || this.#isLooking || this.#reachability.restMs(nowMs) > 0) return;
    this.#isLooking = true;
    const { carriers, clock } = this.options;
    void carriers
      .look()
      .catch((error: Error) => error.message)
      .then((fault) => {
        this.#isLooking = false;
        if (fault === null) this.#reachability.wouldTake();
        else this.#reachability.failed(clock.monotonicMs(), fault);
        onEnd();
      });
  }

  /** It has got a mail until `work` is done. @throws as `work` */
  async has<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#given++;
    try {
      return await work();
    } finally {
      this.#given--;
    }
  }

  /**
   * Runs one hand-over to a recipient at `receiver`, a mailbox provider or a domain, and learns from its outcome.
   * `sender`: the domain that sends. @throws as `work`
   */
  async use(
    receiver: string,
    work: () => Promise<CarrierResult>,
    sender: string | null = null,
  ): Promise<CarrierResult> {
    const { clock } = this.options;
    if (this.#onTheirWay++ === 0) this.#heardAtMs = clock.monotonicMs();
    try {
      const carried = await work();
      this.#heardAtMs = clock.monotonicMs();
      this.#learn(carried.outcome, { receiver, sender });
      return carried;
    } finally {
      this.#onTheirWay--;
    }
  }

  /** Whether it is used for mail of the domain. */
  takesFrom(sender: string | null): boolean {
    return sender === null || this.#senders.isNone || this.#senders.whyNot(sender) === null;
  }

  /** It has not refused mail of the domain of late. */
  isClearFor(sender: string): boolean {
    return this.#senders.isClear(sender);
  }

  /** As the store has it from a process before. */
  recallRefusal(sender: string, reply: string): void {
    this.#senders.recall(sender, reply, this.options.clock.monotonicMs());
  }

  /** What of its sender domains is to be kept in the store (sender-refusals.ts). */
  get senderNews(): Map<string, string | null> {
    return this.#senders.news;
  }

  /** How long a mail of the domain waits that it has refused. */
  senderRestMs(sender: string | null): number {
    return sender === null ? 0 : this.#senders.restMs(sender, this.options.clock.monotonicMs());
  }

  /** What is said for a mail of the domain without asking; null = it is asked. */
  refusesUnasked(sender: string | null, receiver: string): HopRefusal | null {
    const nowMs = this.options.clock.monotonicMs();
    const why = sender === null || this.#senders.isNone ? null : this.#senders.whyNot(sender);
    if (why !== null && !this.#senders.mayAsk(sender as string, nowMs))
      return waitsForSender(why, WAITS_MS * (1 + 5 * Math.random()));
    const isTried = this.#reachability.circuit !== "CLOSED";
    if (!isTried || this.#closers.mayTry(receiver, sender, nowMs)) return null;
    return { kind: "unreachable", reply: this.hop.reply ?? "", waitMs: PASSED_OVER_MS };
  }

  #learn(outcome: HandoverOutcome, { receiver, sender }: HandoverParties): void {
    const nowMs = this.options.clock.monotonicMs();
    if (outcome.kind === "accepted") {
      if (sender !== null) this.#senders.took(sender, nowMs);
      return this.#answered(nowMs);
    }
    if (outcome.isLocal) return;
    const { reply } = outcome;
    if (outcome.kind === "unreachable") return this.#reachability.failed(nowMs, reply);
    const about = aboutWay(outcome);
    if (about?.what === "sender" && sender !== null) return this.#refused({ receiver, sender }, reply, about.isSure);
    if (about !== null || (this.options.isOneOfSeveral && wasLost(outcome))) {
      const receivers = this.#closers.add(receiver, null);
      const isSure = about?.isSure ?? outcome.phase === undefined;
      return this.#reachability.refused(nowMs, reply, isSure ? Infinity : receivers);
    }
    if (outcome.kind === "later" && this.#isToBlame(receiver)) return this.#reachability.failed(nowMs, reply);
    if (outcome.kind === "later") return this.#reachability.answered(nowMs);
    return this.#answered(nowMs);
  }

  /** What may be the word of one receiver counts once there are three. */
  #refused({ receiver, sender }: HandoverParties & { readonly sender: string }, reply: string, isSure: boolean): void {
    const nowMs = this.options.clock.monotonicMs();
    const receivers = this.#closers.add(receiver, sender);
    // It answers, and takes mail of others.
    if (this.#reachability.circuit === "CLOSED") this.#reachability.wouldTake();
    if (!isSure && receivers < LEAST_RECEIVERS) return;
    if (this.#senders.refused(sender, reply, nowMs)) this.#reachability.failed(nowMs, reply);
  }

  /** For a deferral: there were many in a row, or the way has yet to show that it works. */
  #isToBlame(receiver: string): boolean {
    if (!this.options.isOneOfSeveral) return false;
    this.#closers.note(receiver);
    return this.#deferrals.add(receiver) || this.#reachability.circuit === "HALF_OPEN";
  }

  #answered(nowMs: number): void {
    this.#deferrals.clear();
    this.#closers.clear();
    this.#reachability.answered(nowMs);
  }
}
