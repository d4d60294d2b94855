// The SQL of the audit log.
import { jsonOrNull } from "../../../store/columns.ts";
import { bare } from "../../../store/folded.ts";
import { joined, sqlList, sql, steadyList } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";

export type AuditEntry = {
  readonly id: string;
  readonly kind: ChangeAuthor["kind"];
  /** The id of the user or the key. */
  readonly actor: string | null;
  readonly actorName: string | null;
  /** The name of the call. */
  readonly action: string;
  readonly target: string | null;
  readonly targetKind: string | null;
  readonly targetName: string | null;
  readonly fields: readonly string[];
  /** The reason in the actor's own words. */
  readonly reason: string | null;
  readonly requestId: string | null;
  readonly at: string;
  readonly times: number;
  readonly lastAt: string;
};

/** `workspace`: null = of the installation. */
export type NewEntry = Omit<AuditEntry, "at" | "times" | "lastAt"> & { readonly workspace: number | null };

export function insertEntry(tx: Tx, entry: NewEntry): Promise<number> {
  const fields = entry.fields.length === 0 ? null : JSON.stringify(entry.fields);
  return tx.run`
    insert into audit (id, workspace, kind, actor, actor_name, action, target, target_kind, target_name, target_sought,
      fields, reason, request_id, at, last_at)
    values (${entry.id}, ${entry.workspace}, ${entry.kind}, ${entry.actor}, ${entry.actorName}, ${entry.action},
      ${entry.target}, ${entry.targetKind}, ${entry.targetName},
      ${entry.targetName && bare(entry.targetName)}, ${fields}, ${entry.reason}, ${entry.requestId}, ${tx.now}, ${tx.now})`;
}

/** Forgets the names of erased contacts, by the ids that they have or had: the change stays, without the person. */
export function forgetNames(tx: Tx, workspace: number, ids: readonly string[]): Promise<number> {
  return tx.run`
    update audit set target_name = null, target_sought = null
    where workspace = ${workspace} and target in (${sqlList(ids)}) and target_name is not null`;
}

type LastChange = { readonly seq: number; readonly fields: readonly string[] };

/** The same change of the same record by the same person, since that time. */
export async function lastChange(
  tx: Tx,
  { workspace, actor, target, action }: NewEntry,
  since: string,
): Promise<LastChange | null> {
  const row = await tx.get<{ seq: number; fields: string | null }>`
    select seq, fields from audit
    where workspace = ${workspace} and target = ${target} and actor = ${actor} and action = ${action}
      and last_at >= ${since} order by seq desc limit 1`;
  return row && { seq: row.seq, fields: jsonOrNull(row.fields) ?? [] };
}

export function addToEntry(tx: Tx, seq: number, fields: readonly string[]): Promise<number> {
  return tx.run`
    update audit set times = times + 1, last_at = ${tx.now}, fields = ${JSON.stringify(fields)} where seq = ${seq}`;
}

/** Null = any. */
export type AuditList = {
  /** Null = that of the installation. */
  readonly workspace: number | null;
  readonly actor: string | null;
  readonly kind: ChangeAuthor["kind"] | null;
  readonly target: string | null;
  /** Searched in the names of the changed records. */
  readonly search: string | null;
  /** Only records of these kinds. */
  readonly kinds?: readonly string[];
};

function listOf({ workspace, actor, kind, target, search, kinds }: AuditList) {
  const list = workspace === null ? sql`workspace is null` : sql`workspace = ${workspace}`;
  const of = [
    actor === null ? sql`` : sql` and actor = ${actor}`,
    kind === null ? sql`` : sql` and kind = ${kind}`,
    target === null ? sql`` : sql` and target = ${target}`,
    search === null ? sql`` : sql` and instr(target_sought, ${bare(search)}) > 0`,
    kinds === undefined ? sql`` : sql` and target_kind in (${steadyList(kinds)})`,
  ];
  return sql`${list}${joined(of, "")}`;
}

export async function countEntries(reader: Reader, list: AuditList): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from audit where ${listOf(list)}`;
  return row?.total ?? 0;
}

/** Newest first. */
export async function entriesPage(
  reader: Reader,
  list: AuditList,
  limit: number,
  offset: number,
): Promise<AuditEntry[]> {
  const rows = await reader.all<Omit<AuditEntry, "fields"> & { readonly fields: string | null }>`
    select id, kind, actor, actor_name as "actorName", action, target, target_kind as "targetKind",
      target_name as "targetName", fields, reason, request_id as "requestId", at, times, last_at as "lastAt"
    from audit where ${listOf(list)} order by seq desc limit ${limit} offset ${offset}`;
  return rows.map((row) => ({ ...row, fields: jsonOrNull(row.fields) ?? [] }));
}

export type LoggedEntry = Pick<AuditEntry, "kind" | "actor" | "action" | "target" | "requestId"> & {
  readonly seq: number;
  readonly workspaceId: string | null;
};

/** Entries of all workspaces and of the installation, oldest first. */
export function entriesAfter(reader: Reader, seq: number, most: number): Promise<LoggedEntry[]> {
  return reader.all<LoggedEntry>`
    select a.seq, a.kind, a.actor, a.action, a.target, a.request_id as "requestId", w.id as "workspaceId"
    from audit a left join workspaces w on w.seq = a.workspace where a.seq > ${seq} order by a.seq limit ${most}`;
}

/** The number of the newest entry, or 0. */
export async function lastEntry(reader: Reader): Promise<number> {
  const row = await reader.get<{ seq: number }>`select coalesce(max(seq), 0) as seq from audit`;
  return row?.seq ?? 0;
}

export function deleteEntriesBefore(tx: Tx, before: string, most: number): Promise<number> {
  return tx.run`delete from audit where seq in (select seq from audit where at < ${before} order by at limit ${most})`;
}
