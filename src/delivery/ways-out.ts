// All ways out, in the order in which they follow each other: mail goes by the first one that works.
import { isForWay } from "../emails/queue-queries.ts";
import type { Sql } from "../store/sql.ts";
import type { HopState } from "./reachability.ts";
import type { WayOut, WayState } from "./way-out.ts";

/** What this process knows of the way out by which mail leaves. `ways`: of each, if there are several. */
export type RelayState = HopState & { readonly ways: readonly WayState[] };

export class WaysOut {
  readonly all: readonly [WayOut, ...WayOut[]];
  readonly #default: WayOut;

  /** `ways`: the default one first. */
  constructor(ways: readonly [WayOut, ...WayOut[]]) {
    this.all = ways;
    this.#default = ways[0];
  }

  get isSeveral(): boolean {
    return this.all.length > 1;
  }

  /** By which mail leaves; null = by none at present. */
  current(nowMs: number): WayOut | null {
    return this.next([], nowMs);
  }

  /** For a mail that these have not taken. */
  next(tried: readonly WayOut[], nowMs: number): WayOut | null {
    return this.all.find((way) => !tried.includes(way) && way.isUsable(nowMs)) ?? null;
  }

  /** Null = it is gone. */
  withHop(hop: number): WayOut | null {
    return this.all.find(({ options }) => options.hop === hop) ?? null;
  }

  /** Which of the queued mails a way gets; null = all. `isCurrent`: it has those that may go by several. */
  only(way: WayOut, isCurrent: boolean): Sql | null {
    if (!this.isSeveral) return null;
    const hops = this.all.flatMap(({ options: { hop } }) => hop ?? []);
    return isForWay(way.options.hop ?? 0, isCurrent ? "others" : "its own", hops);
  }

  /** Tries the ways that are away. One that is alone is tried with a mail instead. */
  look(nowMs: number, onEnd: () => void): void {
    if (this.isSeveral) for (const way of this.all) way.look(nowMs, onEnd);
  }

  get relay(): RelayState {
    const usable = this.all.find((way) => !way.isDown);
    const ways = this.isSeveral ? this.all.map(({ state }) => state) : [];
    return { ...(usable ?? this.#default).hop, ways };
  }
}
