// The DNS records that a sender domain needs, and what of them can be found (interface-gaps.md §7 "DKIM").

export type DnsRecord = {
  readonly purpose: "DKIM" | "SPF" | "DMARC" | "RETURN_PATH";
  readonly type: "TXT" | "MX";
  readonly name: string;
  readonly value: string;
  /** Without a required record the domain is not verified. */
  readonly required: boolean;
};

/** Where answers about DNS come from; `[]` = there is no such record. */
export interface Resolver {
  txt(name: string): Promise<readonly string[]>;
}

export type DomainKey = { readonly domain: string; readonly selector: string; readonly publicKey: string };

/** `returnPathDomain` null = bounces go to the sender's own address, and no record is needed for them. */
export function recordsFor(key: DomainKey, returnPathDomain: string | null): DnsRecord[] {
  const { domain, selector, publicKey } = key;
  const dkim = `v=DKIM1; k=rsa; p=${publicKey}`;
  const records: DnsRecord[] = [
    { purpose: "DKIM", type: "TXT", name: `${selector}._domainkey.${domain}`, value: dkim, required: true },
    { purpose: "SPF", type: "TXT", name: domain, value: "v=spf1 include:<what your relay asks for> ~all", required: false },
    { purpose: "DMARC", type: "TXT", name: `_dmarc.${domain}`, value: "v=DMARC1; p=none", required: false },
  ];
  if (returnPathDomain === null) return records;
  const host = "10 <the host name of this server>";
  return [...records, { purpose: "RETURN_PATH", type: "MX", name: returnPathDomain, value: host, required: false }];
}

/** True if the published DKIM record holds our key (RFC 6376 §3.6.1); space and the order of tags do not matter. */
export async function dkimIsPublished(resolver: Resolver, key: DomainKey): Promise<boolean> {
  const published = await resolver.txt(`${key.selector}._domainkey.${key.domain}`);
  return published.some((record) => tagsOf(record).get("p") === key.publicKey);
}

function tagsOf(record: string): Map<string, string> {
  const pairs = record.split(";").map((tag) => tag.split(/=(.*)/s, 2) as [string, string?]);
  return new Map(pairs.map(([name, value]) => [name.trim(), (value ?? "").replace(/\s/g, "")]));
}
