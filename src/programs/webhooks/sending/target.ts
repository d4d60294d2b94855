// The targets that a webhook may have: a host is resolved once, its addresses are checked, and the connection goes to
// one of these.
import { lookup } from "node:dns/promises";
import { isIP, type BlockList } from "node:net";
import type { NetworkInterfaceInfo } from "node:os";
import { isPublicAddress, isWithin, rangesOf } from "../../../base/ip-addresses.ts";
import { closedPortOf, hostOf, isAllowed } from "./url.ts";

/** The addresses of a host. @throws if there are none */
export type LookUp = (host: string) => Promise<readonly string[]>;

/** As every program on the machine does: names of containers and of /etc/hosts are known. */
export async function machineLookUp(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** As `networkInterfaces` of node:os. */
export type Interfaces = () => Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

export type TargetRules = {
  /** `host` or `host:port`, open at any address. */
  readonly allow: readonly string[];
  readonly lookUp: LookUp;
  readonly interfaces: Interfaces;
};

type WebhookTarget =
  { readonly addresses: readonly string[] } | { readonly refused: string } | { readonly unreachable: string };

export async function targetOf(url: URL, { allow, lookUp, interfaces }: TargetRules): Promise<WebhookTarget> {
  const host = hostOf(url);
  if (url.protocol !== "http:" && url.protocol !== "https:") return { refused: "Only http and https can be called." };
  if (url.username !== "" || url.password !== "") return { refused: "A URL with a user name is not called." };
  const closedPort = closedPortOf(url, allow);
  if (closedPort !== null) return { refused: closedPort };
  const addresses = isIP(host) === 0 ? await lookUp(host).catch(() => []) : [host];
  if (addresses.length === 0) return { unreachable: `${host} has no address.` };
  if (isAllowed(url, allow)) return { addresses };
  if (!addresses.every(isPublicAddress))
    return { refused: `${host} is not on the public internet; [webhooks] allow opens it.` };
  const own = ownAddresses(interfaces);
  if (!addresses.some((address) => isWithin(own, address))) return { addresses };
  return { refused: `${host} is this machine or in its subnet; [webhooks] allow opens it.` };
}

/**
 * The addresses of this machine: a webhook to one of them would reach local services, behind any firewall. Read at each
 * call, since interfaces change. Of IPv6 the whole subnet counts: it belongs to one customer and holds the other
 * addresses of the machine. An IPv4 subnet may belong to many, so there the address alone counts, also as NAT64 writes
 * it.
 */
function ownAddresses(interfaces: Interfaces): BlockList {
  const all = Object.values(interfaces()).flatMap((addresses) => addresses ?? []);
  return rangesOf(
    all.flatMap(({ family, address, cidr }) =>
      family === "IPv4" ? [address, `64:ff9b::${address}`] : [cidr ?? address],
    ),
  );
}
