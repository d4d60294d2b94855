// How much one client may do in a window of time, and how much the network around it may do.
import { hostOf, networkOf } from "../ip-addresses.ts";
import { SlidingLimit } from "./sliding-limit.ts";

export type ClientBounds = {
  /** Asked each time; 0 = no limit. */
  readonly perClient: () => number;
  /** As many clients' worth as the network around a client may use. */
  readonly clientsPerNetwork: number;
  readonly windowMs: number;
};

/** `client` is an address as `ClientAddresses` answers it. Without an address (null) there is no limit. */
export class ClientLimit {
  readonly #byHost: SlidingLimit;
  readonly #byNetwork: SlidingLimit;

  constructor({ perClient, clientsPerNetwork, windowMs }: ClientBounds) {
    this.#byHost = new SlidingLimit(perClient, windowMs);
    this.#byNetwork = new SlidingLimit(() => clientsPerNetwork * perClient(), windowMs);
  }

  /** Seconds until there is room for one more; 0 = there is room. */
  waitSeconds(client: string | null, nowMs: number): number {
    if (client === null) return 0;
    const network = this.#byNetwork.waitSeconds(networkOf(client), nowMs);
    return Math.max(this.#byHost.waitSeconds(hostOf(client), nowMs), network);
  }

  count(client: string | null, nowMs: number): void {
    if (client === null) return;
    this.#byHost.count(hostOf(client), nowMs);
    this.#byNetwork.count(networkOf(client), nowMs);
  }

  /** Takes back one use that was counted at `timeMs`. */
  uncount(client: string | null, timeMs: number): void {
    if (client === null) return;
    this.#byHost.uncount(hostOf(client), timeMs);
    this.#byNetwork.uncount(networkOf(client), timeMs);
  }

  /** Counts one use if there is room; answers as `waitSeconds`. */
  take(client: string | null, nowMs: number): number {
    const seconds = this.waitSeconds(client, nowMs);
    if (seconds === 0) this.count(client, nowMs);
    return seconds;
  }
}
