// The SQL of sender domains, their keys, and what was found of their DNS records.
import { CLOCK_IS_IN_DOUBT } from "../store/clock-queries.ts";
import { flag, jsonOrNull } from "../store/columns.ts";
import { list, sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { Checks } from "./dns-check/look.ts";

export type Domain = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly domain: string;
  readonly verifiedAt: string | null;
  /** Empty before the first look. */
  readonly checks: Checks;
  /** When the look that `checks` came from began. */
  readonly checkedAt: string | null;
  /** When it is looked at next. */
  readonly nextCheckAt: string | null;
  readonly failingSince: string | null;
  readonly takenUnseen: boolean;
  readonly createdAt: string;
};

type DomainRow = Omit<Domain, "checks" | "takenUnseen"> & {
  readonly checks: string | null;
  readonly takenUnseen: 0 | 1;
};

/** A removed domain stays, hidden, as long as mails name it. */
const DOMAINS = sql`
  select d.seq, d.id, d.workspace, w.id as "workspaceId", w.name as "workspaceName", d.domain,
    d.verified_at as "verifiedAt", d.checks, d.checked_at as "checkedAt", d.failing_since as "failingSince",
    d.next_check_at as "nextCheckAt",
    d.taken_unseen as "takenUnseen", d.created_at as "createdAt"
  from domains d join workspaces w on w.seq = d.workspace where d.removed_at is null`;

function domainOf(row: DomainRow): Domain {
  return { ...row, checks: jsonOrNull<Checks>(row.checks) ?? {}, takenUnseen: flag(row.takenUnseen) };
}

async function one(row: Promise<DomainRow | null>): Promise<Domain | null> {
  const found = await row;
  return found && domainOf(found);
}

async function each(rows: Promise<DomainRow[]>): Promise<Domain[]> {
  return (await rows).map(domainOf);
}

type NewDomain = { readonly id: string; readonly workspace: number; readonly domain: string };

/** Answers null if the workspace has the domain already. */
export async function insertDomain(tx: Tx, domain: NewDomain, nextCheckAt: string): Promise<number | null> {
  const row = await tx.get<{ seq: number }>`
    insert into domains (id, workspace, domain, next_check_at, created_at, updated_at)
    values (${domain.id}, ${domain.workspace}, ${domain.domain}, ${nextCheckAt}, ${tx.now}, ${tx.now})
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
  return one(reader.get`${DOMAINS} and d.workspace = ${workspace} and d.id = ${id}`);
}

export function domainBySeq(reader: Reader, seq: number): Promise<Domain | null> {
  return one(reader.get`${DOMAINS} and d.seq = ${seq}`);
}

/** No other transaction changes the domain or its keys before this one is over. */
export function lockDomain(tx: Tx, seq: number): Promise<{ seq: number } | null> {
  return tx.get`select seq from domains where seq = ${seq}${tx.dialect.forUpdate}`;
}

export type Verifier = { readonly workspace: number; readonly disabledAt: string | null };

/** The workspace that has verified the domain, if any; it receives the domain's mail. */
export function verifierOf(reader: Reader, domain: string): Promise<Verifier | null> {
  return reader.get<Verifier>`
    select d.workspace, w.disabled_at as "disabledAt" from domains d join workspaces w on w.seq = d.workspace
    where d.domain = ${domain} and d.verified_at is not null`;
}

/** `unseen`: without a look at its record; else the record was found. */
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

/** Nothing happens while the clock is in doubt: the grace period may not have ended. */
export function takeVerificationBack(tx: Tx, seq: number): Promise<number> {
  return tx.run`
    update domains set verified_at = null, updated_at = ${tx.now}
    where seq = ${seq} and verified_at is not null and not ${CLOCK_IS_IN_DOUBT}`;
}

type Checked = { readonly checks: Checks; readonly begunAt: string; readonly nextCheckAt: string };

export function setChecked(tx: Tx, seq: number, { checks, begunAt, nextCheckAt }: Checked): Promise<number> {
  return tx.run`
    update domains set checks = ${JSON.stringify(checks)}, checked_at = ${begunAt}, next_check_at = ${nextCheckAt}
    where seq = ${seq} and removed_at is null`;
}

/** Those that were looked at by a clock that was ahead, and would not be looked at for as long. */
export function recallLooks(tx: Tx): Promise<number> {
  return tx.run`
    update domains set next_check_at = ${tx.now}, checked_at = ${tx.now} where removed_at is null and checked_at > ${tx.now}`;
}

/** When the next domain is due for a look; null = none is. */
export async function nextCheckAt(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ next_check_at: string }>`
    select next_check_at from domains where next_check_at is not null order by next_check_at limit 1`;
  return row?.next_check_at ?? null;
}

/** Claims domains that are due for a look, until `leaseUntil`. */
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

type SenderDomain = { readonly seq: number; readonly verifiedAt: string | null };

export function senderDomain(reader: Reader, workspace: number, domain: string): Promise<SenderDomain | null> {
  return reader.get<SenderDomain>`
    select seq, verified_at as "verifiedAt" from domains
    where workspace = ${workspace} and domain = ${domain} and removed_at is null`;
}

/** The newest; one that was only taken as verified is the last resort. */
export async function domainToSendAs(reader: Reader, workspace: number): Promise<string | null> {
  const rows = await reader.all<{ domain: string; unseen: 0 | 1 }>`
    select domain, taken_unseen as unseen from domains
    where workspace = ${workspace} and removed_at is null and verified_at is not null order by seq desc`;
  return (rows.find(({ unseen }) => !flag(unseen)) ?? rows[0])?.domain ?? null;
}

export type DomainKey = {
  readonly seq: number;
  readonly domain: number;
  readonly selector: string;
  /** Base64, the `p=` of the DNS record. */
  readonly publicKey: string;
  /** From then on it signs; null = not yet. */
  readonly activeFrom: string | null;
  readonly retiredAt: string | null;
};

type NewDomainKey = {
  readonly domain: number;
  readonly domainName: string;
  readonly selector: string;
  readonly publicKey: string;
  readonly encryptedPrivateKey: string;
  readonly activeFrom: string | null;
};

/** Answers 0 if a key of the domain's name has or had the selector. */
export function insertDomainKey(tx: Tx, key: NewDomainKey): Promise<number> {
  return tx.run`
    insert into domain_keys (domain, domain_name, selector, public_key, private_key, active_from, created_at)
    values (${key.domain}, ${key.domainName}, ${key.selector}, ${key.publicKey}, ${key.encryptedPrivateKey}, ${key.activeFrom},
      ${tx.now})
    on conflict (domain_name, selector) do nothing`;
}

/** Keys that sign, wait for their record, or were retired lately; oldest first. `domains` must not be empty. */
export async function keysOfDomains(reader: Reader, domains: readonly number[]): Promise<DomainKey[]> {
  const keys = await reader.all<DomainKey>`
    select seq, domain, selector, public_key as "publicKey", active_from as "activeFrom", retired_at as "retiredAt"
    from domain_keys
    where domain in (${list(domains)}) and gone_at is null`;
  return keys.sort((one, other) => one.seq - other.seq);
}

/** Every selector that the domain's name ever had, in any workspace. */
export async function selectorsOf(reader: Reader, domain: string): Promise<string[]> {
  const rows = await reader.all<{ selector: string }>`
    select selector from domain_keys where domain_name = ${domain}
    union select selector from former_selectors where domain_name = ${domain}`;
  return rows.map(({ selector }) => selector);
}

/** Before a workspace is deleted with its domains and keys. Scans all domains, which are few. */
export function keepSelectors(tx: Tx, workspace: number): Promise<number> {
  return tx.run`
    insert into former_selectors (domain_name, selector)
    select k.domain_name, k.selector from domains d join domain_keys k on k.domain = d.seq
    where d.workspace = ${workspace} and k.domain_name is not null
    on conflict (domain_name, selector) do nothing`;
}

export async function privateKeyOf(reader: Reader, key: number): Promise<string | null> {
  const row = await reader.get<{ private_key: string }>`select private_key from domain_keys where seq = ${key}`;
  return row?.private_key ?? null;
}

/** A key that was retired before is gone for good. */
export function retireKeys(tx: Tx, domain: number): Promise<number> {
  return tx.run`
    update domain_keys set retired_at = coalesce(retired_at, ${tx.now}), gone_at = case when retired_at is null then gone_at else ${tx.now} end
    where domain = ${domain} and active_from is not null and gone_at is null`;
}

export function activateKey(tx: Tx, key: number): Promise<number> {
  return tx.run`update domain_keys set active_from = ${tx.now} where seq = ${key} and active_from is null`;
}

export function setKeyGone(tx: Tx, key: number): Promise<number> {
  return tx.run`update domain_keys set gone_at = ${tx.now} where seq = ${key} and gone_at is null`;
}

export function forgetPrivateKeys(tx: Tx, domain: number): Promise<number> {
  return tx.run`update domain_keys set private_key = '' where domain = ${domain}`;
}
