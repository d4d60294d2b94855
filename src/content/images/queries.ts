// The SQL of images and their uses.
import { jsonOrNull } from "../../store/columns.ts";
import { sqlList, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { By } from "../../tenant/access/caller.ts";

export const IMAGE_TYPES = ["png", "jpg", "gif", "webp"] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** The record without the bytes. */
export type Image = {
  readonly seq: number;
  readonly id: string;
  readonly hash: string;
  readonly name: string;
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly createdBy: By | null;
  readonly createdAt: string;
  /** The image is used. */
  readonly isUsed: boolean;
};

const COLUMNS = sql`seq, id, hash, name, type, width, height, size, created_by as "createdBy", created_at as "createdAt",
  case when exists (select 1 from image_uses where image = images.seq) then 1 else 0 end as "isUsed"`;

type ImageRow = Omit<Image, "createdBy" | "isUsed"> & { readonly createdBy: string | null; readonly isUsed: 0 | 1 };

function imageOf(row: ImageRow): Image {
  return { ...row, createdBy: jsonOrNull(row.createdBy), isUsed: row.isUsed === 1 };
}

type NewImage = Omit<Image, "seq" | "createdAt" | "isUsed"> & {
  readonly workspace: number;
  readonly bytes: Uint8Array;
};

export function insertImage(tx: Tx, { workspace, bytes, ...image }: NewImage): Promise<number> {
  return tx.run`
    insert into images (id, workspace, hash, name, type, width, height, size, created_by, created_at, bytes)
    values (${image.id}, ${workspace}, ${image.hash}, ${image.name}, ${image.type}, ${image.width}, ${image.height},
      ${image.size}, ${image.createdBy && JSON.stringify(image.createdBy)}, ${tx.now}, ${bytes})`;
}

export async function imageWithHash(reader: Reader, workspace: number, hash: string): Promise<Image | null> {
  const row =
    await reader.get<ImageRow>`select ${COLUMNS} from images where hash = ${hash} and workspace = ${workspace}`;
  return row && imageOf(row);
}

export async function imageById(reader: Reader, workspace: number, id: string): Promise<Image | null> {
  const row = await reader.get<ImageRow>`select ${COLUMNS} from images where id = ${id} and workspace = ${workspace}`;
  return row && imageOf(row);
}

/** Newest first. */
export async function imagesPage(reader: Reader, workspace: number, limit: number, offset: number): Promise<Image[]> {
  const rows = await reader.all<ImageRow>`
    select ${COLUMNS} from images where workspace = ${workspace} order by seq desc limit ${limit} offset ${offset}`;
  return rows.map(imageOf);
}

type Stock = { readonly images: number; readonly bytes: number };

export async function stockOf(reader: Reader, workspace: number): Promise<Stock> {
  const row = await reader.get<Stock>`
    select count(*) as images, cast(coalesce(sum(size), 0) as bigint) as bytes from images where workspace = ${workspace}`;
  return row ?? { images: 0, bytes: 0 };
}

export type ImageBytes = { readonly workspace: number; readonly bytes: Uint8Array };

/** The workspace's id and the bytes, for any caller: the address is public. */
export function bytesOf(reader: Reader, hash: string, type: ImageType): Promise<ImageBytes | null> {
  return reader.get<ImageBytes>`select workspace, bytes from images where hash = ${hash} and type = ${type}`;
}

/** @throws ConstraintError `foreignKey` while the image is used */
export function deleteImage(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from images where seq = ${seq}`;
}

/** Deletes some of a workspace's images regardless of their uses; answers how many. */
export async function deleteImagesOf(tx: Tx, workspace: number, most: number): Promise<number> {
  const some = sql`(select seq from images where workspace = ${workspace} order by seq limit ${most})`;
  await tx.run`delete from image_uses where image in ${some}`;
  return tx.run`delete from images where seq in ${some}`;
}

const COLUMN_OF = {
  template: sql`template`,
  campaign: sql`campaign`,
  version: sql`version`,
  content: sql`content`,
  block: sql`block`,
  brand: sql`brand`,
};

/** An object whose texts name images. */
export type ImageUser = { readonly kind: keyof typeof COLUMN_OF; readonly seq: number };

export function deleteUses(tx: Tx, { kind, seq }: ImageUser): Promise<number> {
  return tx.run`delete from image_uses where ${COLUMN_OF[kind]} = ${seq}`;
}

/**
 * Records uses of the workspace's images; hashes without an image are skipped. The images cannot be deleted until this
 * transaction ends, nor while they are used.
 */
export async function insertUses(tx: Tx, workspace: number, user: ImageUser, hashes: readonly string[]): Promise<void> {
  const { kind, seq } = user;
  const found = await tx.all<{ seq: number }>`
    select seq from images where workspace = ${workspace} and hash in (${sqlList(hashes)}) order by seq${tx.dialect.forReference}`;
  for (const { seq: image } of found)
    await tx.run`insert into image_uses (image, ${COLUMN_OF[kind]}) values (${image}, ${seq})`;
}
