// How much one client may do in a window of time, and how much the network around it.
import { hostOf, networkOf } from "./client-address.ts";
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

  /** Counts once if there is room; else answers how many seconds from `nowMs` on there is none. */
  take(client: string | null, nowMs: number): number {
    if (client === null || this.#isOff) return 0;
    const [host, network] = [hostOf(client), networkOf(client)];
    const seconds = Math.max(this.#byHost.waitSeconds(host, nowMs), this.#byNetwork.waitSeconds(network, nowMs));
    if (seconds > 0) return seconds;
    this.#byHost.count(host, nowMs);
    this.#byNetwork.count(network, nowMs);
    return 0;
  }
}
