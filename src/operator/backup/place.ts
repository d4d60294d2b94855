// Where backups are kept: a folder, or a bucket that speaks S3.
import { randomBytes } from "node:crypto";
import {
  createReadStream,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { HOUR_MS, systemClock } from "../../base/clock.ts";
import type { Config } from "../../base/config.ts";
import { isThere } from "../../base/private-files.ts";
import { bucketAt, TooLarge } from "./bucket.ts";

export type BackupPlace = {
  /** Keeps the bytes under a name once all of them are there. @throws Error as the system or the bucket says */
  put(name: string, bytes: Readable): Promise<void>;
  read(name: string): Readable;
  /** As `put`, for bytes that are in memory anyway. */
  putBytes(name: string, bytes: Uint8Array): Promise<void>;
  /** Null: there is nothing of that name. @throws Error if it has more than `most` bytes */
  readBytes(name: string, most: number): Promise<Buffer | null>;
  /**
   * All names, or those that begin with `prefix` and sort after `after`, in order. @throws Error if a bucket has more
   * than `most` names
   */
  names(wanted?: NameQuery): AsyncIterable<string>;
  remove(name: string): Promise<void>;
};

type NameQuery = { readonly prefix?: string; readonly after?: string; readonly most?: number };

const S3_ADDRESS = /^s3:\/\/([^/]+)\/?(.*?)\/?$/;
/** The bytes that the system may hold back from the disk. */
const PART_BYTES = 8 * 1024 * 1024;
/** The names of `writeWhole`. */
const UNFINISHED = /^\..+\.[0-9a-f]{16}\.unfinished$/;
/** The folder may be shared by machines, so only time tells: a backup is written to without a pause. */
const STALE_AFTER_MS = HOUR_MS;

/**
 * The place of `backup.to`, or another: a folder's path or `s3://bucket/prefix`, with the access of the configuration.
 * @throws Error if a bucket is named and there are no credentials for it
 */
export function openPlace(access: Config["backup"], to = access.to as string): BackupPlace {
  const [, bucket, prefix] = S3_ADDRESS.exec(to) ?? [];
  return bucket === undefined ? folderAt(to) : bucketAt(access, bucket, prefix ? `${prefix}/` : "");
}

/** The folder or prefix of an address, and the name in it. */
export function splitAddress(address: string): { readonly to: string; readonly name: string } {
  const at = address.lastIndexOf("/");
  return at < 0 ? { to: ".", name: address } : { to: address.slice(0, at) || "/", name: address.slice(at + 1) };
}

/**
 * Makes room for a backup: removes the half-written files of killed processes, but none that is still being written.
 */
export function removeUnfinished(folder: string): void {
  for (const name of isThere(folder) ? readdirSync(folder) : []) {
    if (!UNFINISHED.test(name)) continue;
    const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (stats?.isFile() && systemClock.nowMs() - stats.mtimeMs > STALE_AFTER_MS)
      rmSync(join(folder, name), { force: true });
  }
}

/** Writes a file that is whole or not there, and that others cannot read. */
export async function writeWhole(bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>, path: string): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString("hex")}.unfinished`);
  try {
    // Never follows a link put there by another user.
    await using file = await open(unfinished, "wx", 0o600);
    await writeInSteps(bytes, file);
    renameSync(unfinished, path);
    await using directory = await open(resolve(dirname(path)), "r");
    await directory.sync();
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/**
 * Written and synced in steps: a commit of the store would have to wait while one sync writes all that others have
 * left.
 */
async function writeInSteps(bytes: Parameters<typeof writeWhole>[0], file: FileHandle): Promise<void> {
  let unsynced = 0;
  for await (const piece of bytes) {
    await file.writeFile(piece);
    unsynced += piece.length;
    if (unsynced < PART_BYTES) continue;
    await file.datasync();
    unsynced = 0;
  }
  await file.sync();
}

function folderAt(folder: string): BackupPlace {
  return {
    put: async (name, bytes) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      removeUnfinished(folder);
      await writeWhole(bytes, join(folder, name));
    },
    read: (name) => createReadStream(join(folder, name)),
    putBytes: async (name, bytes) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      await writeWhole([bytes], join(folder, name));
    },
    readBytes: async (name, most) => {
      const stats = statSync(join(folder, name), { throwIfNoEntry: false });
      if (!stats) return null;
      if (stats.size > most) throw new TooLarge(most);
      return readFileSync(join(folder, name));
    },
    names: async function* ({ prefix = "", after = "" } = {}) {
      const names = isThere(folder) ? readdirSync(folder) : [];
      yield* names.filter((name) => name.startsWith(prefix) && name > after).sort();
    },
    remove: async (name) => rmSync(join(folder, name), { force: true }),
  };
}
