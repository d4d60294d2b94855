// The engine under test: SQLite, or PostgreSQL if POSTHORN_TEST_DATABASE names a server; each store gets a database of its own.
import { SQL } from "bun";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SERVER = process.env["POSTHORN_TEST_DATABASE"] ?? null;

export const ENGINE: "sqlite" | "postgres" = SERVER === null ? "sqlite" : "postgres";

let admin: SQL | null = null;
let made = 0;

/** A fresh database: `url` for the configuration (null = the file in the data directory) and how to be rid of it. */
export async function freshDatabase(): Promise<{ url: string | null; drop: () => Promise<void> }> {
  if (SERVER === null) return { url: null, drop: async () => {} };
  admin ??= new SQL(SERVER, { max: 2 });
  const name = `posthorn_${process.pid}_${Date.now()}_${++made}`;
  await admin.unsafe(`create database ${name}`);
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => void (await admin?.unsafe(`drop database if exists ${name} with (force)`)),
  };
}

/** A directory that is removed by `remove`. */
export function freshDirectory(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "posthorn-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
