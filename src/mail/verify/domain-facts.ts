// What the DNS says about a domain that is to receive mail.
import { DnsError, type DnsResult } from "../../base/dns.ts";
import type { RecordType } from "../../base/dns/message.ts";

/**
 * Where mail for the domain goes: `mx` its mail servers; `address` itself, for lack of MX records (RFC 5321 §5.1);
 * `refused` nowhere, as it says itself (null MX, RFC 7505); `none` nowhere; `unknown` no name server answered;
 * `unasked` none could be asked in time.
 */
export type DomainRouting = "mx" | "address" | "refused" | "none" | "unknown" | "unasked";

/** @throws DnsError if that cannot be found out */
export type DomainLookup = (name: string, type: RecordType) => Promise<DnsResult>;

/** Some record is there: true; none is: false; none was found, and not every question was answered: null. */
type Presence = boolean | null;

export type DomainFacts = { readonly delivery: DomainRouting; readonly exists: boolean; readonly hasWebsite: Presence };

const NO_SUCH_DOMAIN: DomainFacts = { delivery: "none", exists: false, hasWebsite: false };

/**
 * Looks `domain` up: it exists if it has any of MX, A, AAAA, NS and SOA; it has a website if it or its `www.` has an
 * address. If no name server answers, the domain counts as missing, and its delivery and website are unknown.
 */
export async function domainFacts(ask: DomainLookup, domain: string): Promise<DomainFacts> {
  const inquiry = new Inquiry(ask);
  const [mx, a, aaaa] = await Promise.all([
    inquiry.find(domain, "MX"),
    inquiry.find(domain, "A"),
    inquiry.find(domain, "AAAA"),
  ]);
  if (mx?.nameExists === false) return NO_SUCH_DOMAIN;
  const address = anyOf([a, aaaa].map((found) => found && found.records.length > 0));
  const isListed = address === true || (mx !== null && mx.records.length > 0);
  // A name server that was silent is not asked more.
  const isSilent = mx === null || address === null;
  const [other, www] = await Promise.all([
    isListed || isSilent ? null : inquiry.isThere(domain, ["NS", "SOA"]),
    address === true || (isSilent ? null : inquiry.isThere(`www.${domain}`, ["A", "AAAA"])),
  ]);
  const isUncertain = !isListed && other === null;
  const delivery = isUncertain ? "unknown" : deliveryOf(mx?.records ?? null, address);
  return {
    delivery: delivery === "unknown" && !inquiry.allAsked ? "unasked" : delivery,
    exists: isListed || other === true,
    hasWebsite: www,
  };
}

/** Questions about one domain. */
class Inquiry {
  /** Every question could be put to a name server, whatever it answered. */
  allAsked = true;

  constructor(private readonly ask: DomainLookup) {}

  /** Null if that cannot be found out. */
  async find(name: string, type: RecordType): Promise<DnsResult | null> {
    try {
      return await this.ask(name, type);
    } catch (error) {
      if (!(error instanceof DnsError)) throw error;
      this.allAsked &&= error.wasAsked;
      return null;
    }
  }

  async isThere(name: string, types: readonly RecordType[]): Promise<Presence> {
    const found = await Promise.all(types.map((type) => this.find(name, type)));
    return anyOf(found.map((one) => one && one.records.length > 0));
  }
}

function deliveryOf(hosts: readonly string[] | null, address: Presence): DomainRouting {
  if (hosts === null) return "unknown";
  if (hosts.length > 0) return hosts.some((host) => host !== ".") ? "mx" : "refused";
  if (address === null) return "unknown";
  return address ? "address" : "none";
}

function anyOf(presences: readonly Presence[]): Presence {
  if (presences.includes(true)) return true;
  return presences.includes(null) ? null : false;
}
