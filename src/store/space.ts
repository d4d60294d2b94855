// The disk space that the store takes, and the free space.
import { statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Config } from "../base/config.ts";
import { databaseFile } from "./open.ts";
import type { Reader } from "./store.ts";

export type Space = { readonly path: string; readonly freeBytes: number | null; readonly totalBytes: number | null };

/**
 * `log`: the log beside the file; 0 if the log is the server's own. `space`: that of the file's disk; null = it is on a
 * server.
 */
export type StoreSize = { readonly database: number; readonly log: number; readonly space: Space | null };

export async function storeSize(reader: Reader, config: Config): Promise<StoreSize> {
  const file = databaseFile(config);
  if (file === null) return { database: await databaseBytes(reader), log: 0, space: null };
  return { database: bytesOf(file), log: bytesOf(`${file}-wal`), space: storeSpace(config) };
}

/** The space of the file's disk; null = the database is on a server. */
export function storeSpace(config: Config): Space | null {
  const file = databaseFile(config);
  return file === null ? null : spaceOf(dirname(file));
}

async function databaseBytes(reader: Reader): Promise<number> {
  const row = await reader.get<{ bytes: number }>`select pg_database_size(current_database()) as bytes`;
  return row?.bytes ?? 0;
}

function bytesOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Some file systems do not report their space. */
export function spaceOf(place: string): Space {
  const path = resolve(place);
  try {
    const { bsize, bavail, blocks } = statfsSync(path);
    return { path, freeBytes: bsize * bavail, totalBytes: bsize * blocks };
  } catch {
    return { path, freeBytes: null, totalBytes: null };
  }
}

const LEAST_FREE_BYTES = 1_000_000_000;
const LEAST_FREE_SHARE = 0.05;
/** On a small disk, a gigabyte may be most of it. */
const SMALL_DISK_SHARE = 0.25;

export function isShort({ freeBytes, totalBytes }: Space): boolean {
  if (freeBytes === null || totalBytes === null) return false;
  const share = freeBytes / totalBytes;
  return share < LEAST_FREE_SHARE || (freeBytes < LEAST_FREE_BYTES && share < SMALL_DISK_SHARE);
}
