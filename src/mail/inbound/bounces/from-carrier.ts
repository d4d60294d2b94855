// The proof that a report comes from a server that carries our mail. Every recipient of a mail knows its return path,
// and may send any report there: that changes this one mail, and nothing on which other mail depends.
import { organizationalDomain, dmarcRecords, type TxtRecords } from "../../../base/dns/dmarc.ts";
import { plainAddress } from "../../../base/ip-addresses.ts";
import { takenApart } from "../../../content/mime/message-bytes.ts";
import { provenDomains, type DnsLookup } from "../reading/authenticate.ts";
import { headerFields } from "../reading/header.ts";
import type { InboundEnvelope } from "../reading/reading.ts";

type DnsInquiry = { readonly ask: DnsLookup; readonly host: string; readonly nowMs: number };

/** The names of services' reporting servers, if they differ from the domain of the host that takes mail. */
const KIN: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(^|\.)(amazonses|amazonaws)\.com$/, ["amazonses.com"]],
  [/(^|\.)(office365|outlook|office)\.com$|\.mx\.microsoft$/, ["outlook.com"]],
  [/(^|\.)(gmail|google|googlemail)\.com$/, ["google.com", "googlemail.com"]],
  [/(^|\.)mailgun\.org$/, ["mailgun.org", "mailgun.net"]],
  [/(^|\.)(brevo|sendinblue)\.com$/, ["brevo.com", "sendinblue.com", "sender-sib.com"]],
  [/(^|\.)postmarkapp\.com$/, ["postmarkapp.com", "mtasv.net"]],
];

/**
 * By the address of the client, which is one of `carriers`, or by SPF or DKIM (RFC 7208, RFC 6376) of such a host's
 * domain. Servers report with the null sender (RFC 3464 §2), which no customer of a service can use. `carriers`: the
 * hosts of the ways out. Never throws.
 */
export async function isFromCarrier(
  raw: Buffer,
  envelope: InboundEnvelope,
  carriers: readonly string[],
  asking: DnsInquiry,
): Promise<boolean> {
  if (envelope.sender !== "" || carriers.length === 0) return false;
  try {
    if (await comesFrom(carriers, raw, envelope, asking.ask)) return true;
    const proven = await provenDomains(raw, envelope, asking);
    if (proven.length === 0) return false;
    const txt: TxtRecords = async (name) => (await asking.ask(name, "TXT"))?.records ?? [];
    for (const carrier of carriers) for (const one of proven) if (await areKin(carrier, one, txt)) return true;
  } catch {
    // A failed lookup proves nothing.
  }
  return false;
}

const MOST_CARRIERS = 12;
const IN_BRACKETS = /\[(?:IPv6:)?([\da-f.:]{3,45})\]/gi;

/** And has written it: a relay that also passes mail on to us relays mail of any sender. */
async function comesFrom(
  carriers: readonly string[],
  raw: Buffer,
  envelope: InboundEnvelope,
  ask: DnsLookup,
): Promise<boolean> {
  const client = plainAddress(envelope.clientAddress);
  if (client === null) return false;
  const isOwn = (address: string) => plainAddress(address) === client || isLoopback(address);
  const received = headerFields(takenApart(raw).header).filter(({ name }) => name === "received");
  if (received.some((field) => [...field.raw.matchAll(IN_BRACKETS)].some(([, address = ""]) => !isOwn(address))))
    return false;
  for (const host of carriers.slice(0, MOST_CARRIERS)) if ((await addressesOf(host, ask)).includes(client)) return true;
  return false;
}

function isLoopback(address: string): boolean {
  return /^127\./.test(address) || address === "::1";
}

async function addressesOf(host: string, ask: DnsLookup): Promise<readonly string[]> {
  const own = plainAddress(host);
  if (own !== null) return [own];
  if (host === "localhost") return ["127.0.0.1", "::1"];
  const found = await Promise.all([ask(host, "A"), ask(host, "AAAA")]);
  return found.flatMap((one) => one?.records ?? []).flatMap((address) => plainAddress(address) ?? []);
}

async function areKin(carrier: string, proven: string, txt: TxtRecords): Promise<boolean> {
  const host = carrier.toLowerCase();
  const kin = KIN.find(([hosts]) => hosts.test(host))?.[1];
  if (kin) return kin.some((domain) => proven === domain || proven.endsWith(`.${domain}`));
  if (proven === host) return true;
  const [one, other] = await Promise.all([homeOf(host, txt), homeOf(proven, txt)]);
  return one === other;
}

async function homeOf(domain: string, txt: TxtRecords): Promise<string> {
  return organizationalDomain(domain, await dmarcRecords(txt, domain));
}
