// The images that a text names: they cannot be deleted while it does.
import type { Tx } from "../../store/store.ts";
import { deleteUses, insertUses, type ImageUser } from "./queries.ts";

const MOST_NAMED = 500;

/** `isNew`: the user has no recorded uses yet. */
type ImageUse = ImageUser & { readonly workspace: number; readonly isNew?: boolean };

/** Records the images that `user` names. A name composed by variables is not recognized. */
export async function noteImages(
  tx: Tx,
  { workspace, isNew = false, ...user }: ImageUse,
  texts: readonly (string | null | undefined)[],
): Promise<void> {
  const hashes = hashesIn(texts);
  if (!isNew) await deleteUses(tx, user);
  if (hashes.length > 0) await insertUses(tx, workspace, user, hashes);
}

/** False: the text names no image of ours. */
export function namesImages(text: string): boolean {
  return text.includes("/i/");
}

function hashesIn(texts: readonly (string | null | undefined)[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    if (!text || !namesImages(text)) continue;
    for (const [, hash = ""] of text.matchAll(/\/i\/([0-9a-f]{40})\.(?:png|jpg|gif|webp)/g)) {
      if (found.size === MOST_NAMED) return [...found];
      found.add(hash);
    }
  }
  return [...found];
}
