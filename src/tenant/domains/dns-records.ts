// The DNS records that a sender domain needs.
import { DAY_MS, iso } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { spfTerm, type SpfWay } from "./spf-term.ts";

type Purpose = "DKIM" | "SPF" | "DMARC" | "RETURN_PATH" | "INBOUND" | "REPORT_PERMISSION" | "TLS_REPORTS";

export type DnsRecord = {
  readonly purpose: Purpose;
  readonly type: "TXT" | "MX";
  readonly name: string;
  readonly value: string;
  /** A domain without a required record is not verified. */
  readonly required: boolean;
  /** From then on the record may be removed; null = it is needed as long as the domain is. */
  readonly removableAt: string | null;
  /**
   * The content that the record must have: our public key, the term of an SPF record, the host that takes mail, the
   * address that takes reports; null = unknown, or none.
   */
  readonly names: string | null;
};

/** The consequence of each missing record. */
export const WITHOUT: Readonly<Record<Purpose, string>> = {
  DKIM: "Without it, no email is sent from the domain.",
  SPF: "Without it, more email lands in spam. A name has one SPF record only: add to the one that is there.",
  DMARC: "Without it, large mailbox providers reject email or put it in spam.",
  RETURN_PATH: "Without it, bounces do not arrive, and email goes on to addresses that do not exist.",
  INBOUND: "Without it, email to the domain does not arrive here; sending works.",
  REPORT_PERMISSION: "Without it, many receivers send no DMARC reports here, since the address is in another domain.",
  TLS_REPORTS: "Without it, nobody reports when email to the domain could not be encrypted; sending works.",
};

/** The part of a DKIM key that its record needs. */
type PublicKey = {
  readonly selector: string;
  readonly publicKey: string;
  readonly retiredAt: string | null;
};

/** The settings that the records depend on. */
export type RecordSettings = {
  /** Null = bounces go to the sender's own address, and no record is needed for them. */
  readonly returnPathDomain: string | null;
  /**
   * The domain in the envelope of our mails, where receivers check SPF; null = that of the sender, or the service's
   * own.
   */
  readonly envelopeDomain: string | null;
  /** The host name of this server in the DNS; null = it is not configured. */
  readonly mailHost: string | null;
  /** Whether this server takes email from outside. */
  readonly takesMail: boolean;
  /** The domain of the addresses that take reports; null = no such domain is known to lead here. */
  readonly reportDomain: string | null;
  /** The words that the SPF record must have (spf-term.ts); null = only the relay's provider knows them. */
  readonly spfTerm: string | null;
  /** The servers of others that mail is handed over to. */
  readonly hops: readonly { readonly host: string; readonly port: number }[];
};

/** Mails may wait for days in queues on their way; receivers look up the key that signed them. */
const KEPT_AFTER_RETIREMENT_MS = 7 * DAY_MS;

/** DKIM records first, in the order of `keys`. `reportAddress`: the address for the domain's reports; null = none. */
export function recordsFor(
  domain: string,
  keys: readonly PublicKey[],
  settings: RecordSettings,
  reportAddress: string | null = null,
): DnsRecord[] {
  const recommended = { type: "TXT", required: false, removableAt: null } as const;
  const { envelopeDomain, spfTerm: names } = settings;
  const term = names ?? "include:<what your relay asks for>";
  const spf = { ...recommended, purpose: "SPF", value: `v=spf1 ${term} ~all`, names } as const;
  const records: DnsRecord[] = [
    ...keys.map((key) => dkimRecord(domain, key)),
    { ...spf, name: domain },
    dmarcRecord(domain, reportAddress),
  ];
  const { returnPathDomain, mailHost, takesMail } = settings;
  if (envelopeDomain !== null && envelopeDomain !== domain) records.push({ ...spf, name: envelopeDomain });
  const mxValue = `10 ${mailHost ?? "<the host name of this server>"}`;
  const mx = { ...recommended, type: "MX", value: mxValue, names: mailHost } as const;
  if (returnPathDomain !== null) records.push({ ...mx, purpose: "RETURN_PATH", name: returnPathDomain });
  if (takesMail && mailHost !== null) records.push({ ...mx, purpose: "INBOUND", name: domain });
  return reportAddress === null ? records : [...records, ...reportRecords(domain, reportAddress)];
}

const OPTIONAL = { type: "TXT", required: false, removableAt: null } as const;

function dmarcRecord(domain: string, reportAddress: string | null): DnsRecord {
  const value = reportAddress === null ? "v=DMARC1; p=none" : `v=DMARC1; p=none; rua=mailto:${reportAddress}`;
  return { ...OPTIONAL, purpose: "DMARC", name: `_dmarc.${domain}`, value, names: reportAddress };
}

/**
 * The records that request reports besides the DMARC record (RFC 8460 §3), and the permission for an address of another
 * domain (RFC 7489 §7.1, RFC 9990 §4), which the owner of that domain publishes.
 */
function reportRecords(domain: string, reportAddress: string): DnsRecord[] {
  const home = reportAddress.slice(reportAddress.indexOf("@") + 1);
  const tls: DnsRecord = {
    ...OPTIONAL,
    purpose: "TLS_REPORTS",
    name: `_smtp._tls.${domain}`,
    value: `v=TLSRPTv1; rua=mailto:${reportAddress}`,
    names: reportAddress,
  };
  const permission = { purpose: "REPORT_PERMISSION", value: "v=DMARC1", names: home } as const;
  const name = `${domain}._report._dmarc.${home}`;
  return isOneOwner(domain, home) ? [tls] : [{ ...OPTIONAL, ...permission, name }, tls];
}

/** Whether one domain is below the other: then both have the same organizational domain. */
function isOneOwner(one: string, other: string): boolean {
  return one === other || one.endsWith(`.${other}`) || other.endsWith(`.${one}`);
}

export function dkimRecord(domain: string, { selector, publicKey, retiredAt }: PublicKey): DnsRecord {
  return {
    purpose: "DKIM",
    type: "TXT",
    name: `${selector}._domainkey.${domain}`,
    value: `v=DKIM1; k=rsa; p=${publicKey}`,
    required: retiredAt === null,
    removableAt: retiredAt === null ? null : removableAt(retiredAt),
    names: publicKey,
  };
}

/** The moment from which the record of a key that was retired may be taken out of the DNS. */
export function removableAt(retiredAt: string): string {
  return iso(Date.parse(retiredAt) + KEPT_AFTER_RETIREMENT_MS);
}

type RecordConfig = Pick<Config, "delivery" | "http" | "smtp">;

/** `ways`: all ways out. */
export function recordSettings({ delivery, http, smtp }: RecordConfig, ways: readonly SpfWay[]): RecordSettings {
  const { hostname } = new URL(http.baseUrl);
  const isName = /[a-z]$/.test(hostname) && hostname.includes(".");
  const mailHost = smtp.hostname ?? (isName ? hostname : null);
  return {
    returnPathDomain: delivery.returnPathDomain,
    // SES and Exchange Online send under a return path of their own.
    envelopeDomain: ["ses", "graph"].includes(delivery.transport) ? null : delivery.returnPathDomain,
    mailHost,
    takesMail: smtp.inboundPort !== 0,
    reportDomain: smtp.inboundPort === 0 ? null : (delivery.returnPathDomain ?? mailHost),
    spfTerm: spfTerms(ways, mailHost),
    hops: ways.flatMap(hopOf),
  };
}

/** Only a host name: an address has no records of its own. */
function hopOf({ kind, relay: { host, port } }: SpfWay): RecordSettings["hops"] {
  const isName = host !== null && /^[^:]*\.[^:]*[a-z][^:]*$/i.test(host);
  return kind === "smtp" && isName ? [{ host: host.toLowerCase().replace(/\.$/, ""), port }] : [];
}

/** The terms of all ways out. */
function spfTerms(ways: readonly SpfWay[], mailHost: string | null): string | null {
  const terms = new Set(ways.flatMap((way) => spfTerm(way, mailHost) ?? []));
  return terms.size === 0 ? null : [...terms].join(" ");
}
