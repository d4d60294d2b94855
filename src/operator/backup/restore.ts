// Restores an installation from a backup. The former files are moved aside, never deleted.
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { iso, type Clock } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { momentOf } from "../../base/moments.ts";
import { giveToOwnerOf, refuseWithoutRoom, syncDirectory } from "../../base/private-files.ts";
import { keyFile, keyText, loadSecrets } from "../../base/secrets.ts";
import { migrateStore } from "../../store/copy/migrate-store.ts";
import type { CopyStep } from "../../store/copy/table.ts";
import { fingerprintOf } from "../../store/installation.ts";
import { databaseFile } from "../../store/open.ts";
import { lockFile } from "../../store/sqlite/connection.ts";
import { bringUpToDate, examined } from "../../store/sqlite/snapshot.ts";
import { unpacked, type Opener } from "./archive.ts";
import { FORMAT, type Manifest } from "./contents.ts";
import { CERTIFICATE, DATABASE, jsonPart, KEY, MANIFEST, UnreadableArchive } from "./parts.ts";
import { workFolder } from "./work-folder.ts";

export type Restore = {
  readonly config: Config;
  readonly clock: Clock;
  readonly opener: Opener;
  /** False = queued mail is not held until `posthorn release`. */
  readonly isHeld?: boolean;
  /** Into PostgreSQL: the progress of the copy. */
  readonly onStep?: (step: CopyStep) => void;
};

/** `aside`: the folder with the former files; null = there were none. */
export type RestoreResult = { readonly manifest: Manifest; readonly aside: string | null };

const NEEDED = [MANIFEST, KEY, DATABASE];
/** All that an installation is made of. */
export const PARTS: readonly string[] = [...NEEDED, ...CERTIFICATE];

type FolderFiller = (folder: string) => Promise<unknown>;

/**
 * Restores a backup to the place that the configuration names: the SQLite file and the data directory, or an empty
 * PostgreSQL database. All of it is unpacked and checked before anything is changed. Queued mail is held until
 * `posthorn release`. The backup is opened only once the restore is allowed: an unread stream would have no reader to
 * report its fault to.
 * @throws UnreadableArchive, NewerStoreError, or Error in plain words
 */
export async function restore(wanted: Restore, open: () => Readable): Promise<RestoreResult> {
  return restoreFrom(wanted, (folder) => unpacked(open(), wanted.opener, { folder, wanted: PARTS }));
}

/** As `restore`; `fill` puts the parts into an empty folder. */
export async function restoreFrom(wanted: Restore, fill: FolderFiller): Promise<RestoreResult> {
  return whileStopped(wanted.config, async (parent) => {
    const folder = workFolder(parent, "restore");
    try {
      await fill(folder);
      return await putInPlace(wanted, folder, manifestToRestore(wanted.config, folder));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/** `work` gets the folder that the database is in, or the data directory. @throws Error while a server runs on them */
export async function whileStopped<Done>(config: Config, work: (parent: string) => Promise<Done>): Promise<Done> {
  const database = databaseFile(config);
  const parent = database === null ? config.data.dir : dirname(database);
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  const unlock = database === null ? () => {} : locked(database);
  try {
    return await work(parent);
  } finally {
    unlock();
    if (database !== null) giveToOwnerOf(config.data.dir, [`${database}.lock`]);
  }
}

function locked(database: string): () => void {
  const unlock = lockFile(`${database}.lock`);
  if (unlock) return unlock;
  throw new Error(`A Posthorn is running on ${database}. Stop it first: a backup replaces what it works on.`);
}

/**
 * Reads the manifest of a folder that holds all parts of an installation, which belong together and can be used here.
 * @throws UnreadableArchive, NewerStoreError, or Error in plain words
 */
export function manifestToRestore(config: Config, folder: string): Manifest {
  const missing = NEEDED.find((name) => !existsSync(join(folder, name)));
  if (missing !== undefined) throw new UnreadableArchive(`It is no backup of Posthorn: it has no ${missing}.`);
  const manifest = manifestIn(folder);
  const { fingerprint } = examined(join(folder, DATABASE));
  refuseOtherKey(config, readFileSync(join(folder, KEY), "utf8"));
  if (fingerprint !== null) refuseForeignKey(folder, fingerprint);
  refuseWithoutRoomAside(config);
  // A stream brings more than its snapshot had.
  return { ...manifest, databaseBytes: statSync(join(folder, DATABASE)).size };
}

/**
 * Moves the parts of a folder that was checked to where the configuration has them; the database becomes that of this
 * version.
 */
export async function putInPlace(wanted: Restore, folder: string, manifest: Manifest): Promise<RestoreResult> {
  const { config, clock, isHeld = true } = wanted;
  bringUpToDate(join(folder, DATABASE), iso(clock.nowMs()), isHeld);
  const database = databaseFile(config);
  const aside = database === null ? await intoServer(wanted, folder) : intoFiles(wanted, folder, database);
  return { manifest, aside };
}

/** @throws UnreadableArchive if the manifest is not of this version */
export function manifestIn(folder: string): Manifest {
  const manifest = jsonPart(MANIFEST, readFileSync(join(folder, MANIFEST), "utf8")) as Manifest | null;
  if (typeof manifest?.format === "number" && manifest.format > FORMAT)
    throw new UnreadableArchive("A newer Posthorn has made it. Restore it with that one.");
  if (manifest?.format === FORMAT && momentOf(String(manifest.madeAt)) !== null) return manifest;
  throw new UnreadableArchive(`It is no backup of Posthorn: its ${MANIFEST} is not one.`);
}

/** The key of the configuration would be used, and could not read the store. */
function refuseOtherKey({ secrets, data }: Config, key: string): void {
  if (secrets.key === null || keyText(secrets.key, data.dir) === key) return;
  throw new Error(
    "secrets.key in the configuration is not the key of this backup. Leave it out, and the key of the backup is used. Nothing was changed.",
  );
}

/** No server would start on the two. */
function refuseForeignKey(folder: string, fingerprint: string): void {
  let own: string | null = null;
  try {
    own = fingerprintOf(loadSecrets(null, folder));
  } catch {
    // The file holds something other than a key.
  }
  if (own === fingerprint) return;
  throw new UnreadableArchive(`Its ${KEY} is not the key of its database: somebody has put it together anew.`);
}

/** If the database is on another disk, the former one is copied into the data directory. */
function refuseWithoutRoomAside(config: Config): void {
  const database = databaseFile(config);
  const old = database === null ? undefined : statSync(database, { throwIfNoEntry: false });
  mkdirSync(config.data.dir, { recursive: true, mode: 0o700 });
  if (old && old.dev !== statSync(config.data.dir).dev)
    refuseWithoutRoom(config.data.dir, old.size, "The database that is moved aside needs", "Nothing was changed.");
}

async function intoServer({ config, clock, onStep }: Restore, folder: string): Promise<string | null> {
  const from = join(folder, DATABASE);
  const to = config.database.url as string;
  const { tables } = await migrateStore({ from, to, clock, onStep: (step) => onStep?.(step) });
  const different = tables.find(({ difference }) => difference !== null);
  if (different) throw new Error(`The copy in PostgreSQL is not what the backup holds: ${different.difference}.`);
  return moveIn(config, keyOf(config, folder), asideIn(config, clock));
}

function intoFiles({ config, clock }: Restore, folder: string, database: string): string | null {
  const certificate = CERTIFICATE.map((name) => ({ from: join(folder, name), to: join(config.data.dir, name) }));
  const moves = [{ from: join(folder, DATABASE), to: database }, ...keyOf(config, folder), ...certificate];
  return moveIn(config, moves, asideIn(config, clock));
}

type FileMove = { readonly from: string; readonly to: string };

/** A key that is configured stays where it is. */
function keyOf({ secrets, data }: Config, folder: string): readonly FileMove[] {
  return secrets.key === null ? [{ from: join(folder, KEY), to: keyFile(data.dir) }] : [];
}

function asideIn({ data }: Config, clock: Clock): string {
  return join(data.dir, `before-restore-${iso(clock.nowMs()).replaceAll(":", "-")}`);
}

/**
 * The old files go first: if the power fails in between, no start takes half of each. Answers the folder they are in,
 * if any.
 */
function moveIn({ data }: Config, moves: readonly FileMove[], aside: string): string | null {
  const old = moves.flatMap(({ to }) => ["", "-wal", "-shm"].map((end) => to + end)).filter((path) => existsSync(path));
  if (old.length > 0) mkdirSync(aside, { recursive: true, mode: 0o700 });
  for (const path of old) moveFile(path, join(aside, basename(path)));
  for (const { from, to } of moves) if (existsSync(from)) moveFile(from, to);
  for (const folder of new Set(moves.map(({ to }) => dirname(resolve(to))))) syncDirectory(folder);
  giveToOwnerOf(data.dir, [...moves.map(({ to }) => to), aside]);
  return old.length > 0 ? aside : null;
}

/** The database and the data directory may be on different disks. */
function moveFile(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as { code?: string }).code !== "EXDEV") throw error;
    cpSync(from, to);
    rmSync(from);
  }
}
