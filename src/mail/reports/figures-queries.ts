// The SQL of the totals of a domain's reports.
import { sql } from "../../store/sql.ts";
import type { Reader } from "../../store/store.ts";
import type { SourceOrigin } from "./origin.ts";
import type { ReportFault, ReportKind } from "./reading/report.ts";
import type { ReportState } from "./queries.ts";

/** `domain`: its seq. Days with both ends: 2026-03-01. */
export type ReportPeriod = { readonly domain: number; readonly from: string; readonly to: string };

export type DmarcDay = {
  readonly day: string;
  readonly messages: number;
  readonly passed: number;
  readonly quarantined: number;
  readonly rejected: number;
};

const PASSED = sql`(dkim = 1 or spf = 1)`;
const SUMS = sql`
  cast(sum(messages) as bigint) as messages, cast(sum(case when ${PASSED} then messages else 0 end) as bigint) as passed,
  cast(sum(case when disposition = 'quarantine' then messages else 0 end) as bigint) as quarantined,
  cast(sum(case when disposition = 'reject' then messages else 0 end) as bigint) as rejected`;

export function dmarcDays(reader: Reader, { domain, from, to }: ReportPeriod): Promise<DmarcDay[]> {
  return reader.all<DmarcDay>`
    select day, ${SUMS} from dmarc_rows where domain = ${domain} and day >= ${from} and day <= ${to} group by day order by day`;
}

export type DmarcSourceRow = Omit<DmarcDay, "day"> & {
  readonly origin: SourceOrigin;
  /** `''` = unknown. */
  readonly provider: string;
  /** The address of an unknown source; `''` = it has several, or the reports do not give it. */
  readonly address: string;
  /** A name of one of its addresses; `''` = none. */
  readonly host: string;
  readonly addresses: number;
  readonly dkim: number;
  readonly spf: number;
  /** The domains of its signatures and its envelopes, if neither was related to the author. */
  readonly signedAs: string | null;
  readonly envelope: string | null;
};

/** Providers and our own servers are one source each; of others, each address is one. The largest first. */
export function dmarcSources(
  reader: Reader,
  { domain, from, to }: ReportPeriod,
  most: number,
): Promise<DmarcSourceRow[]> {
  return reader.all<DmarcSourceRow>`
    select origin, provider, address, max(host) as host, count(distinct ip) as addresses, ${SUMS},
      cast(sum(case when dkim = 1 then messages else 0 end) as bigint) as dkim,
      cast(sum(case when spf = 1 then messages else 0 end) as bigint) as spf,
      max(case when not ${PASSED} and dkim_result = 'pass' then dkim_domain end) as "signedAs",
      max(case when not ${PASSED} and spf_result = 'pass' then spf_domain end) as envelope
    from (
      select origin, provider, host, ip, messages, disposition, dkim, spf, dkim_domain, dkim_result, spf_domain, spf_result,
        case when provider <> '' or origin = 'OWN' then '' else ip end as address from dmarc_rows
      where domain = ${domain} and day >= ${from} and day <= ${to}) as found
    group by origin, provider, address order by messages desc, origin, provider, address limit ${most}`;
}

/** The number of organizations that have reported on the domain's mail. */
export async function countReceivers(reader: Reader, { domain, from, to }: ReportPeriod): Promise<number> {
  const row = await reader.get<{ receivers: number }>`
    select count(distinct organization) as receivers from reports
    where seq in (select report from dmarc_rows where domain = ${domain} and day >= ${from} and day <= ${to})`;
  return row?.receivers ?? 0;
}

export type SeenPolicy = { readonly policy: string; readonly domain: string };

/** The policy in the latest report; null = none. */
export function latestPolicy(reader: Reader, { domain, from, to }: ReportPeriod): Promise<SeenPolicy | null> {
  return reader.get<SeenPolicy>`
    select p.policy, p.policy_domain as domain from dmarc_rows r join reports p on p.seq = r.report
    where r.domain = ${domain} and r.day >= ${from} and r.day <= ${to} order by r.day desc limit 1`;
}

export type TlsDay = { readonly day: string; readonly sessions: number; readonly failed: number };

export function tlsDays(reader: Reader, { domain, from, to }: ReportPeriod): Promise<TlsDay[]> {
  return reader.all<TlsDay>`
    select day, cast(sum(sessions) as bigint) as sessions,
      cast(sum(case when result = '' then 0 else sessions end) as bigint) as failed
    from tls_rows where domain = ${domain} and day >= ${from} and day <= ${to} group by day order by day`;
}

export type TlsFailure = {
  readonly policyType: string;
  readonly result: string;
  readonly host: string;
  readonly sessions: number;
};

/** The largest first. */
export function tlsFailures(reader: Reader, { domain, from, to }: ReportPeriod, most: number): Promise<TlsFailure[]> {
  return reader.all<TlsFailure>`
    select policy_type as "policyType", result, host, cast(sum(sessions) as bigint) as sessions
    from tls_rows where domain = ${domain} and day >= ${from} and day <= ${to} and result <> ''
    group by policy_type, result, host order by sessions desc, policy_type, result, host limit ${most}`;
}

export type DomainReportRow = {
  readonly id: string;
  readonly kind: ReportKind | null;
  readonly state: ReportState;
  readonly fault: ReportFault | null;
  readonly sender: string | null;
  readonly organization: string | null;
  readonly reportId: string | null;
  readonly policyDomain: string | null;
  readonly begunAt: string | null;
  readonly endedAt: string | null;
  readonly messages: number;
  readonly passed: number;
  readonly repeats: number;
  readonly lost: number;
  readonly message: number | null;
  readonly createdAt: string;
};

const RECEIVED = sql`
  id, kind, state, fault, sender, organization, report_id as "reportId", policy_domain as "policyDomain", begun_at as "begunAt",
  ended_at as "endedAt", messages, passed, repeats, lost, message, created_at as "createdAt"`;

/** The newest first. */
export function receivedPage(
  reader: Reader,
  domain: number,
  limit: number,
  offset: number,
): Promise<DomainReportRow[]> {
  return reader.all<DomainReportRow>`
    select ${RECEIVED} from reports where domain = ${domain} order by seq desc limit ${limit} offset ${offset}`;
}

export async function countReceived(reader: Reader, domain: number): Promise<number> {
  const row = await reader.get<{ reports: number }>`select count(*) as reports from reports where domain = ${domain}`;
  return row?.reports ?? 0;
}

export function receivedById(reader: Reader, domain: number, id: string): Promise<DomainReportRow | null> {
  return reader.get<DomainReportRow>`select ${RECEIVED} from reports where domain = ${domain} and id = ${id}`;
}
