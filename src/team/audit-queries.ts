// The SQL of the audit log.
import { sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { By } from "../access/caller.ts";

export type AuditEntry = {
  readonly id: string;
  readonly kind: By["kind"];
  /** Of the user or the key set. */
  readonly actor: string | null;
  readonly actorName: string | null;
  /** The name of the call. */
  readonly action: string;
  readonly target: string | null;
  readonly requestId: string | null;
  readonly at: string;
};

/** `workspace`: null = of the installation. */
type NewEntry = Omit<AuditEntry, "at"> & { readonly workspace: number | null };

export function insertEntry(tx: Tx, entry: NewEntry): Promise<number> {
  return tx.run`
    insert into audit (id, workspace, kind, actor, actor_name, action, target, request_id, at)
    values (${entry.id}, ${entry.workspace}, ${entry.kind}, ${entry.actor}, ${entry.actorName}, ${entry.action},
      ${entry.target}, ${entry.requestId}, ${tx.now})`;
}

/** Which entries: null = whatever. */
export type AuditList = {
  /** Null = that of the installation. */
  readonly workspace: number | null;
  readonly actor: string | null;
  readonly kind: By["kind"] | null;
};

function listOf({ workspace, actor, kind }: AuditList) {
  const list = workspace === null ? sql`workspace is null` : sql`workspace = ${workspace}`;
  const byActor = actor === null ? sql`` : sql` and actor = ${actor}`;
  return sql`${list}${byActor}${kind === null ? sql`` : sql` and kind = ${kind}`}`;
}

export async function countEntries(reader: Reader, list: AuditList): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from audit where ${listOf(list)}`;
  return row?.total ?? 0;
}

/** Newest first. */
export function entriesPage(reader: Reader, list: AuditList, limit: number, offset: number): Promise<AuditEntry[]> {
  return reader.all<AuditEntry>`
    select id, kind, actor, actor_name as "actorName", action, target, request_id as "requestId", at
    from audit where ${listOf(list)} order by seq desc limit ${limit} offset ${offset}`;
}

export type LoggedEntry = Omit<AuditEntry, "id" | "actorName" | "at"> & {
  readonly seq: number;
  readonly workspaceId: string | null;
};

/** Of all workspaces and of the installation, oldest first. */
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
