// Storing the reports to the address of a sender domain, and counting their rows, once.
import { DAY_MS, iso } from "../../base/clock.ts";
import type { RecordSettings } from "../../tenant/domains/dns-records.ts";
import { lockDomain, type ReportDomain } from "../../tenant/domains/queries.ts";
import { notifyChange } from "../../tenant/events/notify.ts";
import { newId } from "../../base/ids.ts";
import type { Tx } from "../../store/store.ts";
import { originOf, placesOf } from "./origin.ts";
import {
  countRepeat,
  countSince,
  dmarcRowsOf,
  homesIn,
  insertDmarcRows,
  insertReport,
  insertTlsRows,
  sameReports,
  selectorsOfNames,
  tlsRowsOf,
  type SenderDomainRow,
  type NewReport,
  type ReportState,
} from "./queries.ts";
import type { DmarcReport, ReportFault, ReadReports, DomainReport, TlsReport } from "./reading/report.ts";

export type ReportMail = {
  readonly read: ReadReports;
  /** The domain in its field From; null = none. */
  readonly sender: string | null;
  /** It fails DMARC, or names no author: it may be from anyone. */
  readonly isForged: boolean;
  /** The confirmed names of addresses in it. */
  readonly hosts: Readonly<Record<string, string>>;
};

type ReportArrival = {
  readonly domain: ReportDomain;
  readonly mail: ReportMail;
  /** The stored message of an unreadable report; null = it is too large to keep. */
  readonly message: number | null;
  readonly settings: RecordSettings;
};

/** The world has some hundreds of receivers. A few unreadable reports are enough for a diagnosis. */
const MOST_A_DAY = 1_000;
const MOST_KEPT_A_DAY = 20;
/** No clock is wrong by more. */
const MAX_AHEAD_MS = 2 * DAY_MS;

/**
 * Counts each report once, for its part about the domain; else keeps it with its fault. Answers whether `message` is
 * kept.
 */
export async function takeReports(tx: Tx, arrived: ReportArrival): Promise<boolean> {
  const { domain, mail } = arrived;
  // Two simultaneous transactions would both take the last place of the day, and count the same rows.
  await lockDomain(tx, domain.seq);
  const today = await countSince(tx, domain.seq, iso(tx.nowMs - DAY_MS));
  if (today.all >= MOST_A_DAY) return false;
  notifyChange(tx, "domains", domain.workspace);
  const mayKeep = today.kept < MOST_KEPT_A_DAY;
  if ("fault" in mail.read) return keepUnreadable(tx, arrived, mail.read.fault, mayKeep);
  let isKept = false;
  for (const report of mail.read.reports.slice(0, MOST_A_DAY - today.all)) {
    const isAhead = Date.parse(report.begunAt) > tx.nowMs + MAX_AHEAD_MS;
    if (isAhead) isKept = (await keepUnreadable(tx, arrived, "fields", mayKeep && !isKept)) || isKept;
    else await count(tx, arrived, report);
  }
  return isKept;
}

async function keepUnreadable(tx: Tx, arrived: ReportArrival, fault: ReportFault, mayKeep: boolean): Promise<boolean> {
  const message = mayKeep ? arrived.message : null;
  await insertReport(tx, { ...newReport(tx, arrived, "UNREADABLE"), fault, message });
  return message !== null;
}

function newReport(tx: Tx, { domain, mail }: ReportArrival, state: ReportState): NewReport {
  const nothing = { kind: null, organization: null, reportId: null, policyDomain: null, begunAt: null, endedAt: null };
  const common = { id: newId(tx.nowMs), workspace: domain.workspace, domain: domain.seq, state, sender: mail.sender };
  return { ...common, ...nothing, fault: null, policy: null, messages: 0, passed: 0, lost: 0, message: null };
}

async function count(tx: Tx, arrived: ReportArrival, read: DomainReport): Promise<void> {
  const { domain, mail } = arrived;
  // A report without a domain is about the domain whose address it was sent to.
  const whole = read.domain === "" ? { ...read, domain: domain.domain } : read;
  const own = ownPart(whole, domain.domain);
  const state = mail.isForged ? "UNPROVEN" : own === null ? "OTHER_DOMAIN" : "COUNTED";
  if (state !== "COUNTED" || own === null) {
    await insertReport(tx, { ...newReport(tx, arrived, state), ...factsOf(own ?? whole) });
    return;
  }
  const before = await sameReports(tx, { domain: domain.seq, ...factsOf(own) });
  const report = before.length === 0 ? own : await unseen(tx, own, before);
  if (before.length > 0 && report.rows.length === 0) return countRepeat(tx, before[0] as number);
  const seq = await insertReport(tx, { ...newReport(tx, arrived, state), ...factsOf(report) });
  await insertRows(tx, arrived, { seq, report });
}

/** Receivers send a long report in parts: the rows that an earlier part did not have add up. */
async function unseen(tx: Tx, report: DomainReport, before: readonly number[]): Promise<DomainReport> {
  if (report.kind === "DMARC") {
    const known = new Set((await dmarcRowsOf(tx, before)).map(keyOf));
    return { ...report, rows: report.rows.filter((row) => !known.has(keyOf(row))) };
  }
  const known = new Set((await tlsRowsOf(tx, before)).map(keyOf));
  return { ...report, rows: report.rows.filter((row) => !known.has(keyOf(row))) };
}

function keyOf(row: DmarcReport["rows"][number] | TlsReport["rows"][number]): string {
  return JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function factsOf(report: DomainReport) {
  const { kind, organization, reportId, domain: policyDomain, begunAt, endedAt, lost } = report;
  const policy = report.kind === "DMARC" ? JSON.stringify(report.policy) : null;
  const rowTotal = (rows: readonly { readonly count: number }[]) => rows.reduce((total, row) => total + row.count, 0);
  const passed = report.kind === "DMARC" ? report.rows.filter(isAligned) : report.rows.filter(isEncrypted);
  return {
    ...{ kind, organization, reportId, policyDomain, begunAt, endedAt, policy, lost },
    messages: rowTotal(report.rows),
    passed: rowTotal(passed),
  };
}

function isAligned({ dkim, spf }: DmarcReport["rows"][number]): boolean {
  return dkim === "pass" || spf === "pass";
}

function isEncrypted({ result }: TlsReport["rows"][number]): boolean {
  return result === "";
}

/**
 * The part of a report about the domain or a name below it; null = none. A policy of a domain above counts for the
 * domain, but not the mail of its other names.
 */
function ownPart(report: DomainReport, domain: string): DomainReport | null {
  if (isWithin(report.domain, domain)) return report;
  if (report.kind === "TLS" || !isWithin(domain, report.domain)) return null;
  const rows = report.rows.filter(({ headerFrom }) => isWithin(headerFrom, domain));
  return rows.length === 0 ? null : { ...report, rows };
}

function isWithin(name: string, domain: string): boolean {
  return name === domain || name.endsWith(`.${domain}`);
}

async function insertRows(
  tx: Tx,
  arrived: ReportArrival,
  inserted: { readonly seq: number; readonly report: DomainReport },
) {
  const { domain, mail, settings } = arrived;
  const { seq, report } = inserted;
  const homes = (await homesIn(tx, domain.workspace)).filter((home) => isWithin(home.domain, domain.domain));
  const homeOf = (name: string) => nearest(homes, name) ?? domain.seq;
  const day = dayOf(report);
  if (report.kind === "TLS")
    return insertTlsRows(
      tx,
      report.rows.map((row) => ({ ...row, report: seq, domain: homeOf(report.domain), day })),
    );
  const names = [domain.domain, ...homes.map((home) => home.domain)];
  const selectors = new Set(await selectorsOfNames(tx, names));
  const places = placesOf(settings);
  const rows = report.rows.map((row) => {
    const host = mail.hosts[row.ip] ?? "";
    const from = originOf(row, { places, selectors, host });
    return { ...row, ...from, host, report: seq, domain: homeOf(row.headerFrom), day };
  });
  return insertDmarcRows(tx, rows);
}

function nearest(homes: readonly SenderDomainRow[], name: string): number | undefined {
  const above = homes.filter(({ domain }) => isWithin(name, domain));
  return above.sort((one, other) => other.domain.length - one.domain.length)[0]?.seq;
}

/** In UTC. Receivers cut days by their own clocks, so the middle counts. */
function dayOf({ begunAt, endedAt }: DomainReport): string {
  return iso((Date.parse(begunAt) + Date.parse(endedAt)) / 2).slice(0, 10);
}
