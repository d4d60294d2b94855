// The SQL of images and their uses.
import { column, TableRows, type RowOf } from "../../store/columns.ts";
import { sqlList, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { ChangeAuthor } from "../../tenant/access/caller.ts";

export const IMAGE_TYPES = ["png", "jpg", "gif", "webp"] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

const ROWS = new TableRows("images", {
  seq: column.number(),
  id: column.text(),
  hash: column.text(),
  name: column.text(),
  type: column.oneOf<ImageType>(),
  width: column.number(),
  height: column.number(),
  size: column.number(),
  createdBy: column.orNull(column.json<ChangeAuthor>()),
  createdAt: column.text(),
  isUsed: column.computed(
    "case when exists (select 1 from image_uses where image = images.seq) then 1 else 0 end",
    column.flag(),
  ),
});

/** The record without the bytes. */
export type Image = RowOf<typeof ROWS>;

type NewImage = Omit<Image, "seq" | "createdAt" | "isUsed"> & {
  readonly workspace: number;
  readonly bytes: Uint8Array;
};

export function insertImage(tx: Tx, { workspace, bytes, ...image }: NewImage): Promise<Image> {
  return ROWS.insert(tx, { ...image, createdAt: tx.now }, { workspace, bytes });
}

export function imageWithHash(reader: Reader, workspace: number, hash: string): Promise<Image | null> {
  return ROWS.get(reader, sql`where hash = ${hash} and workspace = ${workspace}`);
}

export function imageById(reader: Reader, workspace: number, id: string): Promise<Image | null> {
  return ROWS.get(reader, sql`where id = ${id} and workspace = ${workspace}`);
}

/** Newest first. */
export function imagesPage(reader: Reader, workspace: number, limit: number, offset: number): Promise<Image[]> {
  return ROWS.all(reader, sql`where workspace = ${workspace} order by seq desc limit ${limit} offset ${offset}`);
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
