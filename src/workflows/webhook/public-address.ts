// Which IP addresses webhooks may go to: those of the public internet, in whatever form they are written.
import { isIPv4, isIPv6 } from "node:net";

/** First address and prefix length, RFC 6890 and the registries that it founded. */
const CLOSED_IPV4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** False for what is no address, or one with a zone. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return isPublicIPv4(numberOf(address));
  if (!isIPv6(address) || address.includes("%")) return false;
  return isPublicIPv6(groupsOf(address));
}

function isPublicIPv4(address: number): boolean {
  return !CLOSED_IPV4.some(([first, length]) => (address ^ numberOf(first)) >>> (32 - length) === 0);
}

/**
 * Global unicast (2000::/3) without what is not for use: protocol assignments and Teredo (2001::/23), documentation
 * (2001:db8::/32, 3fff::/20), 6to4 (2002::/16). An IPv4 address in IPv6 dress (RFC 4291 §2.5.5.2, RFC 6052 §2.1) is what it is
 * underneath.
 */
function isPublicIPv6(groups: readonly number[]): boolean {
  const [first = 0, second = 0] = groups;
  if (isPrefixed(groups, [0, 0, 0, 0, 0, 0xffff]) || isPrefixed(groups, [0x64, 0xff9b, 0, 0, 0, 0]))
    return isPublicIPv4((((groups[6] ?? 0) << 16) | (groups[7] ?? 0)) >>> 0);
  if (first >>> 13 !== 1 || first === 0x2002) return false;
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return false;
  return !(first === 0x3fff && second < 0x1000);
}

function isPrefixed(groups: readonly number[], prefix: readonly number[]): boolean {
  return prefix.every((group, at) => groups[at] === group);
}

function numberOf(address: string): number {
  return address.split(".").reduce((number, part) => ((number << 8) | Number(part)) >>> 0, 0);
}

/** The eight groups of an IPv6 address; the URL parser writes the last two of `::ffff:1.2.3.4` as numbers. */
function groupsOf(address: string): number[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = written.split("::");
  const parse = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [left, right] = [parse(head), parse(tail ?? "")];
  return [...left, ...Array<number>(tail === undefined ? 0 : 8 - left.length - right.length).fill(0), ...right];
}
