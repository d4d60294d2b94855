// The SQL of the hosts that workspaces have to themselves.
import { flag, jsonOrNull } from "../../store/columns.ts";
import { sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { LinkHost } from "../../base/link-bases.ts";
import type { HostProblem } from "./problems.ts";

export type Host = {
  readonly seq: number;
  readonly workspace: number;
  readonly workspaceId: string;
  readonly host: string;
  /** Else links that were sent before name it. */
  readonly isCurrent: boolean;
  /** When it was first found to lead here. */
  readonly verifiedAt: string | null;
  /** Links may name it: it has a certificate. */
  readonly isReady: boolean;
  /** Since when it does not lead here any more. */
  readonly failingSince: string | null;
  /** Checks in a row that found a fault. */
  readonly misses: number;
  readonly problem: HostProblem | null;
  readonly checkedAt: string | null;
  readonly nextCheckAt: string;
  /** Attempts at its certificate that failed, in a row. */
  readonly tries: number;
  /** When the next attempt may be made; null = immediately. */
  readonly tryAt: string | null;
  /** Why the last attempt failed. */
  readonly certificateFault: string | null;
  readonly createdAt: string;
};

type HostRow = Omit<Host, "isCurrent" | "isReady" | "problem"> & {
  readonly isCurrent: 0 | 1;
  readonly isReady: 0 | 1;
  readonly problem: string | null;
};

const HOSTS = sql`
  select h.seq, h.workspace, w.id as "workspaceId", h.host, h.is_current as "isCurrent", h.verified_at as "verifiedAt",
    h.is_ready as "isReady", h.failing_since as "failingSince", h.misses, h.problem, h.checked_at as "checkedAt",
    h.next_check_at as "nextCheckAt", h.tries, h.try_at as "tryAt", h.certificate_fault as "certificateFault",
    h.created_at as "createdAt"
  from link_hosts h join workspaces w on w.seq = h.workspace`;

function hostOf(row: HostRow): Host {
  return {
    ...row,
    isCurrent: flag(row.isCurrent),
    isReady: flag(row.isReady),
    problem: jsonOrNull<HostProblem>(row.problem),
  };
}

/** The hosts of a workspace, the current one first. */
export async function hostsOf(reader: Reader, workspace: number): Promise<Host[]> {
  const rows = await reader.all<HostRow>`${HOSTS} where h.workspace = ${workspace}`;
  return rows.map(hostOf).toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.seq - a.seq);
}

export async function hostBySeq(reader: Reader, seq: number): Promise<Host | null> {
  const row = await reader.get<HostRow>`${HOSTS} where h.seq = ${seq}`;
  return row && hostOf(row);
}

/** No other transaction changes the host before this one is over. */
export function lockHost(tx: Tx, seq: number): Promise<{ seq: number } | null> {
  return tx.get`select seq from link_hosts where seq = ${seq}${tx.dialect.forUpdate}`;
}

/** The row of the workspace that verified the host first; null = none has. */
export async function claimOf(reader: Reader, host: string): Promise<Host | null> {
  const row = await reader.get<HostRow>`${HOSTS} where h.host = ${host} and h.verified_at is not null`;
  return row && hostOf(row);
}

export function insertHost(tx: Tx, workspace: number, host: string): Promise<number> {
  return tx.run`
    insert into link_hosts (workspace, host, is_current, next_check_at, created_at)
    values (${workspace}, ${host}, 1, ${tx.now}, ${tx.now})`;
}

/** A host that no link names is deleted immediately; the others stay, so that links in sent mails lead somewhere. */
export async function dropCurrent(tx: Tx, workspace: number): Promise<void> {
  await tx.run`delete from link_hosts where workspace = ${workspace} and is_current = 1 and verified_at is null`;
  await tx.run`update link_hosts set is_current = 0 where workspace = ${workspace} and is_current = 1`;
}

export function makeCurrent(tx: Tx, seq: number): Promise<number> {
  return tx.run`update link_hosts set is_current = 1, next_check_at = ${tx.now} where seq = ${seq}`;
}

/** Any workspace may verify it again; this one still waits for it. */
export function releaseHost(tx: Tx, seq: number): Promise<number> {
  return tx.run`
    update link_hosts set verified_at = null, is_ready = 0, failing_since = null where seq = ${seq}`;
}

export function deleteHost(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from link_hosts where seq = ${seq}`;
}

export type HostCheckResult = Pick<
  Host,
  "verifiedAt" | "isReady" | "failingSince" | "misses" | "problem" | "nextCheckAt"
> & {
  readonly seq: number;
  readonly begunAt: string;
};

/** @throws ConstraintError `unique` if another workspace has verified the host */
export function setLooked(tx: Tx, looked: HostCheckResult): Promise<number> {
  const { seq, problem } = looked;
  return tx.run`
    update link_hosts set verified_at = ${looked.verifiedAt}, is_ready = ${looked.isReady ? 1 : 0},
      failing_since = ${looked.failingSince}, misses = ${looked.misses}, problem = ${problem && JSON.stringify(problem)},
      checked_at = ${looked.begunAt}, next_check_at = ${looked.nextCheckAt}
    where seq = ${seq}`;
}

export async function nextHostAt(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ at: string }>`
    select next_check_at as at from link_hosts order by next_check_at limit 1`;
  return row?.at ?? null;
}

export function takeDueHosts(tx: Tx, most: number, leaseUntil: string): Promise<{ seq: number }[]> {
  return tx.all<{ seq: number }>`
    update link_hosts set next_check_at = ${leaseUntil} where seq in (
      select seq from link_hosts where next_check_at <= ${tx.now} order by next_check_at limit ${most}${tx.dialect.skipLocked})
    returning seq`;
}

/** Every host that leads here, for the memory of each process. */
export async function linkHosts(reader: Reader): Promise<LinkHost[]> {
  const rows = await reader.all<Omit<LinkHost, "isUsed"> & { readonly isUsed: 0 | 1 }>`
    select h.host, h.workspace, w.id as "workspaceId",
      case when h.is_current = 1 and h.is_ready = 1 and h.failing_since is null then 1 else 0 end as "isUsed"
    from link_hosts h join workspaces w on w.seq = h.workspace where h.verified_at is not null order by h.seq`;
  return rows.map((row) => ({ ...row, isUsed: flag(row.isUsed) }));
}

/** Verified sender domains of a workspace. */
export async function verifiedDomains(reader: Reader, workspace: number): Promise<readonly string[]> {
  const rows = await reader.all<{ domain: string }>`
    select domain from domains where workspace = ${workspace} and removed_at is null and verified_at is not null
      and is_demo = 0 order by seq`;
  return rows.map(({ domain }) => domain);
}

/** Notes an attempt at a certificate; `again`: when the next may be made. */
export function setTried(
  tx: Tx,
  seq: number,
  { tries, tryAt, fault }: { readonly tries: number; readonly tryAt: string | null; readonly fault: string | null },
): Promise<number> {
  return tx.run`
    update link_hosts set tries = ${tries}, try_at = ${tryAt}, certificate_fault = ${fault}, next_check_at = ${tx.now}
    where seq = ${seq}`;
}

/** Hosts that lead here, which need certificates. */
export async function hostsToCertify(reader: Reader): Promise<Host[]> {
  const rows = await reader.all<HostRow>`
    ${HOSTS} where h.verified_at is not null and h.failing_since is null order by h.seq`;
  return rows.map(hostOf);
}

export type FailingHost = { readonly host: string; readonly workspace: string; readonly since: string };

/** Current hosts that do not lead here any more. */
export function failingHosts(reader: Reader, most: number): Promise<FailingHost[]> {
  return reader.all<FailingHost>`
    select h.host, w.name as workspace, h.failing_since as since from link_hosts h join workspaces w on w.seq = h.workspace
    where h.is_current = 1 and h.failing_since is not null order by h.seq limit ${most}`;
}
