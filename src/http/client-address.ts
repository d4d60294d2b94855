// The client of a request, seen through the proxies that the configuration names.
import type { BlockList } from "node:net";
import { isWithin, plainAddress, rangesOf } from "../base/ip-addresses.ts";
import type { Log } from "../base/log.ts";

/**
 * Addresses of loopback and private networks: a proxy that is not named in the configuration, or a machine beside this
 * one, so the client behind it is unknown. An unnamed proxy with any other address counts as one client.
 */
const PRIVATE_RANGES = rangesOf([
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "169.254.0.0/16",
  "100.64.0.0/10",
  "::1",
  "fc00::/7",
  "fe80::/10",
]);

export type ClientRequest = {
  readonly request: Request;
  readonly server: { requestIP(request: Request): { readonly address: string } | null } | null;
};

export class ClientAddresses {
  readonly #proxies: BlockList;
  readonly #log: Log | null;
  /** Where the callers of the server's own requests are: these have no connection. */
  readonly #inner = new WeakMap<Request, string | null>();
  #hasWarned = false;

  /** `trustedProxies`: IP addresses, or networks such as `10.0.0.0/8`. */
  constructor(trustedProxies: readonly string[], log: Log | null = null) {
    this.#proxies = rangesOf(trustedProxies);
    this.#log = log;
  }

  /** As `clientOf`. Warns once of X-Forwarded-For from a machine that is not a trusted proxy. */
  ofRequest(request: Request, peer: string | undefined): string | null {
    const forwardedFor = request.headers.get("x-forwarded-for");
    if (forwardedFor !== null) this.#warnUnlessTrusted(peer);
    return this.clientOf(peer, forwardedFor);
  }

  /**
   * The client's address, or null if it cannot be told from others. `peer` is the address of the connection;
   * `forwardedFor` is believed as far as trusted proxies have written it: from its end, up to the first address that is
   * not a trusted proxy.
   */
  clientOf(peer: string | undefined, forwardedFor: string | null): string | null {
    const client = this.addressOf(peer, forwardedFor);
    return client === null || isWithin(PRIVATE_RANGES, client) || isWithin(this.#proxies, client) ? null : client;
  }

  /** The address that a request comes from, private ones too; null if the peer's is not an address. */
  addressOf(peer: string | undefined, forwardedFor: string | null): string | null {
    const hops = [...(forwardedFor?.split(",") ?? []), peer ?? ""].map(plainAddress);
    let client = hops.pop() ?? null;
    while (client !== null && isWithin(this.#proxies, client) && hops.length > 0) client = hops.pop() ?? null;
    return client;
  }

  /** As `addressOf`, also of a request that the server makes for the caller of another. */
  addressIn({ request, server }: ClientRequest): string | null {
    const inner = this.#inner.get(request);
    return inner ?? this.addressOf(server?.requestIP(request)?.address, request.headers.get("x-forwarded-for"));
  }

  /** `inner`: made by this server for the caller of `asked`, and so from that caller's address. */
  noteInner(inner: Request, asked: ClientRequest): void {
    this.#inner.set(inner, this.addressIn(asked));
  }

  /** A person's address and browser, as the ledger of consent notes them. */
  whereabouts(asked: ClientRequest): { readonly ip: string | null; readonly userAgent: string | null } {
    return { ip: this.addressIn(asked), userAgent: asked.request.headers.get("user-agent") };
  }

  #warnUnlessTrusted(peer: string | undefined): void {
    const proxy = plainAddress(peer ?? "");
    if (this.#hasWarned || proxy === null || isWithin(this.#proxies, proxy)) return;
    this.#hasWarned = true;
    this.#log?.warn(
      "X-Forwarded-For is ignored: it comes from an address that is not in http.trusted_proxies. If that is your " +
        "proxy, add it; until then the clients behind it cannot be told apart",
    );
  }
}
