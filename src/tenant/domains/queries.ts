// The SQL of sender domains, and of the findings about their DNS records.
import { CLOCK_IS_IN_DOUBT } from "../../store/clock-queries.ts";
import { flag, jsonOrNull } from "../../store/columns.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Checks } from "./dns-check/look.ts";

export type Domain = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly domain: string;
  /** A part of the address that receives reports on its mail. */
  readonly reportToken: string;
  readonly verifiedAt: string | null;
  /** Empty before the first check. */
  readonly checks: Checks;
  /** When the check that made `checks` began. */
  readonly checkedAt: string | null;
  /** When it is checked next. */
  readonly nextCheckAt: string | null;
  readonly failingSince: string | null;
  readonly takenUnseen: boolean;
  readonly createdAt: string;
};

type DomainRow = Omit<Domain, "checks" | "takenUnseen"> & {
  readonly checks: string | null;
  readonly takenUnseen: 0 | 1;
};

/** A removed domain stays, hidden, as long as mails refer to it. */
const DOMAINS = sql`
  select d.seq, d.id, d.workspace, w.id as "workspaceId", w.name as "workspaceName", d.domain,
    d.report_token as "reportToken", d.verified_at as "verifiedAt", d.checks, d.checked_at as "checkedAt", d.failing_since as "failingSince",
    d.next_check_at as "nextCheckAt",
    d.taken_unseen as "takenUnseen", d.created_at as "createdAt"
  from domains d join workspaces w on w.seq = d.workspace where d.removed_at is null`;

function domainOf(row: DomainRow): Domain {
  return { ...row, checks: jsonOrNull<Checks>(row.checks) ?? {}, takenUnseen: flag(row.takenUnseen) };
}

async function oneDomain(row: Promise<DomainRow | null>): Promise<Domain | null> {
  const found = await row;
  return found && domainOf(found);
}

async function each(rows: Promise<DomainRow[]>): Promise<Domain[]> {
  return (await rows).map(domainOf);
}

type NewDomain = {
  readonly id: string;
  readonly workspace: number;
  readonly domain: string;
  readonly reportToken: string;
};

/** Answers null if the workspace has the domain already. */
export async function insertDomain(tx: Tx, domain: NewDomain, nextCheckAt: string): Promise<number | null> {
  const row = await tx.get<{ seq: number }>`
    insert into domains (id, workspace, domain, report_token, next_check_at, created_at, updated_at)
    values (${domain.id}, ${domain.workspace}, ${domain.domain}, ${domain.reportToken}, ${nextCheckAt}, ${tx.now}, ${tx.now})
    on conflict (workspace, domain) where removed_at is null do nothing returning seq`;
  return row?.seq ?? null;
}

export function domainsNamed(reader: Reader, domain: string, workspace: number | null): Promise<Domain[]> {
  return each(reader.all`
    ${DOMAINS} and d.domain = ${domain} and d.workspace = coalesce(${workspace}, d.workspace) order by d.seq`);
}

export function domainsOf(reader: Reader, workspace: number | null): Promise<Domain[]> {
  return each(reader.all`${DOMAINS} and d.workspace = coalesce(${workspace}, d.workspace) order by d.seq`);
}

/** Oldest first. */
export function domainsPage(reader: Reader, workspace: number, limit: number, offset: number): Promise<Domain[]> {
  return each(reader.all`
    ${DOMAINS} and d.workspace = ${workspace} order by d.seq limit ${limit} offset ${offset}`);
}

export async function countDomains(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ total: number }>`
    select count(*) as total from domains where workspace = ${workspace} and removed_at is null`;
  return row?.total ?? 0;
}

export function domainById(reader: Reader, workspace: number, id: string): Promise<Domain | null> {
  return oneDomain(reader.get`${DOMAINS} and d.workspace = ${workspace} and d.id = ${id}`);
}

export function domainBySeq(reader: Reader, seq: number): Promise<Domain | null> {
  return oneDomain(reader.get`${DOMAINS} and d.seq = ${seq}`);
}

/** No other transaction changes the domain or its keys before this one is over. */
export function lockDomain(tx: Tx, seq: number): Promise<{ seq: number } | null> {
  return tx.get`select seq from domains where seq = ${seq}${tx.dialect.forUpdate}`;
}

export type DomainVerifier = { readonly workspace: number; readonly disabledAt: string | null };

/** The workspace that has verified the domain, if any; it receives the domain's mail. */
export function verifierOf(reader: Reader, domain: string): Promise<DomainVerifier | null> {
  return reader.get<DomainVerifier>`
    select d.workspace, w.disabled_at as "disabledAt" from domains d join workspaces w on w.seq = d.workspace
    where d.domain = ${domain} and d.verified_at is not null`;
}

export type ReportDomain = DomainVerifier & { readonly seq: number; readonly domain: string };

/** The domain whose reports are sent to the address with this token; null = it was removed, or never existed. */
export function domainReportedTo(reader: Reader, token: string): Promise<ReportDomain | null> {
  return reader.get<ReportDomain>`
    select d.seq, d.domain, d.workspace, w.disabled_at as "disabledAt"
    from domains d join workspaces w on w.seq = d.workspace
    where d.report_token = ${token} and d.removed_at is null`;
}

/** The findings about a verified domain; null = no workspace has verified it. */
export async function checksOfVerified(reader: Reader, domain: string): Promise<Checks | null> {
  const row = await reader.get<{ checks: string | null }>`
    select checks from domains where domain = ${domain} and verified_at is not null and removed_at is null`;
  return row && (jsonOrNull<Checks>(row.checks) ?? {});
}

/** `unseen`: without a check of its record; else the record was found. */
export function markVerified(tx: Tx, seq: number, unseen: boolean): Promise<number> {
  return tx.run`
    update domains set verified_at = coalesce(verified_at, ${tx.now}), failing_since = null, taken_unseen = ${unseen ? 1 : 0},
      updated_at = ${tx.now}
    where seq = ${seq} and removed_at is null`;
}

/** The demo domain of a first start; an operator who takes it as verified makes it a domain like others. */
export function setDemo(tx: Tx, seq: number, isDemo: boolean): Promise<number> {
  return tx.run`update domains set is_demo = ${isDemo ? 1 : 0} where seq = ${seq}`;
}

export function demoDomains(reader: Reader): Promise<Domain[]> {
  return each(reader.all`${DOMAINS} and d.is_demo = 1 order by d.seq`);
}

export function setFailing(tx: Tx, seq: number): Promise<number> {
  return tx.run`
    update domains set failing_since = ${tx.now}, updated_at = ${tx.now}
    where seq = ${seq} and (failing_since is null or failing_since > ${tx.now}) and verified_at is not null`;
}

/** No effect while the clock is in doubt: the grace period may not have ended. */
export function takeVerificationBack(tx: Tx, seq: number): Promise<number> {
  return tx.run`
    update domains set verified_at = null, updated_at = ${tx.now}
    where seq = ${seq} and verified_at is not null and not ${CLOCK_IS_IN_DOUBT}`;
}

type CheckUpdate = {
  readonly checks: Checks;
  readonly begunAt: string;
  readonly nextCheckAt: string;
  readonly lostSince: string | null;
};

export function setChecked(
  tx: Tx,
  seq: number,
  { checks, begunAt, nextCheckAt, lostSince }: CheckUpdate,
): Promise<number> {
  return tx.run`
    update domains set checks = ${JSON.stringify(checks)}, checked_at = ${begunAt}, next_check_at = ${nextCheckAt},
      lost_since = ${lostSince}
    where seq = ${seq} and removed_at is null`;
}

/** Recalls domains that were checked by a clock that was ahead, and would not be checked for as long. */
export function recallLooks(tx: Tx): Promise<number> {
  return tx.run`
    update domains set next_check_at = ${tx.now}, checked_at = ${tx.now} where removed_at is null and checked_at > ${tx.now}`;
}

/** Makes all verified domains due for a check. */
export function lookAgainAtVerified(tx: Tx): Promise<number> {
  return tx.run`
    update domains set next_check_at = ${tx.now}
    where verified_at is not null and removed_at is null and next_check_at > ${tx.now}`;
}

/** When the next domain is due for a check; null = none is. */
export async function nextCheckAt(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ next_check_at: string }>`
    select next_check_at from domains where next_check_at is not null order by next_check_at limit 1`;
  return row?.next_check_at ?? null;
}

/** Claims domains that are due for a check, until `leaseUntil`. */
export function takeDueDomains(tx: Tx, most: number, leaseUntil: string): Promise<{ seq: number }[]> {
  return tx.all<{ seq: number }>`
    update domains set next_check_at = ${leaseUntil} where seq in (
      select seq from domains where next_check_at is not null and next_check_at <= ${tx.now} order by next_check_at
      limit ${most}${tx.dialect.skipLocked})
    returning seq`;
}

export function setDomainRemoved(tx: Tx, seq: number): Promise<number> {
  return tx.run`
    update domains set removed_at = ${tx.now}, updated_at = ${tx.now}, verified_at = null, next_check_at = null
    where seq = ${seq} and removed_at is null`;
}

export type SenderDomain = { readonly seq: number; readonly id: string; readonly verifiedAt: string | null };

export function senderDomain(reader: Reader, workspace: number, domain: string): Promise<SenderDomain | null> {
  return reader.get<SenderDomain>`
    select seq, id, verified_at as "verifiedAt" from domains
    where workspace = ${workspace} and domain = ${domain} and removed_at is null`;
}

/** The newest verified domain; one that was marked as verified without a check is the last resort. */
export async function domainToSendAs(reader: Reader, workspace: number): Promise<string | null> {
  const rows = await reader.all<{ domain: string; unseen: 0 | 1 }>`
    select domain, taken_unseen as unseen from domains
    where workspace = ${workspace} and removed_at is null and verified_at is not null order by seq desc`;
  return (rows.find(({ unseen }) => !flag(unseen)) ?? rows[0])?.domain ?? null;
}
