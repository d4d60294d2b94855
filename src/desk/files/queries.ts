// The SQL of email as code.
import { jsonOrNull } from "../../store/columns.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { ChangeAuthor } from "../../tenant/access/caller.ts";
import type { FileKind } from "./record.ts";

/** `key`: a name that is unique in its kind; null = it has only `title`. */
export type Nameable = {
  readonly id: string;
  readonly key: string | null;
  readonly title: string;
  readonly updatedAt: string;
  readonly updatedBy: ChangeAuthor | null;
};

const SAVED = sql`updated_at as "updatedAt", updated_by as "updatedBy"`;

/** All of a kind in a workspace, oldest first. */
const OF_KIND: Readonly<Record<FileKind, (workspace: number) => Sql>> = {
  topics: (workspace) =>
    sql`select id, key, key as title, ${SAVED} from topics where workspace = ${workspace} order by seq`,
  segments: (workspace) =>
    sql`select id, slug as key, slug as title, ${SAVED} from segments where workspace = ${workspace} order by seq`,
  templates: (workspace) =>
    sql`select id, alias as key, name as title, ${SAVED} from templates where workspace = ${workspace} order by seq`,
  blocks: (workspace) =>
    sql`select id, null as key, name as title, ${SAVED} from blocks where workspace = ${workspace} order by seq`,
  brand: (workspace) =>
    sql`select 'brand' as id, 'brand' as key, '' as title, ${SAVED} from brands where workspace = ${workspace}`,
  forms: (workspace) =>
    sql`select id, key, name as title, ${SAVED} from forms where workspace = ${workspace} order by seq`,
  workflows: (workspace) => sql`
    select id, null as key, name as title, ${SAVED} from workflows
    where workspace = ${workspace} and deleted_at is null order by seq`,
  webhooks: (workspace) => sql`
    select id, null as key, coalesce(description, url) as title, updated_at as "updatedAt", null as "updatedBy"
    from webhook_endpoints where workspace = ${workspace} and deleted_at is null order by seq`,
};

export async function nameablesOf(reader: Reader, kind: FileKind, workspace: number): Promise<Nameable[]> {
  const rows = await reader.all<Omit<Nameable, "updatedBy"> & { readonly updatedBy: string | null }>`
    ${OF_KIND[kind](workspace)}`;
  return rows.map((row) => ({ ...row, updatedBy: jsonOrNull(row.updatedBy) }));
}

export type KeptFile = {
  readonly kind: FileKind;
  readonly name: string;
  readonly record: string;
  readonly savedAt: string;
  readonly appliedAt: string;
};

export function keptFiles(reader: Reader, workspace: number): Promise<KeptFile[]> {
  return reader.all`
    select kind, name, record, saved_at as "savedAt", applied_at as "appliedAt"
    from kept_files where workspace = ${workspace}`;
}

type NewKeptFile = Pick<KeptFile, "kind" | "name" | "record" | "savedAt">;

/** Replaces the object that files of this name kept before. */
export function keep(tx: Tx, workspace: number, { kind, name, record, savedAt }: NewKeptFile): Promise<number> {
  return tx.run`
    insert into kept_files (workspace, kind, name, record, saved_at, applied_at)
    values (${workspace}, ${kind}, ${name}, ${record}, ${savedAt}, ${tx.now})
    on conflict (workspace, kind, name) do update
      set record = ${record}, saved_at = ${savedAt}, applied_at = ${tx.now}`;
}

export function keepNoMore(tx: Tx, workspace: number, { kind, name }: Pick<KeptFile, "kind" | "name">) {
  return tx.run`delete from kept_files where workspace = ${workspace} and kind = ${kind} and name = ${name}`;
}

/** How many people are inside a workflow. */
export async function countInside(reader: Reader, workspace: number, id: string): Promise<number> {
  const row = await reader.get<{ inside: number }>`
    select count(*) as inside from executions
    where workflow = (select seq from workflows where workspace = ${workspace} and id = ${id})
      and status in ('RUNNING', 'WAITING')`;
  return row?.inside ?? 0;
}
