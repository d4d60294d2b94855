// What a report says, whichever form it came in: plain data, for any thread.
import { iso } from "../../../base/clock.ts";

export type ReportKind = "DMARC" | "TLS";

/** Why a report cannot be read. */
export type ReportFault = "none" | "unpacking" | "bomb" | "large" | "markup" | "json" | "fields" | "time";

/** As the report says it. */
type ReportHeader = {
  readonly organization: string;
  readonly reportId: string;
  /** ISO 8601. */
  readonly begunAt: string;
  readonly endedAt: string;
  /** So many of its rows could not be read. */
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
  /** The signature that tells most, as it was found; `''` = there is none. */
  readonly dkimDomain: string;
  readonly dkimSelector: string;
  readonly dkimResult: string;
  /** The domain of the envelope; `''` = not said. */
  readonly spfDomain: string;
  readonly spfResult: string;
  /** Why the receiver did not do what the policy says; `''` = it did. */
  readonly override: string;
};

export type DmarcReport = ReportHeader & {
  readonly kind: "DMARC";
  /** Where the receiver found the policy. */
  readonly domain: string;
  readonly policy: Readonly<Record<string, string>>;
  readonly rows: readonly DmarcRow[];
};

export type TlsRow = {
  readonly policyType: string;
  /** `''` = the sessions that were encrypted as they should be. */
  readonly result: string;
  /** The receiving host and the sending address, as far as they are said; else `''`. */
  readonly host: string;
  readonly ip: string;
  readonly count: number;
};

/** `domain`: that of the policies, `''` = none says it; those of several domains are of several reports. */
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

/** One row that cannot be read is null, and takes no others with it. @throws Unreadable for any other fault */
export function readable<Row>(read: () => Row): Row | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Unreadable && error.fault === "fields") return null;
    throw error;
  }
}

/** Texts of others: on one line, storable, not too long. */
export function plainText(text: string, mostChars = 200): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, mostChars)
    .toWellFormed();
}

/** A domain as reports write it, also with a dot at its end. */
export function plainDomain(text: string): string {
  return plainText(text, 253).toLowerCase().replace(/\.$/, "");
}

/** Some receivers write them as decimals: `3.0`. @throws Unreadable if it is none, or below zero */
export function wholeNumberIn(text: string | number | undefined): number {
  const number = typeof text === "string" && /^\s*\d{1,15}(\.0{1,9})?\s*$/.test(text) ? Number(text) : text;
  if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 0) throw new Unreadable("fields");
  return number;
}

/** Sums of counts stay whole numbers that every store holds. */
const MOST = 1_000_000_000;

/** Of mails or sessions. @throws as wholeNumberIn */
export function countIn(text: string | number | undefined): number {
  return Math.min(wholeNumberIn(text), MOST);
}

/** Rows that are alike become one; of more than so many, the smallest are taken together. */
export const MOST_ROWS = 1_000;

/** Without an offset it is in UTC. */
const TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d([.,]\d{1,9})?)?)?\s?(?<offset>Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;
/** A year that no report is of: beyond it, milliseconds are meant. */
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
