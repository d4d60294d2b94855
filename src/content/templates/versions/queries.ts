// The SQL of versions.
import { flag, jsonOrNull } from "../../../store/columns.ts";
import { sql, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { By } from "../../../tenant/access/caller.ts";

/** The template or campaign of a version. */
export type VersionOwner = { readonly template: number } | { readonly campaign: number };

export type ContentVersion = {
  readonly seq: number;
  readonly id: string;
  /** Counts from 1, for each owner. */
  readonly number: number;
  readonly pinned: boolean;
  readonly savedBy: By | null;
  readonly startedAt: string;
  readonly savedAt: string;
};

const COLUMNS = sql`seq, id, number, pinned, saved_by as "savedBy", begun_at as "startedAt", saved_at as "savedAt"`;

type VersionRow = Omit<ContentVersion, "savedBy" | "pinned"> & {
  readonly savedBy: string | null;
  readonly pinned: 0 | 1;
};

function versionOf(row: VersionRow): ContentVersion {
  return { ...row, savedBy: jsonOrNull(row.savedBy), pinned: flag(row.pinned) };
}

function ofOwner(owner: VersionOwner): Sql {
  return "template" in owner ? sql`template = ${owner.template}` : sql`campaign = ${owner.campaign}`;
}

/** Newest first. */
export async function versionsOf(reader: Reader, owner: VersionOwner, most: number): Promise<ContentVersion[]> {
  const rows = await reader.all<VersionRow>`
    select ${COLUMNS} from versions where ${ofOwner(owner)} order by seq desc limit ${most}`;
  return rows.map(versionOf);
}

export async function versionById(reader: Reader, owner: VersionOwner, id: string): Promise<ContentVersion | null> {
  const row = await reader.get<VersionRow>`select ${COLUMNS} from versions where ${ofOwner(owner)} and id = ${id}`;
  return row && versionOf(row);
}

/** The previous version; null = none is kept. */
export async function versionBefore(reader: Reader, owner: VersionOwner, seq: number): Promise<ContentVersion | null> {
  const row = await reader.get<VersionRow>`
    select ${COLUMNS} from versions where ${ofOwner(owner)} and seq < ${seq} order by seq desc limit 1`;
  return row && versionOf(row);
}

export async function contentOfVersion(reader: Reader, seq: number): Promise<Uint8Array | null> {
  const row = await reader.get<{ content: Uint8Array }>`select content from versions where seq = ${seq}`;
  return row?.content ?? null;
}

export async function versionNumbered(reader: Reader, template: number, number: number): Promise<number | null> {
  const row = await reader.get<{ seq: number }>`
    select seq from versions where template = ${template} and number = ${number}`;
  return row?.seq ?? null;
}

/** Pins the version: it is kept unchanged. */
export function pinVersion(tx: Tx, template: number, number: number): Promise<number> {
  return tx.run`update versions set pinned = 1 where template = ${template} and number = ${number} and pinned = 0`;
}

type NewVersion = Omit<ContentVersion, "seq" | "number" | "pinned"> & {
  readonly workspace: number;
  readonly owner: VersionOwner;
  readonly content: Uint8Array;
};

/** Answers the number of the version. */
export async function insertVersion(tx: Tx, { workspace, owner, content, ...version }: NewVersion): Promise<number> {
  const [template, campaign] = "template" in owner ? [owner.template, null] : [null, owner.campaign];
  const row = await tx.get<{ seq: number }>`
    insert into versions (id, workspace, template, campaign, number, saved_by, begun_at, saved_at, content)
    values (${version.id}, ${workspace}, ${template}, ${campaign},
      coalesce((select number from versions where ${ofOwner(owner)} order by seq desc limit 1), 0) + 1, ${version.savedBy && JSON.stringify(version.savedBy)},
      ${version.startedAt}, ${version.savedAt}, ${content})
    returning seq`;
  return (row as { seq: number }).seq;
}

/** Guarded: answers 0 if a call has just pinned the version by naming it. */
export function rewriteVersion(tx: Tx, seq: number, savedAt: string, content: Uint8Array): Promise<number> {
  return tx.run`update versions set saved_at = ${savedAt}, content = ${content} where seq = ${seq} and pinned = 0`;
}

/** Keeps the newest versions, and those that are sent. */
export function deleteOldVersions(
  tx: Tx,
  owner: VersionOwner,
  kept: number,
  published: number | null,
): Promise<number> {
  return tx.run`
    delete from versions where ${ofOwner(owner)} and pinned = 0 and seq <> ${published ?? 0} and seq <= (
      select seq from versions where ${ofOwner(owner)} order by seq desc limit 1 offset ${kept})`;
}
