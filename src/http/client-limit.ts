// How much one client may do in a window of time, and how much the network around it.
import { hostOf, networkOf } from "../ip-addresses.ts";
import { SlidingLimit } from "./sliding-limit.ts";

export type ClientBounds = {
  /** 0 = no limit. */
  readonly perClient: number;
  readonly perNetwork: number;
  readonly windowMs: number;
};

/** `client` is an address as `ClientAddresses` answers it; who cannot be told from others (null) is not limited. */
export class ClientLimit {
  readonly #isOff: boolean;
  readonly #byHost: SlidingLimit;
  readonly #byNetwork: SlidingLimit;

  constructor({ perClient, perNetwork, windowMs }: ClientBounds) {
    this.#isOff = perClient === 0;
    this.#byHost = new SlidingLimit(perClient, windowMs);
    this.#byNetwork = new SlidingLimit(perNetwork, windowMs);
  }

  /** How many seconds from `nowMs` on there is no room for one more; 0 = there is. */
  waitSeconds(client: string | null, nowMs: number): number {
    if (client === null || this.#isOff) return 0;
    const network = this.#byNetwork.waitSeconds(networkOf(client), nowMs);
    return Math.max(this.#byHost.waitSeconds(hostOf(client), nowMs), network);
  }

  count(client: string | null, nowMs: number): void {
    if (client === null || this.#isOff) return;
    this.#byHost.count(hostOf(client), nowMs);
    this.#byNetwork.count(networkOf(client), nowMs);
  }

  uncount(client: string | null, timeMs: number): void {
    if (client === null || this.#isOff) return;
    this.#byHost.uncount(hostOf(client), timeMs);
    this.#byNetwork.uncount(networkOf(client), timeMs);
  }

  /** Counts once if there is room; answers as `waitSeconds`. */
  take(client: string | null, nowMs: number): number {
    const seconds = this.waitSeconds(client, nowMs);
    if (seconds === 0) this.count(client, nowMs);
    return seconds;
  }
}
