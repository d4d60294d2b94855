// How many connections each client has: an IPv4 address, or the 64 bits in front of an IPv6 address.
import { hostAt } from "../ip-addresses.ts";

export type Place = {
  /** Once or more often. */
  readonly leave: () => void;
};

export class Places {
  readonly #taken = new Map<string, number>();

  constructor(private readonly perClient: number) {}

  /** Null if the client has as many as it may, or has gone already. */
  take(remoteAddress: string | undefined): Place | null {
    const host = hostAt(remoteAddress);
    if (host === null) return null;
    const here = this.#taken.get(host) ?? 0;
    if (here >= this.perClient) return null;
    this.#taken.set(host, here + 1);
    let hasLeft = false;
    const leave = () => {
      if (!hasLeft) this.#free(host);
      hasLeft = true;
    };
    return { leave };
  }

  #free(host: string): void {
    const rest = (this.#taken.get(host) ?? 1) - 1;
    if (rest > 0) this.#taken.set(host, rest);
    else this.#taken.delete(host);
  }
}
