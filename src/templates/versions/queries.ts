// The SQL of versions.
import { jsonOrNull } from "../../store/columns.ts";
import { sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { By } from "../../access/caller.ts";

/** Whose versions. */
export type Owner = { readonly template: number } | { readonly campaign: number };

export type Version = {
  readonly seq: number;
  readonly id: string;
  readonly savedBy: By | null;
  readonly startedAt: string;
  readonly savedAt: string;
};

const COLUMNS = sql`seq, id, saved_by as "savedBy", begun_at as "startedAt", saved_at as "savedAt"`;

type VersionRow = Omit<Version, "savedBy"> & { readonly savedBy: string | null };

function versionOf(row: VersionRow): Version {
  return { ...row, savedBy: jsonOrNull(row.savedBy) };
}

function ofOwner(owner: Owner): Sql {
  return "template" in owner ? sql`template = ${owner.template}` : sql`campaign = ${owner.campaign}`;
}

/** Newest first. */
export async function versionsOf(reader: Reader, owner: Owner, most: number): Promise<Version[]> {
  const rows = await reader.all<VersionRow>`
    select ${COLUMNS} from versions where ${ofOwner(owner)} order by seq desc limit ${most}`;
  return rows.map(versionOf);
}

export async function versionById(reader: Reader, owner: Owner, id: string): Promise<Version | null> {
  const row = await reader.get<VersionRow>`select ${COLUMNS} from versions where ${ofOwner(owner)} and id = ${id}`;
  return row && versionOf(row);
}

/** The one that it came after; null = none is kept. */
export async function versionBefore(reader: Reader, owner: Owner, seq: number): Promise<Version | null> {
  const row = await reader.get<VersionRow>`
    select ${COLUMNS} from versions where ${ofOwner(owner)} and seq < ${seq} order by seq desc limit 1`;
  return row && versionOf(row);
}

export async function contentOfVersion(reader: Reader, seq: number): Promise<Uint8Array | null> {
  const row = await reader.get<{ content: Uint8Array }>`select content from versions where seq = ${seq}`;
  return row?.content ?? null;
}

type NewVersion = Omit<Version, "seq"> & {
  readonly workspace: number;
  readonly owner: Owner;
  readonly content: Uint8Array;
};

/** Answers its number. */
export async function insertVersion(tx: Tx, { workspace, owner, content, ...version }: NewVersion): Promise<number> {
  const [template, campaign] = "template" in owner ? [owner.template, null] : [null, owner.campaign];
  const row = await tx.get<{ seq: number }>`
    insert into versions (id, workspace, template, campaign, saved_by, begun_at, saved_at, content)
    values (${version.id}, ${workspace}, ${template}, ${campaign}, ${version.savedBy && JSON.stringify(version.savedBy)},
      ${version.startedAt}, ${version.savedAt}, ${content})
    returning seq`;
  return (row as { seq: number }).seq;
}

export function rewriteVersion(tx: Tx, seq: number, savedAt: string, content: Uint8Array): Promise<number> {
  return tx.run`update versions set saved_at = ${savedAt}, content = ${content} where seq = ${seq}`;
}

/** All but the newest. */
export function deleteOldVersions(tx: Tx, owner: Owner, kept: number): Promise<number> {
  return tx.run`
    delete from versions where ${ofOwner(owner)} and seq <= (
      select seq from versions where ${ofOwner(owner)} order by seq desc limit 1 offset ${kept})`;
}
