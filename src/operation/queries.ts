// The SQL of whether the store can be used.
import type { Reader, Tx } from "../store/store.ts";

export async function hasWorkspace(reader: Reader): Promise<boolean> {
  return (await reader.get`select 1 as there from workspaces limit 1`) !== null;
}

/** Changes nothing, and yet has to reach the disk: the smallest write there is. */
export function touchInstallation(tx: Tx): Promise<number> {
  return tx.run`update installation set key_fingerprint = key_fingerprint where one = 1`;
}
