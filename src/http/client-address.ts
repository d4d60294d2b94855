// Which client a request comes from, through proxies where the configuration names them.
import { BlockList, isIP } from "node:net";
import type { Log } from "../log.ts";

/**
 * Behind such an address stands a proxy that nobody has named, or a machine of the house: whom it serves is not known. A proxy
 * with any other address that nobody has named is taken for the client itself, and all whom it serves for one.
 */
const HOUSE = rangesOf([
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

export class ClientAddresses {
  readonly #proxies: BlockList;
  readonly #log: Log | null;
  #hasWarned = false;

  /** `trustedProxies`: IP addresses, or networks such as `10.0.0.0/8`. */
  constructor(trustedProxies: readonly string[], log: Log | null = null) {
    this.#proxies = rangesOf(trustedProxies);
    this.#log = log;
  }

  /** As `clientOf`. Warns once if somebody hands on requests who is not trusted. */
  ofRequest(request: Request, peer: string | undefined): string | null {
    const forwardedFor = request.headers.get("x-forwarded-for");
    if (forwardedFor !== null) this.#warnUnlessTrusted(peer);
    return this.clientOf(peer, forwardedFor);
  }

  /**
   * The client's address, or null if it cannot be told from others. `peer` is who is connected; `forwardedFor` is believed as far
   * as trusted proxies have written it: from its end, up to the first address that is none of theirs.
   */
  clientOf(peer: string | undefined, forwardedFor: string | null): string | null {
    const hops = [...(forwardedFor ?? "").split(","), peer ?? ""].map(plainAddress);
    let client = hops.pop() ?? null;
    while (client !== null && isWithin(this.#proxies, client) && hops.length > 0) client = hops.pop() ?? null;
    return client === null || isWithin(HOUSE, client) || isWithin(this.#proxies, client) ? null : client;
  }

  #warnUnlessTrusted(peer: string | undefined): void {
    const proxy = plainAddress(peer ?? "");
    if (this.#hasWarned || proxy === null || isWithin(this.#proxies, proxy)) return;
    this.#hasWarned = true;
    this.#log?.warn(
      "X-Forwarded-For is not believed: it comes from a machine that http.trusted_proxies does not name; if that is your " +
        "proxy, name it there, for until then the clients behind it cannot be told apart",
    );
  }
}

/** What one client has to itself: an IPv4 address, or the 64 bits in front of an IPv6 address. */
export function hostOf(address: string): string {
  return isIP(address) === 4 ? address : groupsOf(address).slice(0, 4).join(":");
}

/** The network around it: /24, or /48. */
export function networkOf(address: string): string {
  return isIP(address) === 4 ? address.split(".").slice(0, 3).join(".") : groupsOf(address).slice(0, 3).join(":");
}

/** `of` two forms, without port and brackets, and an IPv4 address that is written as IPv6 as what it is; null if it is none. */
function plainAddress(text: string): string | null {
  const trimmed = text.trim();
  const [, bare = trimmed] = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed) ?? /^([\d.]+):\d+$/.exec(trimmed) ?? [];
  if (isIP(bare) === 0 || bare.includes("%")) return null;
  return isIP(bare) === 6 ? (mappedIPv4(bare) ?? bare) : bare;
}

/** The IPv4 address in an IPv4-mapped one (RFC 4291 §2.5.5.2), however that is written; null if it is none. */
function mappedIPv4(address: string): string | null {
  const groups = groupsOf(address).map((group) => parseInt(group, 16));
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return null;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

function isWithin(ranges: BlockList, address: string): boolean {
  return ranges.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

function rangesOf(ranges: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    blocks.addSubnet(address, Number(bits ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return blocks;
}

/** Its eight groups; a URL writes every address in the one form that RFC 5952 wants. */
function groupsOf(address: string): string[] {
  const [before = "", after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [head, tail] = [before, after ?? ""].map((part) => (part === "" ? [] : part.split(":"))) as [
    string[],
    string[],
  ];
  return [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
}
