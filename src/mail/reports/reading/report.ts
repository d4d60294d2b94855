// The contents of a report, in any format: plain data, for any thread.
import { iso } from "../../../base/clock.ts";

export type ReportKind = "DMARC" | "TLS";

/** Why a report is unreadable. */
export type ReportFault = "none" | "unpacking" | "bomb" | "large" | "markup" | "json" | "fields" | "time";

/** As in the report. */
type ReportHeader = {
  readonly organization: string;
  readonly reportId: string;
  /** ISO 8601. */
  readonly begunAt: string;
  readonly endedAt: string;
  /** The number of its unreadable rows. */
  readonly lost: number;
};

export type DmarcRow = {
  /** `''` = several, beyond those that are named one by one. */
  readonly ip: string;
  readonly count: number;
  /** The author's domain. */
  readonly headerFrom: string;
  readonly disposition: "none" | "quarantine" | "reject";
  /** Whether each passed for a domain that is aligned with the author's. */
  readonly dkim: "pass" | "fail";
  readonly spf: "pass" | "fail";
  /** The most telling signature, with its result; `''` = none. */
  readonly dkimDomain: string;
  readonly dkimSelector: string;
  readonly dkimResult: string;
  /** The domain of the envelope; `''` = not given. */
  readonly spfDomain: string;
  readonly spfResult: string;
  /** Why the receiver did not apply the policy; `''` = it did. */
  readonly override: string;
};

export type DmarcReport = ReportHeader & {
  readonly kind: "DMARC";
  /** The domain at which the receiver found the policy. */
  readonly domain: string;
  readonly policy: Readonly<Record<string, string>>;
  readonly rows: readonly DmarcRow[];
};

export type TlsRow = {
  readonly policyType: string;
  /** `''` = the sessions that were encrypted correctly. */
  readonly result: string;
  /** The receiving host and the sending address, if they are given; else `''`. */
  readonly host: string;
  readonly ip: string;
  readonly count: number;
};

/** `domain`: that of the policies, `''` = none names it; several domains make several reports. */
export type TlsReport = ReportHeader & {
  readonly kind: "TLS";
  readonly domain: string;
  readonly rows: readonly TlsRow[];
};

export type DomainReport = DmarcReport | TlsReport;

export type ReadReports = { readonly reports: readonly DomainReport[] } | { readonly fault: ReportFault };

/** A report that cannot be read. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";

  constructor(readonly fault: ReportFault) {
    super(fault);
  }
}

/**
 * An unreadable row is null, and does not affect others.
 * @throws Unreadable for any other fault
 */
export function readable<Row>(read: () => Row): Row | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable && error.fault === "fields") return null;
    throw error;
  }
}

/** A foreign text: on one line, storable, not too long. */
export function plainText(text: string, mostChars = 200): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, mostChars)
    .toWellFormed();
}

/** A domain in the spellings of reports, also with a dot at its end. */
export function plainDomain(text: string): string {
  return plainText(text, 253).toLowerCase().replace(/\.$/, "");
}

/**
 * Some receivers write whole numbers as decimals: `3.0`.
 * @throws Unreadable if it is not a number, or below zero
 */
export function wholeNumberIn(text: string | number | undefined): number {
  const number = typeof text === "string" && /^\s*\d{1,15}(\.0{1,9})?\s*$/.test(text) ? Number(text) : text;
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 0) throw new Unreadable("fields");
  return number;
}

/** Totals of counts stay whole numbers that every store holds. */
const MOST = 1_000_000_000;

/**
 * The number of mails or sessions.
 * @throws as wholeNumberIn
 */
export function countIn(text: string | number | undefined): number {
  return Math.min(wholeNumberIn(text), MOST);
}

/** Equal rows become one; beyond this number, the smallest rows are combined. */
export const MOST_ROWS = 1_000;

/** Without an offset it is in UTC. */
const TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?)?\s?(?<offset>Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;
/** No report is of such a year: beyond it, the number is in milliseconds. */
const YEAR_5000_SECONDS = 95_617_584_000;

/** A moment in seconds or milliseconds since 1970, also as decimals, or in ISO 8601. @throws Unreadable */
export function momentIn(value: unknown): string {
  const text = String(typeof value === "number" || typeof value === "string" ? value : "").trim();
  const ms = /^\d{1,15}(\.\d{1,9})?$/.test(text) ? sinceEpoch(Math.floor(Number(text))) : isoMs(text);
  if (!(ms <= YEAR_5000_SECONDS * 1000)) throw new Unreadable("fields");
  return iso(ms);
}

function sinceEpoch(time: number): number {
  return time < YEAR_5000_SECONDS ? time * 1000 : time;
}

function isoMs(text: string): number {
  const offset = TIME.exec(text)?.groups;
  if (!offset) return NaN;
  const [, day, time = "00:00"] = /^(\S{10})[T ]?([\d:.,]*)/.exec(text) as unknown as [string, string, string];
  const zone = (offset["offset"] ?? "Z").replace(/UTC|GMT/i, "Z").replace(/^([+-]\d\d):?(\d\d)$/, "$1:$2");
  return Date.parse(`${day}T${time.replace(",", ".") || "00:00"}${zone}`);
}
