// The answers of the name servers, where no answer is an answer too: null = it cannot be known now.
import { DnsError, type Resolver } from "../../base/dns.ts";
import type { RecordType } from "../../base/dns/message.ts";
import { reverseName } from "../../base/ip-addresses.ts";

export async function dnsAnswers(
  resolver: Resolver,
  name: string,
  type: RecordType,
): Promise<readonly string[] | null> {
  try {
    return (await resolver.find(name, type)).records;
  } catch (error) {
    if (error instanceof DnsError) return null;
    throw error;
  }
}

export async function addressesOf(resolver: Resolver, name: string): Promise<readonly string[] | null> {
  const [four, six] = [await dnsAnswers(resolver, name, "A"), await dnsAnswers(resolver, name, "AAAA")];
  return four === null && six === null ? null : [...(four ?? []), ...(six ?? [])];
}

/** In lower case, without the last dot. */
export async function reverseNamesOf(resolver: Resolver, address: string): Promise<readonly string[] | null> {
  const names = await dnsAnswers(resolver, reverseName(address), "PTR");
  return names === null ? null : names.map(plainName);
}

export function plainName(name: string): string {
  return name.replace(/\.$/, "").toLowerCase();
}

/** `1.2.0.192`; of IPv6 by half bytes. */
export function reversed(address: string): string {
  return reverseName(address).replace(/\.(in-addr|ip6)\.arpa$/, "");
}

/** The hosts of MX records, without their preference. */
export async function mailHostsOf(resolver: Resolver, domain: string): Promise<readonly string[] | null> {
  const records = await dnsAnswers(resolver, domain, "MX");
  return records === null ? null : records.map((record) => plainName(record.replace(/^\d+\s+/, "")));
}
