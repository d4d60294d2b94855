// What a report says, whichever form it came in: plain data, for any thread.

export type Kind = "DMARC" | "TLS";

/** Why a report cannot be read. */
export type Fault = "none" | "unpacking" | "bomb" | "large" | "markup" | "json" | "fields" | "time";

/** As the report says it. */
type Span = {
  readonly organization: string;
  readonly reportId: string;
  /** ISO 8601. */
  readonly begunAt: string;
  readonly endedAt: string;
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

export type DmarcReport = Span & {
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

/** `domain`: that of the policies; those of several domains are of several reports. */
export type TlsReport = Span & { readonly kind: "TLS"; readonly domain: string; readonly rows: readonly TlsRow[] };

export type Report = DmarcReport | TlsReport;

export type ReadReport = { readonly report: Report } | { readonly fault: Fault };

/** A report that cannot be read. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";

  constructor(readonly fault: Fault) {
    super(fault);
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

/** @throws Unreadable if it is none, or below zero */
export function wholeNumberIn(text: string | number | undefined): number {
  const number = typeof text === "string" && /^\s*\d{1,15}\s*$/.test(text) ? Number(text) : text;
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
