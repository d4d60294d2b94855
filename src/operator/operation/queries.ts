// The SQL of the store's usability.
import type { Reader, Tx } from "../../store/store.ts";

export async function hasWorkspace(reader: Reader): Promise<boolean> {
  return (await reader.get`select 1 as there from workspaces limit 1`) !== null;
}

/**
 * Has to reach the disk, and leaves nothing behind. There and back: SQLite writes no page that a statement leaves as it
 * was.
 */
export async function touchInstallation(tx: Tx): Promise<number> {
  await tx.run`update installation set key_fingerprint = key_fingerprint || ' ' where one = 1`;
  return tx.run`update installation set key_fingerprint = rtrim(key_fingerprint) where one = 1`;
}
