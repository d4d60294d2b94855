// The grammar of IP addresses, and which part of one identifies a client.
import { BlockList, isIP } from "node:net";

/** The part of an address that one client has to itself: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function hostOf(address: string): string {
  return isIP(address) === 4 ? address : groupsOf(address).slice(0, 4).join(":");
}

/** `hostOf` the address of a socket; null after the other side has closed it. */
export function hostAt(remoteAddress: string | undefined): string | null {
  const address = addressAt(remoteAddress);
  return address === null ? null : hostOf(address);
}

/** The address of a socket, without its zone; null after the other side has closed it. */
export function addressAt(remoteAddress: string | undefined): string | null {
  return plainAddress(remoteAddress?.replace(/%.*/, "") ?? "");
}

/** The network around an address: /24, or /48. */
export function networkOf(address: string): string {
  return isIP(address) === 4 ? address.split(".").slice(0, 3).join(".") : groupsOf(address).slice(0, 3).join(":");
}

/** The DNS name for a reverse lookup: `1.2.0.192.in-addr.arpa`; for IPv6 by half bytes (RFC 3596). */
export function reverseName(address: string): string {
  if (isIP(address) === 4) return `${address.split(".").reverse().join(".")}.in-addr.arpa`;
  const digits = groupsOf(address).map((group) => group.padStart(4, "0"));
  return `${[...digits.join("")].reverse().join(".")}.ip6.arpa`;
}

/** The address without port and brackets, and an IPv4-mapped one as IPv4; null if it is not an address. */
export function plainAddress(text: string): string | null {
  const trimmed = text.trim();
  const [, bare = trimmed] = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed) ?? /^([\d.]+):\d+$/.exec(trimmed) ?? [];
  if (isIP(bare) === 0 || bare.includes("%")) return null;
  return isIP(bare) === 6 ? (mappedIPv4(bare) ?? bare) : bare;
}

/** Whether it is an address, or a network such as `10.0.0.0/8`. */
export function isRange(text: string): boolean {
  const [, address = "", bits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  return family !== 0 && Number(bits ?? 0) <= (family === 4 ? 32 : 128);
}

/** `ranges`: addresses, or networks such as `10.0.0.0/8`. */
export function rangesOf(ranges: readonly string[]): BlockList {
  const blocks = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    blocks.addSubnet(address, Number(bits ?? (family === "ipv4" ? 32 : 128)), family);
  }
  return blocks;
}

export function isWithin(ranges: BlockList, address: string): boolean {
  return ranges.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/** RFC 6890 and its registries. */
const CLOSED_IPV4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];
/** As NAT64 writes IPv4 addresses (RFC 6052 §2.1). */
const CLOSED_NAT64 = CLOSED_IPV4.map((range) => range.split("/")).map(
  ([at, bits]) => `64:ff9b::${at}/${96 + Number(bits)}`,
);
/** Within global unicast (2000::/3): protocol assignments and Teredo, documentation, 6to4. */
const CLOSED_IPV6 = ["2001::/23", "2001:db8::/32", "3fff::/20", "2002::/16"];

const OPEN = rangesOf(["0.0.0.0/0", "2000::/3", "64:ff9b::/96"]);
const CLOSED = rangesOf([...CLOSED_IPV4, ...CLOSED_NAT64, ...CLOSED_IPV6]);

/** Whether an address is of the public internet, in whatever notation; false for one with a zone. */
export function isPublicAddress(address: string): boolean {
  const plain = isIP(address) === 0 ? null : plainAddress(address);
  return plain !== null && isWithin(OPEN, plain) && !isWithin(CLOSED, plain);
}

/** The IPv4 address in an IPv4-mapped one (RFC 4291 §2.5.5.2), in any notation; null if it is not mapped. */
function mappedIPv4(address: string): string | null {
  const groups = groupsOf(address).map((group) => parseInt(group, 16));
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return null;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

/** The eight groups of an address; a URL writes every address in the one form that RFC 5952 wants. */
function groupsOf(address: string): string[] {
  const [before = "", after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [head, tail] = [before, after ?? ""].map((part) => (part === "" ? [] : part.split(":"))) as [
    string[],
    string[],
  ];
  return [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
}
