// How many connections each client has: an IPv4 address, or the 64 bits in front of an IPv6 address.
import { hostAt } from "../ip-addresses.ts";

export type ConnectionSlot = {
  /** Once or more often. */
  readonly release: () => void;
};

export class ConnectionSlots {
  readonly #taken = new Map<string, number>();

  constructor(private readonly perClient: number) {}

  /** Null if the client has as many as it may, or has gone already. */
  take(remoteAddress: string | undefined): ConnectionSlot | null {
    const host = hostAt(remoteAddress);
    if (host === null) return null;
    const here = this.#taken.get(host) ?? 0;
    if (here >= this.perClient) return null;
    this.#taken.set(host, here + 1);
    let isReleased = false;
    const release = () => {
      if (!isReleased) this.#free(host);
      isReleased = true;
    };
    return { release };
  }

  #free(host: string): void {
    const rest = (this.#taken.get(host) ?? 1) - 1;
    if (rest > 0) this.#taken.set(host, rest);
    else this.#taken.delete(host);
  }
}
