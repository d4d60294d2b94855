// The DNS facts about a recipient's domain.
import { DnsError, type DnsResult } from "../../base/dns.ts";
import type { RecordType } from "../../base/dns/message.ts";

/**
 * The destination of mail for the domain: `mx` its mail servers; `address` the domain itself, for lack of MX records
 * (RFC 5321 §5.1); `refused` none, by its own declaration (null MX, RFC 7505); `none` none; `unknown` no name server
 * answered; `unasked` no name server could be asked in time.
 */
export type MailDestination = "mx" | "address" | "refused" | "none" | "unknown" | "unasked";

/** @throws DnsError if the lookup fails */
export type DomainLookup = (name: string, type: RecordType) => Promise<DnsResult>;

/** true: a record exists; false: none does; null: none was found, and not every query was answered. */
type Presence = boolean | null;

export type DomainFacts = {
  readonly delivery: MailDestination;
  readonly exists: boolean;
  readonly hasWebsite: Presence;
};

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
  // A silent name server gets no further queries.
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

/** The queries about one domain. */
class Inquiry {
  /** Every query could be sent to a name server, with or without an answer. */
  allAsked = true;

  constructor(private readonly ask: DomainLookup) {}

  /** Null if the lookup fails. */
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

function deliveryOf(hosts: readonly string[] | null, address: Presence): MailDestination {
  if (hosts === null) return "unknown";
  if (hosts.length > 0) return hosts.some((host) => host !== ".") ? "mx" : "refused";
  if (address === null) return "unknown";
  return address ? "address" : "none";
}

function anyOf(presences: readonly Presence[]): Presence {
  if (presences.includes(true)) return true;
  return presences.includes(null) ? null : false;
}
