// All ways out, in the order in which they follow each other: mail goes by the first one that works.
import { isForWay } from "../emails/queue-queries.ts";
import type { Sql } from "../store/sql.ts";
import type { HopState } from "./reachability.ts";
import type { WayOut, WayState } from "./way-out.ts";

/** What this process knows of the way out by which mail leaves. `ways`: of each, if there are several. */
export type RelayState = HopState & { readonly ways: readonly WayState[] };

export type AtLeastOne<Item> = readonly [Item, ...Item[]];

const ALL_PAUSED: HopState = { state: "AWAY", since: null, attemptedAt: null, reply: "Every way out is paused." };

export class WaysOut {
  #all: AtLeastOne<WayOut>;

  /** `ways`: the default one first. */
  constructor(ways: AtLeastOne<WayOut>) {
    this.#all = ways;
  }

  get all(): AtLeastOne<WayOut> {
    return this.#all;
  }

  /** Those that were there finish what they have in hand. */
  replace(ways: AtLeastOne<WayOut>): void {
    this.#all = ways;
  }

  get isSeveral(): boolean {
    return this.#all.length > 1;
  }

  /** Some may be asked. */
  get isOpen(): boolean {
    return this.#all.some((way) => !way.isDown && !way.isPaused);
  }

  /** What keeps mail to itself gets none in place of a way that does not work. */
  get #inOrder(): readonly WayOut[] {
    const [first, ...others] = this.#all;
    return [first, ...others.filter(({ options }) => options.transport !== "capture")];
  }

  /** By which mail leaves; null = by none at present. */
  current(nowMs: number): WayOut | null {
    return this.next([], nowMs);
  }

  /** For a mail that these have not taken. */
  next(tried: readonly WayOut[], nowMs: number): WayOut | null {
    return this.#inOrder.find((way) => !tried.includes(way) && way.isUsable(nowMs)) ?? null;
  }

  /** Null = it is gone. */
  withHop(hop: number): WayOut | null {
    return this.all.find(({ options }) => options.hop === hop) ?? null;
  }

  /** Which of the queued mails a way gets; null = all. `isCurrent`: it has those that may go by several. */
  only(way: WayOut, isCurrent: boolean): Sql | null {
    if (!this.isSeveral) return null;
    const hops = this.#all.flatMap(({ options: { hop } }) => hop ?? []);
    return isForWay(way.options.hop ?? 0, isCurrent ? "others" : "its own", hops);
  }

  /** Tries the ways that are away. One that is alone is tried with a mail instead. */
  look(nowMs: number, onEnd: () => void): void {
    if (this.isSeveral) for (const way of this.#all) if (!way.isPaused) way.look(nowMs, onEnd);
  }

  get relay(): RelayState {
    const open = this.#all.filter((way) => !way.isPaused);
    const hop = (open.find((way) => !way.isDown) ?? open[0])?.hop ?? ALL_PAUSED;
    return { ...hop, ways: this.isSeveral ? this.#all.map(({ state }) => state) : [] };
  }
}
