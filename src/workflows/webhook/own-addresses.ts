// The addresses of this machine: a webhook to one of them reaches what listens here, behind any firewall.
import type { BlockList } from "node:net";
import type { NetworkInterfaceInfo } from "node:os";
import { rangesOf } from "../../ip-addresses.ts";

/** As `networkInterfaces` of node:os answers them. */
export type Interfaces = () => Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/**
 * Asked at each call, since interfaces come and go. Of IPv6 the whole subnet counts: it belongs to one customer and holds the other
 * addresses of the machine. An IPv4 subnet may belong to many, so there the address alone counts, also as NAT64 writes it.
 */
export function ownAddresses(interfaces: Interfaces): BlockList {
  const all = Object.values(interfaces()).flatMap((addresses) => addresses ?? []);
  return rangesOf(
    all.flatMap(({ family, address, cidr }) =>
      family === "IPv4" ? [address, `64:ff9b::${address}`] : [cidr ?? address],
    ),
  );
}
