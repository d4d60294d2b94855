// What the name servers say, where no answer is an answer too: null = it cannot be known now.
import { isIPv4 } from "node:net";
import { DnsError, type Resolver } from "../dns.ts";
import type { RecordType } from "../dns/message.ts";

export async function found(resolver: Resolver, name: string, type: RecordType): Promise<readonly string[] | null> {
  try {
    return (await resolver.find(name, type)).records;
  } catch (error) {
    if (error instanceof DnsError) return null;
    throw error;
  }
}

export async function addressesOf(resolver: Resolver, name: string): Promise<readonly string[] | null> {
  const [four, six] = [await found(resolver, name, "A"), await found(resolver, name, "AAAA")];
  return four === null && six === null ? null : [...(four ?? []), ...(six ?? [])];
}

/** In lower case, without the last dot. */
export async function reverseNamesOf(resolver: Resolver, address: string): Promise<readonly string[] | null> {
  const zone = isIPv4(address) ? "in-addr.arpa" : "ip6.arpa";
  const names = await found(resolver, `${reversed(address)}.${zone}`, "PTR");
  return names === null ? null : names.map(plainName);
}

export function plainName(name: string): string {
  return name.replace(/\.$/, "").toLowerCase();
}

/** `1.2.0.192`; of IPv6 by half bytes (RFC 3596). */
export function reversed(address: string): string {
  if (isIPv4(address)) return address.split(".").reverse().join(".");
  const [head = "", tail = ""] = address.split("::");
  const groups = (text: string) => text.split(":").filter((group) => group !== "");
  const missing = address.includes("::") ? 8 - groups(head).length - groups(tail).length : 0;
  const all = [...groups(head), ...Array<string>(missing).fill("0"), ...groups(tail)];
  const digits = all.map((group) => group.padStart(4, "0")).join("");
  return [...digits].reverse().join(".");
}

/** The hosts of MX records, without their preference. */
export async function mailHostsOf(resolver: Resolver, domain: string): Promise<readonly string[] | null> {
  const records = await found(resolver, domain, "MX");
  return records === null ? null : records.map((record) => plainName(record.replace(/^\d+\s+/, "")));
}
