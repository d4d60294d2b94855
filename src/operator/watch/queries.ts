// The SQL of the watch: the last finding of each look, and when each is due.
import type { Reader, Tx } from "../../store/store.ts";
import type { Aspect, WatchObservation } from "./seen.ts";

/** A claimed look: the position where it goes on, and when its round began. */
export type WatchCursor = { readonly name: string; readonly position: number; readonly begunAt: string };

export function addLook(tx: Tx, name: string, dueAt: string): Promise<number> {
  return tx.run`
    insert into watch_looks (name, due_at, position, begun_at) values (${name}, ${dueAt}, 0, ${dueAt})
    on conflict (name) do nothing`;
}

export async function nextLookAt(reader: Reader): Promise<string | null> {
  return (await reader.get<{ at: string | null }>`select min(due_at) as at from watch_looks`)?.at ?? null;
}

/** The look that is due, leased until `leaseUntil`; null = none. */
export async function takeLook(tx: Tx, leaseUntil: string): Promise<WatchCursor | null> {
  const [look] = await tx.all<WatchCursor>`
    update watch_looks set due_at = ${leaseUntil}, begun_at = case when position = 0 then ${tx.now} else begun_at end
    where name = (select name from watch_looks where due_at <= ${tx.now} order by due_at limit 1${tx.dialect.skipLocked})
    returning name, position, begun_at as "begunAt"`;
  return look ?? null;
}

export function setLook(
  tx: Tx,
  name: string,
  next: { readonly dueAt: string; readonly position: number },
): Promise<number> {
  return tx.run`update watch_looks set due_at = ${next.dueAt}, position = ${next.position} where name = ${name}`;
}

export type WatchedRow = Pick<WatchObservation, "state"> & { readonly since: string; readonly answeredAt: string };

export function watchedRow(reader: Reader, key: string): Promise<WatchedRow | null> {
  return reader.get<WatchedRow>`
    select state, since, answered_at as "answeredAt" from watch_findings where key = ${key}`;
}

export type WatchedInput = WatchObservation & {
  readonly key: string;
  readonly look: string;
  readonly since: string;
  readonly answeredAt: string;
};

export function putWatched(tx: Tx, row: WatchedInput): Promise<number> {
  return tx.run`
    insert into watch_findings (key, look, aspect, subject, list, domain, state, detail, since, answered_at, looked_at)
    values (${row.key}, ${row.look}, ${row.aspect}, ${row.subject}, ${row.by}, ${row.domain}, ${row.state}, ${row.detail},
      ${row.since}, ${row.answeredAt}, ${tx.now})
    on conflict (key) do update set look = excluded.look, domain = excluded.domain, state = excluded.state,
      detail = excluded.detail, since = excluded.since, answered_at = excluded.answered_at, looked_at = excluded.looked_at`;
}

/** Marks the row as seen, without news. */
export function touchWatched(tx: Tx, key: string): Promise<number> {
  return tx.run`update watch_findings set looked_at = ${tx.now} where key = ${key}`;
}

/** Rows that a round begun at `since` has not met no longer exist. */
export function forgetWatched(tx: Tx, look: string, since: string): Promise<number> {
  return tx.run`delete from watch_findings where look = ${look} and looked_at < ${since}`;
}

export type WatchedFault = {
  readonly aspect: Aspect;
  readonly subject: string;
  readonly by: string;
  readonly detail: string | null;
  readonly since: string;
};

/** The faults of the installation and its sender domains. */
export function watchedFaults(reader: Reader, most: number): Promise<WatchedFault[]> {
  return reader.all<WatchedFault>`
    select w.aspect, w.subject, w.list as "by", w.detail, w.since from watch_findings w
    left join domains d on d.seq = w.domain
    where w.state = 'WRONG' and (w.domain is null or d.removed_at is null) order by w.since, w.key limit ${most}`;
}

/** The faults of this server alone. */
export function faultsOfServer(reader: Reader, most: number): Promise<WatchedFault[]> {
  return reader.all<WatchedFault>`
    select aspect, subject, list as "by", detail, since from watch_findings
    where state = 'WRONG' and domain is null order by since, key limit ${most}`;
}

export type FaultOfDomain = WatchedFault & { readonly id: string };

export function faultsOfDomains(reader: Reader, workspace: number, most: number): Promise<FaultOfDomain[]> {
  return reader.all<FaultOfDomain>`
    select w.aspect, w.subject, w.list as "by", w.detail, w.since, d.id from domains d join watch_findings w on w.domain = d.seq
    where d.workspace = ${workspace} and d.removed_at is null and w.state = 'WRONG' order by d.seq, w.key limit ${most}`;
}

/** The subjects that could not be queried, with the reason. */
export function unasked(reader: Reader, most: number): Promise<WatchedFault[]> {
  return reader.all<WatchedFault>`
    select aspect, subject, list as "by", detail, since from watch_findings
    where look = 'addresses' and state = 'UNKNOWN' and detail is not null order by looked_at limit ${most}`;
}

export type WatchedDomain = { readonly seq: number; readonly domain: string };

/** Verified sender domains behind `after`, in order. */
export function domainsToWatch(reader: Reader, after: number, most: number): Promise<WatchedDomain[]> {
  return reader.all<WatchedDomain>`
    select seq, domain from domains where verified_at is not null and removed_at is null and is_demo = 0 and seq > ${after}
    order by seq limit ${most}`;
}

export type DomainOwner = { readonly id: string; readonly workspace: number; readonly domain: string };

export function ownerOfDomain(reader: Reader, seq: number): Promise<DomainOwner | null> {
  return reader.get<DomainOwner>`select id, workspace, domain from domains where seq = ${seq} and removed_at is null`;
}
