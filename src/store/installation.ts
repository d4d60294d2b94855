// The installation of a store. Above all its key: no other key reads what it has encrypted. The store has a
// fingerprint of the key: a process with another key does not start, and a key is created only for an unused store.
import { statSync } from "node:fs";
import type { Config } from "../base/config.ts";
import type { Log } from "../base/log.ts";
import { keepPrivate } from "../base/private-files.ts";
import { keyFile, loadSecrets, makeKey, RESTORE, type Secrets } from "../base/secrets.ts";
import type { Reader, Store, Tx } from "./store.ts";

/**
 * The installation's key. The first key used with a store is its key for good; if neither the configuration nor the
 * data directory has one by then, it is created. From here on the store hashes with it. @throws Error if the key is
 * missing or is not the store's
 */
export async function openSecrets(store: Store, config: Pick<Config, "secrets" | "data">, log: Log): Promise<Secrets> {
  const known = await store.read(fingerprintIn);
  if (config.secrets.key === null && known === null) makeKey(config.data.dir);
  const secrets = loadSecrets(config.secrets.key, config.data.dir);
  if (config.secrets.key === null) closeToReaders(keyFile(config.data.dir), log);
  const fingerprint = fingerprintOf(secrets);
  if (known === null) await store.write((tx) => keepFirst(tx, fingerprint));
  if ((known ?? (await store.read(fingerprintIn))) !== fingerprint) throw otherKey(config);
  store.useKey({
    keyedHash: (text) => secrets.sign("address", Buffer.from(text), 16).toString("hex"),
    signature: (use, bytes) => secrets.signer(use).sign(bytes),
  });
  return secrets;
}

/** The fingerprint of the key in its store. */
export function fingerprintOf(secrets: Secrets): string {
  return secrets.sign("fingerprint", Buffer.alloc(0), 16).toString("hex");
}

/** Null: the store has not been used yet. */
async function fingerprintIn(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ readonly key: string }>`select key_fingerprint as key from installation where one = 1`;
  return row?.key ?? null;
}

function keepFirst(tx: Tx, fingerprint: string): Promise<number> {
  return tx.run`insert into installation (one, key_fingerprint) values (1, ${fingerprint}) on conflict (one) do nothing`;
}

/** The executable that a rollback names as the one to go back to. */
export async function noteServer(store: Store, servedBy: string): Promise<void> {
  await store.write(
    (tx) => tx.run`update installation set served_by = ${servedBy} where served_by is null or served_by <> ${servedBy}`,
  );
}

function otherKey({ secrets, data }: Pick<Config, "secrets" | "data">): Error {
  const key = secrets.key === null ? `The key in ${keyFile(data.dir)}` : "secrets.key";
  return new Error(
    `${key} is not the key of this installation: the database was used with another key and contains secrets that only that one can read. ${RESTORE}`,
  );
}

/** Logged even if the file could be closed: only a person can judge whether it has been read. */
function closeToReaders(path: string, log: Log): void {
  const mode = (statSync(path).mode & 0o777).toString(8);
  if (mode.endsWith("00")) return;
  const said = keepPrivate(path)
    ? "could read the installation's key; it is chmod 600 now"
    : "can read the installation's key: chmod 600";
  log.warn(`others on this machine ${said}`, { path, mode });
}

/** When the rules for ways were saved last. `by`: JSON of the editor; null = none. */
export type SavedRules = { readonly at: string | null; readonly by: string | null };

export async function savedRules(reader: Reader): Promise<SavedRules> {
  const row = await reader.get<SavedRules>`
    select rules_saved_at as at, rules_saved_by as by from installation where one = 1`;
  return row ?? { at: null, by: null };
}

/** Serializes changes of the rules for ways. */
export async function lockRules(tx: Tx): Promise<void> {
  await tx.get`select one from installation where one = 1${tx.dialect.forUpdate}`;
}

export async function noteRulesSaved(tx: Tx, { at, by }: SavedRules): Promise<void> {
  await tx.run`update installation set rules_saved_at = ${at}, rules_saved_by = ${by} where one = 1`;
}

/** From when all users need a second factor to sign in; null = it is not required. */
export async function secondFactorFrom(reader: Reader): Promise<string | null> {
  const row = await reader.get<{ readonly at: string | null }>`
    select second_factor_from as at from installation where one = 1`;
  return row?.at ?? null;
}

export async function setSecondFactorFrom(tx: Tx, at: string | null): Promise<void> {
  await tx.run`update installation set second_factor_from = ${at} where one = 1`;
}

/** When the first message came to a return path. */
export function noteReturned(tx: Tx): Promise<number> {
  return tx.run`update installation set returned_at = ${tx.now} where one = 1 and returned_at is null`;
}

/**
 * Has to reach the disk, and leaves nothing behind. There and back: SQLite writes no page that a statement leaves as it
 * was.
 */
export async function touchInstallation(tx: Tx): Promise<number> {
  await tx.run`update installation set key_fingerprint = key_fingerprint || ' ' where one = 1`;
  return tx.run`update installation set key_fingerprint = rtrim(key_fingerprint) where one = 1`;
}
