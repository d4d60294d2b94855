// One check of every DNS record of a sender domain: DKIM (RFC 6376 §3.6.1), DMARC (RFC 9989) and MX (RFC 5321 §5.1);
// SPF has a file of its own.
import { DnsError, type Resolver } from "../../../base/dns.ts";
import { deadlineResolver } from "../../../base/dns/bounded.ts";
import { dmarcAmong, dmarcRecords, policyFor } from "../../../base/dns/dmarc.ts";
import type { DnsRecord } from "../dns-records.ts";
import { problemOf } from "./problems.ts";
import {
  missing,
  NOT_LOOKED,
  nothingThere,
  OK,
  quoted,
  tagsOf,
  unlessUnknown,
  wrong,
  type DnsFinding,
} from "./finding.ts";
import { checkPermission, checkTlsReports, reportHint } from "./reports.ts";
import { checkSpf } from "./spf.ts";

/** By purpose and name, so that a record that changes its place counts as not checked. */
export type Checks = Readonly<Record<string, DnsFinding>>;

/** The limit for all, however many name servers are silent. */
const MAX_LOOK_MS = 10_000;

/** Checks all records at the same time. */
export async function lookAt(names: Resolver, domain: string, records: readonly DnsRecord[]): Promise<Checks> {
  const resolver = deadlineResolver(names, MAX_LOOK_MS);
  const envelope = records.findLast(({ purpose }) => purpose === "SPF")?.name ?? domain;
  const looks = records.map(async (record): Promise<[string, DnsFinding]> => {
    const finding = await unlessUnknown(check(resolver, { domain, record, envelope }));
    return [recordKey(record), { ...finding, found: await valuesAt(resolver, record) }];
  });
  return Object.fromEntries(await Promise.all(looks));
}

/** The limit on shown values; each is bounded as well. */
const MOST_FOUND = 5;
const MOST_FOUND_CHARS = 1_000;

/** The existing values of the record's kind; none if they are unknown. The lookups were made before. */
async function valuesAt(resolver: Resolver, { purpose, type, name }: DnsRecord): Promise<readonly string[]> {
  try {
    const records = type === "MX" ? (await resolver.find(name, "MX")).records : await resolver.txt(name);
    const own = records.filter((text) => type === "MX" || KINDS[purpose]?.test(text));
    return own.slice(0, MOST_FOUND).map((text) => text.replace(/\p{Cc}+/gu, " ").slice(0, MOST_FOUND_CHARS));
  } catch (error) {
    if (error instanceof DnsError) return [];
    throw error;
  }
}

const KINDS: Readonly<Record<string, RegExp>> = {
  DKIM: /./,
  SPF: /^v=spf1(\s|$)/i,
  DMARC: /^v=DMARC1/i,
  REPORT_PERMISSION: /^v=DMARC1/i,
  TLS_REPORTS: /^v=TLSRPTv1/i,
};

/** `checks`, each with the check that first found its state; `before`: the findings of the check at `beforeAt`. */
export function withSince(checks: Checks, at: string, before: Checks, beforeAt: string | null): Checks {
  const sinceOf = (place: string, { state }: DnsFinding): string => {
    const last = before[place];
    return last?.state === state ? (last.since ?? beforeAt ?? at) : at;
  };
  const dated = Object.entries(checks).map(([place, one]) => [place, { ...one, since: sinceOf(place, one) }]);
  return Object.fromEntries(dated) as Checks;
}

export function findingOf(checks: Checks, record: DnsRecord): DnsFinding {
  return checks[recordKey(record)] ?? NOT_LOOKED;
}

export function withFinding(checks: Checks, record: DnsRecord, finding: DnsFinding): Checks {
  return { ...checks, [recordKey(record)]: finding };
}

/** `envelope`: the domain in the envelope of our mails. */
type RecordCheck = { readonly domain: string; readonly record: DnsRecord; readonly envelope: string };

function check(resolver: Resolver, { domain, record, envelope }: RecordCheck): Promise<DnsFinding> {
  const { purpose, name, names } = record;
  if (purpose === "DKIM") return checkDkim(resolver, { name, domain, publicKey: names ?? "" });
  if (purpose === "SPF") return checkSpf(resolver, { name, term: names, instead: name === envelope ? null : envelope });
  if (purpose === "DMARC") return checkDmarc(resolver, domain, names);
  if (purpose === "TLS_REPORTS") return checkTlsReports(resolver, { name, domain, address: names ?? "" });
  if (purpose === "REPORT_PERMISSION") return checkPermission(resolver, { name, domain, home: names ?? "" });
  return checkMx(resolver, { name, host: names, use: purpose === "RETURN_PATH" ? "bounces" : "inbound" });
}

function recordKey({ purpose, name }: DnsRecord): string {
  return `${purpose} ${name}`;
}

type WantedKey = { readonly name: string; readonly domain: string; readonly publicKey: string };

/** @throws DnsError if the records cannot be found out */
async function checkDkim(resolver: Resolver, { name, domain, publicKey }: WantedKey): Promise<DnsFinding> {
  const found = await resolver.txt(name);
  const keys = found.filter((record) => tagsOf(record).has("p"));
  const isOurs = (record: string) => tagsOf(record).get("p") === publicKey;
  const ours = keys.find(isOurs);
  if (ours && keys.length > 1) return wrong("dkim_several", { count: String(keys.length), name });
  if (ours) return faultOf(tagsOf(ours)) ?? OK;
  const [other = found[0]] = keys;
  if (other === undefined) return nothingThere(resolver, { name, domain, isIt: (texts) => texts.some(isOurs) });
  return wrong("dkim_other_key", { found: quoted(other), key: publicKey });
}

/** The fault of a record with our key that keeps it from being used. */
function faultOf(tags: ReadonlyMap<string, string>): DnsFinding | null {
  const allowed: readonly [tag: string, pattern: RegExp, expected: string][] = [
    ["v", /^DKIM1$/, "DKIM1"],
    ["k", /^rsa$/i, "rsa"],
    ["h", /(^|:)sha256(:|$)/i, "sha256"],
    ["s", /(^|:)(\*|email)(:|$)/i, "email"],
  ];
  for (const [tag, pattern, expected] of allowed) {
    const value = tags.get(tag);
    if (value !== undefined && !pattern.test(value))
      return wrong("dkim_bad_tag", { tag, found: quoted(value), expected });
  }
  return null;
}

const POLICY = /^(none|quarantine|reject)$/i;

/**
 * The policy of a parent domain counts for its subdomains. `reportAddress`: where its reports should be sent as well;
 * null = nowhere. @throws DnsError if the records cannot be found out
 */
async function checkDmarc(resolver: Resolver, domain: string, reportAddress: string | null): Promise<DnsFinding> {
  const name = `_dmarc.${domain}`;
  const own = dmarcAmong(await resolver.txt(name));
  if (own.length > 1) return wrong("dmarc_several", { count: String(own.length), name });
  // A domain with a record of its own needs none of its parents'.
  const txt = async (one: string) => (one !== name && own.length > 0 ? [] : resolver.txt(one));
  const applied = policyFor(domain, await dmarcRecords(txt, domain));
  if (!applied) return nothingThere(resolver, { name, domain, isIt: (texts) => dmarcAmong(texts).length > 0 });
  const policy = applied.tags.get("p") ?? "";
  if (policy === "") return { ...OK, ...problemOf("dmarc_no_policy") };
  const [text] = own;
  if (POLICY.test(policy))
    return text === undefined || reportAddress === null ? OK : reportHint(text, reportAddress, "dmarc");
  return wrong("dmarc_bad_policy", { name: `_dmarc.${applied.domain}`, found: quoted(policy) });
}

/** Each host is looked up; a domain needs no more. */
const MAX_HOSTS = 10;

type WantedHost = {
  /** The domain of the mail. */
  readonly name: string;
  /** The host name of this server; null = it is not configured. */
  readonly host: string | null;
  readonly use: "bounces" | "inbound";
};

/**
 * Mail of the domain that is received elsewhere, or nowhere on purpose, is not a fault: only bounces must arrive here.
 * @throws DnsError if the records cannot be found out
 */
async function checkMx(resolver: Resolver, { name, host, use }: WantedHost): Promise<DnsFinding> {
  const hosts = (await resolver.find(name, "MX")).records.map((one) => one.toLowerCase().replace(/(?<=.)\.$/, ""));
  if (hosts.length === 0) return missing(`mx_none_${use}`, { name });
  const isInbound = use === "inbound";
  if (hosts.includes("."))
    return isInbound ? { ...OK, ...problemOf("mx_refuses", { name }) } : wrong("mx_refuses", { name });
  const asked = hosts.slice(0, MAX_HOSTS);
  const [places, ...found] = await Promise.all([
    host === null ? Promise.resolve<readonly string[]>([]) : addressesOf(resolver, host),
    ...asked.map((one) => addressesOf(resolver, one)),
  ]);
  const isHere = host === null || hosts.includes(host) || found.flat().some((address) => places.includes(address));
  const elsewhere = { name, found: quoted(hosts.join(", ")), host: host ?? "" };
  if (!isHere && isInbound)
    return { ...OK, ...problemOf("mx_elsewhere_inbound", { ...elsewhere, subdomain: `inbound.${name}` }) };
  if (!isHere) return wrong("mx_elsewhere_bounces", { ...elsewhere, subdomain: `bounces.${name}` });
  const without = asked.find((_, index) => found[index]?.length === 0);
  return without === undefined ? OK : wrong("mx_no_address", { host: quoted(without) });
}

async function addressesOf(resolver: Resolver, host: string): Promise<readonly string[]> {
  const [v4, v6] = await Promise.all([resolver.find(host, "A"), resolver.find(host, "AAAA")]);
  return [...v4.records, ...v6.records];
}
