// The SQL of reports: storing and deleting them.
import { insertion } from "../../store/row-statement.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { DmarcRow, ReportFault, ReportKind, TlsRow } from "./reading/report.ts";
import type { SourceOrigin } from "./origin.ts";

export type ReportState = "COUNTED" | "OTHER_DOMAIN" | "UNPROVEN" | "UNREADABLE";

export type NewReport = {
  readonly id: string;
  readonly workspace: number;
  readonly domain: number;
  readonly kind: ReportKind | null;
  readonly state: ReportState;
  readonly fault: ReportFault | null;
  readonly sender: string | null;
  readonly organization: string | null;
  readonly reportId: string | null;
  readonly policyDomain: string | null;
  readonly begunAt: string | null;
  readonly endedAt: string | null;
  /** JSON. */
  readonly policy: string | null;
  readonly messages: number;
  readonly passed: number;
  /** The number of unreadable rows. */
  readonly lost: number;
  readonly message: number | null;
};

export async function insertReport(tx: Tx, report: NewReport): Promise<number> {
  const row = await tx.get<{ seq: number }>`
    insert into reports (id, workspace, domain, kind, state, fault, sender, organization, report_id, policy_domain, begun_at, ended_at,
      policy, messages, passed, lost, message, created_at)
    values (${report.id}, ${report.workspace}, ${report.domain}, ${report.kind}, ${report.state}, ${report.fault}, ${report.sender},
      ${report.organization}, ${report.reportId}, ${report.policyDomain}, ${report.begunAt}, ${report.endedAt}, ${report.policy},
      ${report.messages}, ${report.passed}, ${report.lost}, ${report.message}, ${tx.now}) returning seq`;
  return (row as { seq: number }).seq;
}

type ReportIdentity = Pick<
  NewReport,
  "domain" | "kind" | "policyDomain" | "organization" | "reportId" | "begunAt" | "endedAt"
>;

/** Reports counted under the same name, for the same time: repeats, or other parts of one; the first first. */
export async function sameReports(reader: Reader, same: ReportIdentity): Promise<number[]> {
  const rows = await reader.all<{ seq: number }>`
    select seq from reports
    where state = 'COUNTED' and domain = ${same.domain} and kind = ${same.kind} and policy_domain = ${same.policyDomain}
      and organization = ${same.organization} and report_id = ${same.reportId}
      and begun_at = ${same.begunAt} and ended_at = ${same.endedAt} order by seq`;
  return rows.map(({ seq }) => seq);
}

export async function countRepeat(tx: Tx, seq: number): Promise<void> {
  await tx.run`update reports set repeats = repeats + 1 where seq = ${seq}`;
}

/** As they were reported. `reports` must not be empty. */
export async function dmarcRowsOf(reader: Reader, reports: readonly number[]): Promise<DmarcRow[]> {
  const rows = await reader.all<Omit<DmarcRow, "dkim" | "spf"> & { readonly dkim: number; readonly spf: number }>`
    select ip, messages as count, header_from as "headerFrom", disposition, dkim, spf, dkim_domain as "dkimDomain",
      dkim_selector as "dkimSelector", dkim_result as "dkimResult", spf_domain as "spfDomain", spf_result as "spfResult",
      override from dmarc_rows where ${reader.dialect.isAmong(sql`report`, reports)}`;
  const result = (passed: number) => (passed === 1 ? "pass" : "fail");
  return rows.map((row) => ({ ...row, dkim: result(row.dkim), spf: result(row.spf) }));
}

/** The same for TLS reports. */
export function tlsRowsOf(reader: Reader, reports: readonly number[]): Promise<TlsRow[]> {
  return reader.all<TlsRow>`
    select policy_type as "policyType", result, host, ip, sessions as count
    from tls_rows where ${reader.dialect.isAmong(sql`report`, reports)}`;
}

/** The number of reports to a domain since then, and how many of these are kept in their raw form. */
export async function countSince(
  reader: Reader,
  domain: number,
  since: string,
): Promise<{ readonly all: number; readonly kept: number }> {
  const row = await reader.get<{ reports: number; kept: number }>`
    select count(*) as reports, count(message) as kept from (
      select message, created_at from reports where domain = ${domain} order by seq desc limit ${COUNTED_AT_MOST}) as latest
    where created_at >= ${since}`;
  return { all: row?.reports ?? 0, kept: row?.kept ?? 0 };
}

const COUNTED_AT_MOST = 1_000;

export type NewDmarcRow = {
  readonly report: number;
  readonly domain: number;
  readonly day: string;
  readonly ip: string;
  readonly headerFrom: string;
  readonly count: number;
  readonly disposition: string;
  readonly dkim: "pass" | "fail";
  readonly spf: "pass" | "fail";
  readonly dkimDomain: string;
  readonly dkimSelector: string;
  readonly dkimResult: string;
  readonly spfDomain: string;
  readonly spfResult: string;
  readonly override: string;
  readonly origin: SourceOrigin;
  readonly provider: string;
  readonly host: string;
};

const DMARC_ROWS = insertion("dmarc_rows", {
  report: "bigint",
  number: "bigint",
  domain: "bigint",
  day: "text",
  ip: "text",
  header_from: "text",
  messages: "bigint",
  disposition: "text",
  dkim: "smallint",
  spf: "smallint",
  dkim_domain: "text",
  dkim_selector: "text",
  dkim_result: "text",
  spf_domain: "text",
  spf_result: "text",
  override: "text",
  origin: "text",
  provider: "text",
  host: "text",
});

export async function insertDmarcRows(tx: Tx, rows: readonly NewDmarcRow[]): Promise<void> {
  if (rows.length === 0) return;
  const passed = (result: "pass" | "fail") => (result === "pass" ? 1 : 0);
  await tx.runEach(
    DMARC_ROWS,
    rows.map((row, number) => [
      ...[row.report, number, row.domain, row.day, row.ip, row.headerFrom, row.count, row.disposition],
      ...[passed(row.dkim), passed(row.spf), row.dkimDomain, row.dkimSelector, row.dkimResult],
      ...[row.spfDomain, row.spfResult, row.override, row.origin, row.provider, row.host],
    ]),
  );
}

export type NewTlsRow = {
  readonly report: number;
  readonly domain: number;
  readonly day: string;
  readonly policyType: string;
  readonly result: string;
  readonly host: string;
  readonly ip: string;
  readonly count: number;
};

const TLS_ROWS = insertion("tls_rows", {
  report: "bigint",
  number: "bigint",
  domain: "bigint",
  day: "text",
  policy_type: "text",
  result: "text",
  host: "text",
  ip: "text",
  sessions: "bigint",
});

export async function insertTlsRows(tx: Tx, rows: readonly NewTlsRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.runEach(
    TLS_ROWS,
    rows.map((row, number) => [
      ...[row.report, number, row.domain, row.day, row.policyType, row.result, row.host, row.ip, row.count],
    ]),
  );
}

export type SenderDomainRow = { readonly seq: number; readonly domain: string };

/** The sender domains of a workspace, of which rows take the nearest. */
export function homesIn(reader: Reader, workspace: number): Promise<SenderDomainRow[]> {
  return reader.all<SenderDomainRow>`
    select seq, domain from domains where workspace = ${workspace} and removed_at is null order by seq`;
}

/** Each as `selector domain`. `domains` must not be empty. */
export async function selectorsOfNames(reader: Reader, domains: readonly string[]): Promise<string[]> {
  const rows = await reader.all<{ selector: string; domain: string }>`
    select selector, domain_name as domain from domain_keys where ${reader.dialect.isOneOf(sql`domain_name`, domains)}`;
  return rows.map(({ selector, domain }) => `${selector} ${domain}`);
}
