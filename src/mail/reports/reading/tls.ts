// TLS reports (RFC 8460 §4.4): the number of sessions to the domain's servers that were encrypted, and the failures of
// others.
import { isIP } from "node:net";
import { plainAddress } from "../../../base/ip-addresses.ts";
import {
  countIn,
  momentIn,
  MOST_ROWS,
  plainDomain,
  plainText,
  readable,
  Unreadable,
  type TlsReport,
  type TlsRow,
} from "./report.ts";

const MAX_POLICIES = 100;
/** Domains in one file: each makes its own report. */
const MAX_DOMAINS = 10;
const MAX_FAILURES = 10_000;

type TlsJson = unknown;

/**
 * One report for each domain in the file; a policy without a domain belongs to the first.
 * @throws Unreadable
 */
export function readTls(text: string): readonly TlsReport[] {
  const report = objectIn(parsed(text));
  const policies = listIn(report["policies"], MAX_POLICIES).map(objectIn);
  const names = policies.map((one) => plainDomain(textIn(policyIn(one)["policy-domain"])));
  const first = names.find((name) => name !== "") ?? "";
  const byDomain = Map.groupBy(policies.keys(), (at) => names[at] || first);
  if (policies.length === 0) throw new Unreadable("fields");
  if (byDomain.size > MAX_DOMAINS) throw new Unreadable("large");
  return [...byDomain].map(([domain, at]) =>
    reportAbout(
      domain,
      report,
      at.map((one) => policies[one] ?? {}),
    ),
  );
}

type TlsFields = Readonly<Record<string, TlsJson>>;

function reportAbout(domain: string, report: TlsFields, policies: readonly TlsFields[]): TlsReport {
  const range = objectIn(report["date-range"]);
  const read = policies.map((one) => readable(() => rowsOf(one)));
  const rows = read.flatMap((one) => one?.rows ?? []);
  const lost = read.reduce((sum, one) => sum + (one?.lost ?? 1), 0);
  if (lost > 0 && rows.length === 0) throw new Unreadable("fields");
  return {
    kind: "TLS",
    organization: tlsField(report["organization-name"] ?? report["contact-info"]),
    reportId: tlsField(report["report-id"]),
    begunAt: momentIn(range["start-datetime"]),
    endedAt: momentIn(range["end-datetime"]),
    domain,
    rows: together(rows),
    lost,
  };
}

function parsed(text: string): TlsJson {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, "")) as TlsJson;
  } catch {
    throw new Unreadable("json");
  }
}

function policyIn(one: Readonly<Record<string, TlsJson>>): Readonly<Record<string, TlsJson>> {
  return objectIn(one["policy"] ?? {});
}

/** The successful sessions, and each kind of failure. */
function rowsOf(one: Readonly<Record<string, TlsJson>>): { readonly rows: TlsRow[]; readonly lost: number } {
  const policyType = plainText(textIn(policyIn(one)["policy-type"]), 40).toLowerCase() || "unknown";
  const summary = objectIn(one["summary"]);
  const [well, badly] = ["successful", "failure"].map((kind) =>
    countIn((summary[`total-${kind}-session-count`] as string | number | undefined) ?? 0),
  ) as [number, number];
  const details = listIn(one["failure-details"] ?? [], MAX_FAILURES);
  const failures = details.flatMap((detail) => readable(() => failureIn(detail, policyType)) ?? []);
  const told = failures.reduce((sum, { count }) => sum + count, 0);
  // The details may be incomplete.
  const untold = { policyType, result: "unexplained", host: "", ip: "", count: Math.max(0, badly - told) };
  const passed = { policyType, result: "", host: "", ip: "", count: well };
  const rows = [passed, ...failures, untold].filter(({ count }) => count > 0);
  return { rows, lost: details.length - failures.length };
}

function failureIn(detail: TlsJson, policyType: string): TlsRow {
  const fields = objectIn(detail);
  const ip = plainAddress(textIn(fields["sending-mta-ip"]));
  return {
    policyType,
    result: plainText(textIn(fields["result-type"]), 60).toLowerCase() || "unexplained",
    host: plainDomain(textIn(fields["receiving-mx-hostname"])),
    ip: ip === null || isIP(ip) === 0 ? "" : ip.toLowerCase(),
    count: countIn((fields["failed-session-count"] as string | number | undefined) ?? 0),
  };
}

/** Equal rows become one; if there are too many, the smallest keep only their result. */
function together(rows: readonly TlsRow[]): readonly TlsRow[] {
  const exact = summed(rows);
  if (exact.length <= MOST_ROWS) return exact;
  return summed(exact.map((row) => ({ ...row, host: "", ip: "" }))).slice(0, MOST_ROWS);
}

function summed(rows: readonly TlsRow[]): TlsRow[] {
  const sums = new Map<string, TlsRow>();
  for (const row of rows) {
    const key = JSON.stringify({ ...row, count: 0 });
    sums.set(key, { ...row, count: row.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.values()];
}

function objectIn(value: TlsJson): Readonly<Record<string, TlsJson>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Unreadable("fields");
  return value as Readonly<Record<string, TlsJson>>;
}

function listIn(value: TlsJson, most: number): readonly TlsJson[] {
  if (!Array.isArray(value)) throw new Unreadable("fields");
  if (value.length > most) throw new Unreadable("large");
  return value as readonly TlsJson[];
}

function textIn(value: TlsJson): string {
  return typeof value === "string" ? value : "";
}

function tlsField(value: TlsJson): string {
  const text = plainText(textIn(value));
  if (text === "") throw new Unreadable("fields");
  return text;
}
