// One way out: its next hop, pace, connections, and state.
import type { Pace } from "../../base/brakes/token-bucket.ts";
import type { FairQueue } from "../../base/brakes/fair-queue.ts";
import { iso, MINUTE_MS, type Clock } from "../../base/clock.ts";
import type { Log } from "../../base/log.ts";
import type { CarrierResult } from "../carrier/carrier.ts";
import type { Carriers } from "../carrier/carriers.ts";
import type { HeaderTerms } from "../carrier/handover.ts";
import { Connections } from "./health/connections.ts";
import { Deferrals } from "./health/deferrals.ts";
import { pacerOf } from "./pacer-queries.ts";
import { Reachability, type Circuit, type HopState } from "./health/reachability.ts";
import { Closers } from "./health/closers.ts";
import { wasLost, waitsForSender } from "./refused-by-way.ts";
import { SenderRefusals } from "./health/sender-refusals.ts";
import { aboutWay } from "../carrier/transport/about-way.ts";
import type { HandoverOutcome, HopRefusal } from "../carrier/transport/transport.ts";

export type OpenWayOptions = HeaderTerms & {
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
  /** The way is one of several. */
  readonly isOneOfSeveral: boolean;
  /** No mail is claimed ahead of a free connection. */
  readonly isStrict: boolean;
  /** Memory for large mails, which all ways share. */
  readonly memory: FairQueue;
  readonly log: Log;
  readonly clock: Clock;
};

export type WayState = HopState & {
  readonly name: string;
  readonly transport: "smtp" | "ses" | "graph" | "capture";
  readonly place: string | null;
  readonly circuit: Circuit;
  /** No answer has come for a while, though mails wait for one. */
  readonly isStalled: boolean;
  readonly ratePerSecond: number | null;
  /** Paused by its owners: it gets no mail. */
  readonly isPaused: boolean;
};

/** With another way to use, mail waits no longer for a silent next hop. */
const STALLED_MS = 15_000;

/** An apparent fault of the way is taken for one after refusals of this many receivers. */
const LEAST_RECEIVERS = 3;
/** The wait of a mail whose sender no way knows: once a way does, it leaves immediately (send-loop.ts). */
const WAITS_MS = 10 * MINUTE_MS;
/** The wait of a mail that is not suited to try the way with. */
const PASSED_OVER_MS = 5_000;

type HandoverParties = { readonly receiver: string; readonly sender: string | null };

/** The longest wait of mail that becomes due with an older time (a queue that is released). */
const LOOK_AGAIN_MS = 5_000;
const LATE_COMMITS_MS = 10_000;

export class OpenWay {
  readonly options: OpenWayOptions;
  readonly pacer: string;
  readonly connections: Connections;
  readonly #reachability: Reachability;
  /** The rate has no earlier slot. */
  nextSlotAtMs = -Infinity;
  /** While mail goes by another way: the time of the next search for mail that waits for this one. */
  nextOwnAtMs = -Infinity;
  mailsPerSession: number | null = null;
  isPaused = false;
  /** Mails from the claim on, while they wait for a connection and are in transit. */
  #given = 0;
  #onTheirWay = 0;
  /** The time of the last answer, or of the first wait for one. */
  #heardAtMs = 0;
  #isLooking = false;
  #looked: { readonly before: string; readonly untilMs: number } | null = null;
  readonly #deferrals = new Deferrals();
  readonly #closers = new Closers();
  readonly #senders = new SenderRefusals();

  constructor(options: OpenWayOptions) {
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

  /** Milliseconds until a mail may be claimed for it. `isCurrent`: mail leaves by this way. */
  waitMs(nowMs: number, isCurrent: boolean): number {
    const nextAtMs = isCurrent ? this.nextSlotAtMs : Math.max(this.nextSlotAtMs, this.nextOwnAtMs);
    return Math.max(this.#reachability.restMs(nowMs), nextAtMs - nowMs);
  }

  /** The most mails that may be claimed. A way that has yet to prove itself gets one mail at a time. */
  get most(): number {
    if (this.isPaused) return 0;
    if (this.#reachability.circuit === "CLOSED") return Infinity;
    return this.isIdle ? 1 : 0;
  }

  /** Whether it gets mails that may go by several ways. */
  isUsable(nowMs: number): boolean {
    return !this.isDown && this.most > 0 && !this.isStalled(nowMs);
  }

  /** Whether mails that a dead process had in hand for it go by another way. */
  isAway(nowMs: number): boolean {
    return this.isDown || this.isPaused || this.isStalled(nowMs);
  }

  /** Rules keep all due mail from it, of every workspace: for a while the head of the queue is not searched again. */
  foundNothing(nowMs: number): void {
    if (this.#looked !== null && nowMs < this.#looked.untilMs) return;
    const before = iso(this.options.clock.nowMs() - LATE_COMMITS_MS);
    this.#looked = { before, untilMs: nowMs + LOOK_AGAIN_MS };
  }

  /** The due time up to which no mail is for it; null = unknown. */
  lookedUntil(nowMs: number): string | null {
    return this.#looked !== null && nowMs < this.#looked.untilMs ? this.#looked.before : null;
  }

  get isIdle(): boolean {
    return this.#given + this.#onTheirWay === 0;
  }

  isStalled(nowMs: number): boolean {
    return this.#onTheirWay > 0 && nowMs - this.#heardAtMs > STALLED_MS;
  }

  /** Tries it without a mail, when it is time; `onEnd`: the result is known. */
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

  /**
   * Counts a mail of the way until `work` is done.
   * @throws as `work`
   */
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
   * `sender`: the sender domain.
   * @throws as `work`
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

  /** Whether the way is used for mail of the domain. */
  takesFrom(sender: string | null): boolean {
    return sender === null || this.#senders.isNone || this.#senders.whyNot(sender) === null;
  }

  /** The way has not refused mail of the domain lately. */
  isClearFor(sender: string): boolean {
    return this.#senders.isClear(sender);
  }

  /** Restores a refusal that an earlier process stored. */
  recallRefusal(sender: string, reply: string): void {
    this.#senders.recall(sender, reply, this.options.clock.monotonicMs());
  }

  /** The findings about its sender domains to store (sender-refusals.ts). */
  get senderNews(): Map<string, string | null> {
    return this.#senders.news;
  }

  /** How long a mail of a refused domain waits. */
  senderRestMs(sender: string | null): number {
    return sender === null ? 0 : this.#senders.restMs(sender, this.options.clock.monotonicMs());
  }

  /** The refusal of a mail without an attempt; null = the mail is handed over. */
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
    if (about?.what === "sender" && sender !== null)
      return this.#noteSenderRefusal({ receiver, sender }, reply, about.isSure);
    if (about !== null || (this.options.isOneOfSeveral && wasLost(outcome))) {
      const receivers = this.#closers.add(receiver, null);
      const isSure = about?.isSure ?? outcome.phase === undefined;
      return this.#reachability.noteRefusal(nowMs, reply, isSure ? Infinity : receivers);
    }
    if (outcome.kind === "later" && this.#isToBlame(receiver)) return this.#reachability.failed(nowMs, reply);
    if (outcome.kind === "later") return this.#reachability.answered(nowMs);
    return this.#answered(nowMs);
  }

  /** A refusal that may be a receiver's counts after three receivers. */
  #noteSenderRefusal(
    { receiver, sender }: HandoverParties & { readonly sender: string },
    reply: string,
    isSure: boolean,
  ): void {
    const nowMs = this.options.clock.monotonicMs();
    const receivers = this.#closers.add(receiver, sender);
    // The way answers, and takes mail of other senders.
    if (this.#reachability.circuit === "CLOSED") this.#reachability.wouldTake();
    if (!isSure && receivers < LEAST_RECEIVERS) return;
    if (this.#senders.noteRefusal(sender, reply, nowMs)) this.#reachability.failed(nowMs, reply);
  }

  /** For a deferral: there were many in a row, or the way has yet to prove itself. */
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
