// Images: pictures of a workspace under public addresses, for its mails.
import { AppError, invalidField, limitReached } from "../../base/errors.ts";
import { fromBase64 } from "../../http/body/base64.ts";
import { newId, sha256Hex } from "../../base/ids.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { lockWorkspace } from "../../tenant/workspaces/queries.ts";
import type { ImageFile } from "./prepare.ts";
import { deleteImage, imageById, imageWithHash, insertImage, stockOf, type Image } from "./queries.ts";

export const MOST_IMAGES = 2_000;
export const MOST_BYTES = 500 * 1024 * 1024;
const HASH_CHARS = 40;

/** @throws AppError VALIDATION_ERROR for content that is not base64 */
export function bytesIn(content: string): Uint8Array {
  const bytes = fromBase64(content);
  if (!bytes || bytes.length === 0) throw invalidField("content", "The content is not base64.", "invalid_base64");
  return bytes;
}

/**
 * Stores the image under an address derived from its bytes. The same image again answers the stored one.
 * @throws AppError CONFLICT if the workspace has the most images allowed
 */
export async function keepImage(
  tx: Tx,
  caller: Pick<Caller, "workspace" | "workspaceId" | "by">,
  name: string,
  picture: ImageFile,
): Promise<Image> {
  const { workspace, workspaceId, by: createdBy } = caller;
  const { bytes, ...described } = picture;
  // Includes the workspace, so that an address does not reveal whether another workspace has the same image.
  const hash = sha256Hex(`${workspaceId} ${Bun.CryptoHasher.hash("sha256", bytes, "hex")}`).slice(0, HASH_CHARS);
  await lockWorkspace(tx, workspace);
  const known = await imageWithHash(tx, workspace, hash);
  if (known) return known;
  refuseFull(await stockOf(tx, workspace), bytes.length);
  const id = newId(tx.nowMs);
  return insertImage(tx, { id, workspace, hash, name, ...described, size: bytes.length, createdBy, bytes });
}

/** @throws AppError IMAGE_NOT_FOUND, also for another workspace's image */
export async function findImage(reader: Reader, workspace: number, id: string): Promise<Image> {
  const image = await imageById(reader, workspace, id);
  if (!image) throw new AppError("IMAGE_NOT_FOUND", `There is no image ${id}.`);
  return image;
}

/** @throws AppError IMAGE_NOT_FOUND, CONFLICT while it is used; ConstraintError `foreignKey` if a use begins now */
export async function removeImage(tx: Tx, workspace: number, id: string): Promise<Image> {
  const image = await findImage(tx, workspace, id);
  if (image.isUsed)
    throw new AppError("CONFLICT", "An email, template, campaign, version, block or the brand names this image.", {
      reason: "image_in_use",
      suggestion: "Who has the email would no longer see it. It can go once nothing names it.",
    });
  await deleteImage(tx, image.seq);
  return image;
}

function refuseFull({ images, bytes }: { readonly images: number; readonly bytes: number }, more: number): void {
  if (images < MOST_IMAGES && bytes + more <= MOST_BYTES) return;
  throw limitReached(
    "images",
    MOST_IMAGES,
    `A workspace has at most ${MOST_IMAGES} images of ${MOST_BYTES / 1024 / 1024} MB in all.`,
    "Delete images that nothing names: GET /images says which, in isUsed.",
  );
}
