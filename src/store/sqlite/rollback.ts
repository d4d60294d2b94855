// The way back from an upgrade: the SQLite file is copied before a migration, and the copy can take its place again.
import { Database } from "bun:sqlite";
import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  fsyncSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { giveToOwnerOf, isThere, keepPrivate, refuseWithoutRoom, syncDirectory } from "../../base/private-files.ts";
import { lockFile } from "./connection.ts";

const SCHEMA = ".schema-";

/**
 * Copies a store of an older schema beside itself, as `<path>.schema-<version>`; the copy of an earlier upgrade is
 * deleted. No other process may serve from it. @throws Error if there is no room for it: nothing was changed
 */
export function keepBeforeMigration(database: Database, path: string, version: number): void {
  const copy = path + SCHEMA + version;
  database.run("pragma wal_checkpoint(truncate)");
  const otherwise = "Nothing was changed. Or make a backup elsewhere and run: posthorn migrate --without-copy.";
  refuseWithoutRoom(
    dirname(path),
    statSync(path).size,
    "The copy of the database before its migration needs",
    otherwise,
  );
  // Verbs beside the server may write otherwise.
  database.run("begin immediate");
  try {
    copyFileSync(path, `${copy}.unfinished`, constants.COPYFILE_FICLONE);
  } finally {
    database.run("rollback");
  }
  keepPrivate(`${copy}.unfinished`);
  syncFile(`${copy}.unfinished`);
  renameSync(`${copy}.unfinished`, copy);
  syncDirectory(dirname(path));
  for (const { path: other } of copiesOf(path)) if (other !== copy) rmSync(other);
}

function syncFile(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}

/** The copies that upgrades have left, the newest schema last. */
function copiesOf(path: string): readonly { path: string; schema: number }[] {
  const start = basename(path) + SCHEMA;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(start) && /^\d+$/.test(name.slice(start.length)))
    .map((name) => ({ path: join(dirname(path), name), schema: Number(name.slice(start.length)) }))
    .sort((a, b) => a.schema - b.schema);
}

/**
 * `servedBy`: version and commit of the executable that served from the copy; null = unknown. `aside`: the folder with
 * the files that were replaced.
 */
export type RollbackResult = { readonly schema: number; readonly servedBy: string | null; readonly aside: string };

/**
 * Puts the copy of the last upgrade in place and holds it (hold.ts), since mail that has left since then is queued in
 * it again. The replaced files are moved aside.
 * @throws Error in plain words if there is no copy, or a server is running
 */
export function rollBack(path: string, now: string): RollbackResult {
  const copy = isThere(dirname(path)) ? copiesOf(path).at(-1) : undefined;
  if (!copy)
    throw new Error(`There is no copy to go back to: ${path}${SCHEMA}… is made when an upgrade changes the schema.`);
  const unlock = lockFile(`${path}.lock`);
  if (!unlock) throw new Error(`A Posthorn is running on ${path}. Stop it first.`);
  try {
    const servedBy = heldCopy(copy.path, now);
    const aside = join(dirname(path), `before-rollback-${now.replaceAll(":", "-")}`);
    mkdirSync(aside, { mode: 0o700 });
    for (const old of [path, `${path}-wal`, `${path}-shm`])
      if (existsSync(old)) renameSync(old, join(aside, basename(old)));
    renameSync(copy.path, path);
    syncDirectory(dirname(path));
    giveToOwnerOf(dirname(path), [path, aside]);
    return { schema: copy.schema, servedBy, aside };
  } finally {
    unlock();
    giveToOwnerOf(dirname(path), [`${path}.lock`]);
  }
}

/** Answers the executable that served from the copy last. */
function heldCopy(path: string, now: string): string | null {
  const database = new Database(path, { readwrite: true, strict: true });
  try {
    const row = database.query("update installation set held_at = coalesce(held_at, ?) returning served_by").get(now);
    return (row as { served_by: string | null } | null)?.served_by ?? null;
  } finally {
    database.close();
  }
}
