// The DNS records that a sender domain needs, and what of them can be found (interface-gaps.md §7 "DKIM").
import type { Resolver } from "../dns.ts";

export type DnsRecord = {
  readonly purpose: "DKIM" | "SPF" | "DMARC" | "RETURN_PATH";
  readonly type: "TXT" | "MX";
  readonly name: string;
  readonly value: string;
  /** Without a required record the domain is not verified. */
  readonly required: boolean;
};

export type DomainKey = { readonly domain: string; readonly selector: string; readonly publicKey: string };

/** `returnPathDomain` null = bounces go to the sender's own address, and no record is needed for them. */
export function recordsFor(key: DomainKey, returnPathDomain: string | null): DnsRecord[] {
  const { domain, selector, publicKey } = key;
  const dkim = `v=DKIM1; k=rsa; p=${publicKey}`;
  const records: DnsRecord[] = [
    { purpose: "DKIM", type: "TXT", name: `${selector}._domainkey.${domain}`, value: dkim, required: true },
    {
      purpose: "SPF",
      type: "TXT",
      name: domain,
      value: "v=spf1 include:<what your relay asks for> ~all",
      required: false,
    },
    { purpose: "DMARC", type: "TXT", name: `_dmarc.${domain}`, value: "v=DMARC1; p=none", required: false },
  ];
  if (returnPathDomain === null) return records;
  const host = "10 <the host name of this server>";
  return [...records, { purpose: "RETURN_PATH", type: "MX", name: returnPathDomain, value: host, required: false }];
}

/** What stands in the DNS under the name of the DKIM record, and whether our key is among it. */
export type DkimCheck = { readonly published: boolean; readonly found: readonly string[] };

/**
 * Looks the DKIM record up (RFC 6376 §3.6.1); space and the order of its tags do not matter.
 * @throws DnsError if that cannot be found out
 */
export async function checkDkim(resolver: Resolver, key: DomainKey): Promise<DkimCheck> {
  const found = await resolver.txt(`${key.selector}._domainkey.${key.domain}`);
  return { published: found.some((record) => tagsOf(record).get("p") === key.publicKey), found };
}

function tagsOf(record: string): Map<string, string> {
  const pairs = record.split(";").map((tag) => tag.split(/=(.*)/s, 2) as [string, string?]);
  return new Map(pairs.map(([name, value]) => [name.trim(), (value ?? "").replace(/\s/g, "")]));
}
