// All ways out, in order: mail goes by the first one that works. Rules give some mails another order.
import { areForWay, isForWay } from "../../mail/emails/queue/queue-queries.ts";
import type { Sql } from "../../store/sql.ts";
import type { HopState } from "./health/reachability.ts";
import { NO_RULES, RuleOrders, type RuleBook } from "./rule-orders.ts";
import type { HandoverOutcome } from "../carrier/transport/transport.ts";
import type { OpenWay, WayState } from "./open-way.ts";

/** The state of the way by which mail leaves, in this process. `ways`: the state of each, if there are several. */
export type RelayState = HopState & { readonly ways: readonly WayState[] };

export type NonEmptyList<Item> = readonly [Item, ...Item[]];

/** The facts about a mail that rules need; `domain`: that of its sender. */
type RuleFacts = { readonly rule: number | null; readonly seq: number; readonly domain?: string | null };
const UNRULED: RuleFacts = { rule: null, seq: 0 };
type RerouteRequest = RuleFacts & { readonly repeatsLeft: number | null; readonly receiver: string };

/** The wait of a mail whose rule this process has yet to read. */
const RULED_WAIT_MS = 1_000;
const RULED = "A rule gives the email to another sending route.";

const ALL_PAUSED: HopState = { state: "AWAY", since: null, attemptedAt: null, reply: "Every sending route is paused." };

export class WayChoice {
  #all: NonEmptyList<OpenWay>;
  #orders: RuleOrders;

  /** `ways`: the default one first. */
  constructor(ways: NonEmptyList<OpenWay>, rules: RuleBook = NO_RULES) {
    this.#all = ways;
    this.#orders = new RuleOrders(rules, ways, inOrder(ways));
  }

  get all(): NonEmptyList<OpenWay> {
    return this.#all;
  }

  /** The former ways finish their mails in hand. */
  replace(ways: NonEmptyList<OpenWay>, rules: RuleBook): void {
    this.#all = ways;
    this.#orders = new RuleOrders(rules, ways, inOrder(ways));
  }

  get isSeveral(): boolean {
    return this.#all.length > 1;
  }

  /** Whether any way may be tried. */
  get isOpen(): boolean {
    return this.#all.some((way) => !way.isDown && !way.isPaused);
  }

  /** The way for mail without a rule; null = none at present. */
  current(nowMs: number): OpenWay | null {
    return this.next([], nowMs);
  }

  /** The next way for a mail that these ways have not taken. */
  next(tried: readonly OpenWay[], nowMs: number, mail: RuleFacts = UNRULED): OpenWay | null {
    const { domain = null } = mail;
    const isFit = (way: OpenWay) => !tried.includes(way) && way.isUsable(nowMs) && way.takesFrom(domain);
    return this.orderOf(mail).find(isFit) ?? null;
  }

  /** The ways by which a mail may leave, in order. None: the rules have to be read again first. */
  orderOf(mail: RuleFacts): readonly OpenWay[] {
    return this.#orders.of(mail) ?? inOrder(this.#all);
  }

  /** A changed way keeps its name, and so its rules. */
  #mayTake({ options }: OpenWay, mail: RuleFacts): boolean {
    return mail.rule === null || this.orderOf(mail).some((way) => way.options.name === options.name);
  }

  /**
   * The outcome without an attempt at the way: the rules have changed since the claim, or the way went down while the
   * mail waited for its connection, and there is another way. Null = the mail is handed over.
   */
  elsewhere(way: OpenWay, mail: RerouteRequest, nowMs: number): HandoverOutcome | null {
    if (mail.repeatsLeft !== null) return null;
    if (!this.#mayTake(way, mail)) return { kind: "unreachable", reply: RULED, waitMs: RULED_WAIT_MS };
    const refusal = way.refusesUnasked(mail.domain ?? null, mail.receiver);
    if (refusal !== null) return refusal;
    if (!way.isDown || this.next([way], nowMs, mail) === null) return null;
    return { kind: "unreachable", reply: way.hop.reply ?? "" };
  }

  /** Whether the way gets mails that may go by several ways. */
  isCurrent(way: OpenWay, nowMs: number): boolean {
    return !this.isSeveral || way === this.current(nowMs) || this.#ruledBy(way, nowMs).length > 0;
  }

  #ruledBy(way: OpenWay, nowMs: number) {
    return this.#orders.by(way, (ways) => ways.find((one) => one.isUsable(nowMs)) ?? null);
  }

  /** Null = the way is gone. */
  withHop(hop: number): OpenWay | null {
    return this.all.find(({ options }) => options.hop === hop) ?? null;
  }

  /** Selects the queued mails for a way; null = all. */
  only(way: OpenWay, nowMs: number): readonly Sql[] | null {
    const { gone, isEmpty } = this.#orders;
    if (!this.isSeveral && isEmpty) return null;
    const hop = way.options.hop ?? 0;
    const hops = { all: hopsOf(this.#all, [0]), away: hopsOf(this.#all.filter((one) => one.isAway(nowMs))) };
    const isOthers = way === this.current(nowMs);
    if (isEmpty) return [isForWay(hop, isOthers ? "others" : "its own", hops)];
    return areForWay({ hop, hops, isOthers, gone, ruled: this.#ruledBy(way, nowMs), after: way.lookedUntil(nowMs) });
  }

  /** The next hop to note on mails claimed for the way; null = there is one way only. */
  noted({ options }: OpenWay): number | null {
    return this.isSeveral ? options.hop : null;
  }

  /** Tries the ways that are down without a mail. A single way is tried with a mail instead. */
  look(nowMs: number, onEnd: () => void): void {
    if (this.isSeveral) for (const way of this.#all) if (!way.isPaused) way.look(nowMs, onEnd);
  }

  get relay(): RelayState {
    const open = this.#all.filter((way) => !way.isPaused);
    const hop = (open.find((way) => !way.isDown) ?? open[0])?.hop ?? ALL_PAUSED;
    return { ...hop, ways: this.isSeveral ? this.#all.map(({ state }) => state) : [] };
  }
}

function hopsOf(ways: readonly OpenWay[], none: readonly number[] = []): readonly number[] {
  const known = ways.flatMap(({ options }) => options.hop ?? []);
  return known.length > 0 ? known : none;
}

/** A capture way is never a fallback. */
function inOrder([first, ...others]: NonEmptyList<OpenWay>): readonly OpenWay[] {
  return [first, ...others.filter(({ options }) => options.transport !== "capture")];
}
