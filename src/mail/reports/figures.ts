// The totals of a domain's reports within some days, and their meaning.
import { DAY_MS, iso } from "../../base/clock.ts";
import type { RecordSettings } from "../../tenant/domains/dns-records.ts";
import type { Domain } from "../../tenant/domains/queries.ts";
import { reportAddressOf } from "../../tenant/domains/report-address.ts";
import { json } from "../../store/columns.ts";
import type { Reader } from "../../store/store.ts";
import {
  countReceivers,
  dmarcDays,
  dmarcSources,
  latestPolicy,
  tlsDays,
  tlsFailures,
  type DmarcDay,
  type SeenPolicy,
  type DmarcSourceRow,
  type ReportPeriod,
  type TlsDay,
} from "./figures-queries.ts";
import type { reportsShape } from "./record.ts";
import { adviceOn, verdictOn, type DmarcEvidence, type DmarcPolicy } from "./verdict.ts";

export const MOST_DAYS = 400;
export const DEFAULT_DAYS = 30;
const VERDICT_DAYS = 30;
const MOST_SOURCES = 100;
const MOST_FAILURES = 50;

type ReportsQuery = {
  readonly domain: Domain;
  readonly settings: RecordSettings;
  readonly days: number;
  readonly nowMs: number;
};

export async function reportsOf(reader: Reader, asked: ReportsQuery): Promise<typeof reportsShape.static> {
  const { domain, settings, days, nowMs } = asked;
  const [span, recent] = [days, VERDICT_DAYS].map((count) => spanOf(domain, count, nowMs)) as [
    ReportPeriod,
    ReportPeriod,
  ];
  const found = await mailIn(reader, span);
  const { days: dmarc, sources, receivers } = found;
  const [tls, failures, seen] = await Promise.all([
    tlsDays(reader, span),
    tlsFailures(reader, span, MOST_FAILURES),
    latestPolicy(reader, span),
  ]);
  const policy = policyIn(domain, seen);
  return {
    address: reportAddressOf(domain, settings),
    ...{ firstDay: span.from, lastDay: span.to, policy },
    verdict: verdict(domain, policy, days === VERDICT_DAYS ? found : await mailIn(reader, recent)),
    dmarc: {
      ...dmarcSums(dmarc),
      ...{ receivers, series: dmarc.map((day) => ({ ...day })) },
      sources: sources.map((source) => sourceRecord(source, domain.domain)),
    },
    tls: {
      ...tlsSums(tls),
      series: tls.map((day) => ({ ...day })),
      failures: failures.map((one) => ({ ...one, host: one.host || null })),
    },
  };
}

type DmarcFigures = Pick<DmarcEvidence, "receivers" | "sources"> & { readonly days: readonly DmarcDay[] };

async function mailIn(reader: Reader, span: ReportPeriod): Promise<DmarcFigures> {
  const [days, sources, receivers] = await Promise.all([
    dmarcDays(reader, span),
    dmarcSources(reader, span, MOST_SOURCES),
    countReceivers(reader, span),
  ]);
  return { days, sources, receivers };
}

function verdict({ domain }: Domain, policy: DmarcPolicy | null, { days, sources, receivers }: DmarcFigures) {
  const said = verdictOn({ policy, domain, days: days.length, receivers, sources });
  return { ...said, values: { ...said.values } };
}

/** Ends today. */
function spanOf({ seq }: Domain, days: number, nowMs: number): ReportPeriod {
  return { domain: seq, from: dayAt(nowMs - (days - 1) * DAY_MS), to: dayAt(nowMs) };
}

function dayAt(ms: number): string {
  return iso(ms).slice(0, 10);
}

/** As the last check found it at the domain itself, else as in the latest report. */
function policyIn({ domain, checks }: Domain, seen: SeenPolicy | null): DmarcPolicy | null {
  const [record] = checks[`DMARC _dmarc.${domain}`]?.found ?? [];
  const own = /(?:^|;)\s*p\s*=\s*(none|quarantine|reject)\s*(?:;|$)/i.exec(record ?? "")?.[1];
  if (own !== undefined) return own.toLowerCase() as DmarcPolicy;
  const tags = seen === null ? {} : json<Record<string, string>>(seen.policy);
  const word = seen?.domain === domain ? tags["p"] : (tags["sp"] ?? tags["p"]);
  return word === "none" || word === "quarantine" || word === "reject" ? word : null;
}

function dmarcSums(days: readonly DmarcDay[]) {
  const sum = (field: Exclude<keyof DmarcDay, "day">) => days.reduce((total, day) => total + day[field], 0);
  return {
    messages: sum("messages"),
    passed: sum("passed"),
    quarantined: sum("quarantined"),
    rejected: sum("rejected"),
  };
}

function tlsSums(days: readonly TlsDay[]) {
  const sum = (field: Exclude<keyof TlsDay, "day">) => days.reduce((total, day) => total + day[field], 0);
  return { sessions: sum("sessions"), failed: sum("failed") };
}

function sourceRecord(source: DmarcSourceRow, domain: string) {
  const { signedAs: _, envelope: __, provider, address, host, ...sums } = source;
  const advice = adviceOn(source, domain);
  return {
    ...sums,
    ...{ provider: provider || null, address: address || null, host: host || null },
    advice: advice && { ...advice, values: { ...advice.values } },
  };
}
