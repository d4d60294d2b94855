// The SQL of versions.
import { column, TableRows, type RowOf } from "../../../store/columns.ts";
import { sql, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";

/** The template or campaign of a version. */
export type VersionOwner = { readonly template: number } | { readonly campaign: number };

const ROWS = new TableRows("versions", {
  seq: column.number(),
  id: column.text(),
  /** Counts from 1, for each owner. */
  number: column.number(),
  pinned: column.flag(),
  savedBy: column.orNull(column.json<ChangeAuthor>()),
  startedAt: column.text(),
  savedAt: column.text(),
});

export type ContentVersion = RowOf<typeof ROWS>;

function ofOwner(owner: VersionOwner): Sql {
  return "template" in owner ? sql`template = ${owner.template}` : sql`campaign = ${owner.campaign}`;
}

/** Newest first. */
export function versionsOf(reader: Reader, owner: VersionOwner, most: number): Promise<ContentVersion[]> {
  return ROWS.all(reader, sql`where ${ofOwner(owner)} order by seq desc limit ${most}`);
}

export function versionById(reader: Reader, owner: VersionOwner, id: string): Promise<ContentVersion | null> {
  return ROWS.get(reader, sql`where ${ofOwner(owner)} and id = ${id}`);
}

/** The previous version; null = none is kept. */
export function versionBefore(reader: Reader, owner: VersionOwner, seq: number): Promise<ContentVersion | null> {
  return ROWS.get(reader, sql`where ${ofOwner(owner)} and seq < ${seq} order by seq desc limit 1`);
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
    insert into versions (id, workspace, template, campaign, number, saved_by, started_at, saved_at, content)
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
