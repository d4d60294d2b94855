// The installation's key and its store belong together: what one has encrypted, the key of another cannot read.
import { statSync } from "node:fs";
import type { Config } from "../config.ts";
import type { Log } from "../log.ts";
import { keepPrivate } from "../private-files.ts";
import { keyFile, loadSecrets, makeKey, RESTORE, type Secrets } from "../secrets.ts";
import type { Store } from "../store/store.ts";
import { anyEncrypted, insertFingerprint, installationOf } from "./installation-queries.ts";

/**
 * The installation's key, if it is the store's: the first one that comes to a store is, and if the configuration has none,
 * it is made for that. The store hashes with it from here on. @throws Error if the key is missing, or is another one
 */
export async function openSecrets(store: Store, config: Pick<Config, "secrets" | "data">, log: Log): Promise<Secrets> {
  const known = await store.read(installationOf);
  const encrypted = known ? null : await store.read(anyEncrypted);
  if (config.secrets.key === null && known === null && encrypted === null) makeKey(config.data.dir);
  const secrets = loadSecrets(config.secrets.key, config.data.dir);
  if (config.secrets.key === null) closeToReaders(keyFile(config.data.dir), log);
  const fingerprint = fingerprintOf(secrets);
  // A store from before there were fingerprints tells by what is in it.
  if (encrypted && !canRead(secrets, encrypted)) throw otherKey(config);
  if (known === null) await store.write((tx) => insertFingerprint(tx, fingerprint));
  const kept = known ?? (await store.read(installationOf));
  if (kept?.key_fingerprint !== fingerprint) throw otherKey(config);
  store.useKeyedHash((text) => secrets.sign("address", Buffer.from(text), 16).toString("hex"));
  return secrets;
}

function fingerprintOf(secrets: Secrets): string {
  return secrets.sign("fingerprint", Buffer.alloc(0), 16).toString("hex");
}

function canRead(secrets: Secrets, encrypted: string): boolean {
  try {
    return secrets.decrypt(encrypted) !== "";
  } catch {
    return false;
  }
}

function otherKey({ secrets, data }: Pick<Config, "secrets" | "data">): Error {
  const key = secrets.key === null ? `The key in ${keyFile(data.dir)}` : "secrets.key";
  return new Error(
    `${key} is not the key of this installation: the database was used with another, and holds what only that can read. ${RESTORE}`,
  );
}

/** Logged even when it could be closed: only a person can judge whether somebody has read it. */
function closeToReaders(path: string, log: Log): void {
  const mode = (statSync(path).mode & 0o777).toString(8);
  if (mode.endsWith("00")) return;
  const said = keepPrivate(path)
    ? "could read the installation's key; it is chmod 600 now"
    : "can read the installation's key: chmod 600";
  log.warn(`others on this machine ${said}`, { path, mode });
}
