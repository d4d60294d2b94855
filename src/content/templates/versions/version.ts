// Versions: the content of a template or campaign after each change, saved in the transaction of the change. Saves by
// one person within a few minutes are one version, since an editor saves every few seconds, in the middle of a word.
// Each change by a key is its own version, since programs name the versions that they create.
import { iso, MINUTE_MS } from "../../../base/clock.ts";
import { AppError } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import { json } from "../../../store/columns.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { noteImages } from "../../images/uses.ts";
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";
import { asInput, textsOf, writtenIn, type ContentFields } from "../written.ts";
import * as queries from "./queries.ts";
import type { VersionOwner, ContentVersion } from "./queries.ts";

export const MOST_VERSIONS = 50;
const ONE_VERSION_MS = 5 * MINUTE_MS;

/** A template or campaign before or after a change. */
type ContentState = ContentFields & { readonly updatedAt: string; readonly updatedBy: ChangeAuthor | null };

/** `isOwn`: the change is its own version, even if the same person saved a moment ago. */
type VersionChange = {
  readonly workspace: number;
  readonly owner: VersionOwner;
  readonly isOwn?: boolean;
  /** The published version, which is kept unchanged. */
  readonly published?: number | null;
};

/** Saves a new version, such as the first one of a template or campaign. */
export async function beginVersions(tx: Tx, { workspace, owner }: VersionChange, saved: ContentState): Promise<void> {
  const { updatedAt: at, updatedBy: savedBy } = saved;
  const version = { id: newId(tx.nowMs), savedBy, startedAt: at, savedAt: at };
  const seq = await queries.insertVersion(tx, { ...version, workspace, owner, content: packed(saved) });
  await noteImages(tx, { workspace, kind: "version", seq, isNew: true }, textsOf(saved));
}

/** Saves a version if the content has changed. */
export async function keepVersion(
  tx: Tx,
  change: VersionChange,
  before: ContentState,
  after: ContentState,
): Promise<void> {
  if (Bun.deepEquals(writtenIn(before), writtenIn(after))) return;
  const { owner, isOwn = false, published = null } = change;
  let [latest] = await queries.versionsOf(tx, owner, 1);
  // The record is older than the feature of versions.
  if (!latest) {
    await beginVersions(tx, change, before);
    [latest] = await queries.versionsOf(tx, owner, 1);
  } else if (
    !isOwn &&
    latest.seq !== published &&
    belongsTo(tx, latest, after) &&
    (await queries.rewriteVersion(tx, latest.seq, after.updatedAt, packed(after))) > 0
  ) {
    await noteImages(tx, { workspace: change.workspace, kind: "version", seq: latest.seq }, textsOf(after));
    return;
  }
  await beginVersions(tx, change, after);
  await queries.deleteOldVersions(tx, owner, MOST_VERSIONS, published);
}

function belongsTo(tx: Tx, { savedBy, startedAt, pinned }: ContentVersion, { updatedBy }: ContentState): boolean {
  if (pinned || savedBy?.kind !== "PERSON" || startedAt <= iso(tx.nowMs - ONE_VERSION_MS)) return false;
  return savedBy.kind === updatedBy?.kind && savedBy.id === updatedBy.id;
}

/** The number of the current version; null = the record predates versions, and has not changed since. */
export async function currentVersion(reader: Reader, owner: VersionOwner): Promise<number | null> {
  const [latest] = await queries.versionsOf(reader, owner, 1);
  return latest?.number ?? null;
}

/** @throws AppError VERSION_NOT_FOUND */
export async function findVersion(reader: Reader, owner: VersionOwner, id: string): Promise<ContentVersion> {
  const version = await queries.versionById(reader, owner, id);
  if (!version)
    throw new AppError("VERSION_NOT_FOUND", `There is no version ${id}: the last ${MOST_VERSIONS} are kept.`);
  return version;
}

/** @throws AppError VERSION_NOT_FOUND if it has just been deleted */
export async function contentOfVersion(reader: Reader, { seq, id }: ContentVersion): Promise<ContentFields> {
  const content = await writtenInVersion(reader, seq);
  if (!content) throw new AppError("VERSION_NOT_FOUND", `There is no version ${id} any more.`);
  return content;
}

/** Null = it has been deleted. */
export async function writtenInVersion(reader: Reader, seq: number): Promise<ContentFields | null> {
  const content = await queries.contentOfVersion(reader, seq);
  return content && json(new TextDecoder().decode(Bun.zstdDecompressSync(content)));
}

function packed(saved: ContentState): Uint8Array {
  return Bun.zstdCompressSync(JSON.stringify(writtenIn(saved)));
}

/** The names of the fields that differ, as in the API. */
export function changedFields(one: ContentFields, other: ContentFields): string[] {
  const [before, after] = [asInput(one), asInput(other)] as const;
  const names = Object.keys(after) as (keyof typeof after)[];
  return names.filter((name) => !Bun.deepEquals(before[name], after[name]));
}
