// The SQL of what is known of the installation as a whole.
import type { Reader, Tx } from "../store/store.ts";

type InstallationRow = { readonly key_fingerprint: string };

/** Null = the store has not been used yet, or by a Posthorn that kept none. */
export function installationOf(reader: Reader): Promise<InstallationRow | null> {
  return reader.get<InstallationRow>`select key_fingerprint from installation where one = 1`;
}

/** The first that comes stays. */
export function insertFingerprint(tx: Tx, fingerprint: string): Promise<number> {
  return tx.run`insert into installation (one, key_fingerprint) values (1, ${fingerprint}) on conflict (one) do nothing`;
}

/** Something that the installation's key can read; null = there are no workspaces. */
export async function anyEncrypted(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ private_key: string }>`
    select private_key from domain_keys where private_key <> '' order by seq limit 1`;
  if (row) return row.private_key;
  const workspace = await reader.get<{ webhook_secret: string | null }>`
    select webhook_secret from workspaces order by seq limit 1`;
  return workspace && (workspace.webhook_secret ?? "");
}
