// `bun build/fixture.ts 0.2.0`: what a release leaves behind, into test/releases/0.2.0, right before it is made:
// backups of the demo on each engine, its workspace as a file, the description of the API, and what they hold. The
// releases after it are tried on that (test/releases.test.ts). POSTHORN_TEST_DATABASE names a PostgreSQL on which a
// database may be made.
import { Database } from "bun:sqlite";
import { SQL } from "bun";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULTS } from "../src/base/config.ts";
import { iso, systemClock } from "../src/base/clock.ts";
import { createLog } from "../src/base/log.ts";
import { MIGRATIONS } from "../src/store/migrations.ts";
import { findWorkspace } from "../src/tenant/workspaces/workspace.ts";
import { asMember } from "../src/whole/demo/calls.ts";
import { Demo } from "../src/whole/demo/demo.ts";
import type { Server } from "../src/whole/server.ts";
import { addTheRest } from "./fixture-rows.ts";

/** What test/releases.test.ts compares with. */
export type ReleaseContents = {
  readonly version: string;
  /** When it was made: the clock of a test must not be behind. */
  readonly at: string;
  readonly schema: number;
  readonly workspace: string;
  /** Rows, by table. */
  readonly rows: Readonly<Record<string, number>>;
  /** A mail that was sent, and the SHA-256 of its message, signed. */
  readonly email: { readonly id: string; readonly sha256: string };
};

const WORKSPACE = "Marrowfield";

async function make(version: string): Promise<void> {
  const admin = process.env["POSTHORN_TEST_DATABASE"];
  if (!admin) throw new Error("POSTHORN_TEST_DATABASE has to name a PostgreSQL.");
  const out = join(import.meta.dir, "../test/releases", version);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const log = createLog({ level: "error", format: "text", clock: systemClock, write: console.error });
  await using demo = await Demo.make({ ...DEFAULTS, http: { ...DEFAULTS.http, port: 0 } }, { log, isReadOnly: false });
  const { dir } = demo;
  await addTheRest(demo);
  posthorn(dir, ["workspace", "create", "Short-lived"]);
  posthorn(dir, ["domain", "add", "short.example", "--workspace", "Short-lived"]);
  posthorn(dir, ["workspace", "delete", "Short-lived", "--yes"]);
  posthorn(dir, ["prune", "--workspace", WORKSPACE]);
  posthorn(dir, ["backup", join(dir, "first.backup")]);
  const rows = rowsIn(join(dir, "posthorn.db"));
  posthorn(dir, ["backup", join(out, "sqlite.backup")]);
  const file = join(dir, "workspace.tar");
  posthorn(dir, ["workspace", "export", WORKSPACE, "--to", file]);
  writeFileSync(join(out, "workspace.tar.zst"), Bun.zstdCompressSync(readFileSync(file), { level: 19 }));
  await copyToPostgres(admin, dir, join(out, "postgres.backup"));
  const server = await demo.serve();
  const document = await (await fetch(`${server.url}/openapi.json`)).text();
  writeFileSync(join(out, "openapi.json.zst"), Bun.zstdCompressSync(document, { level: 19 }));
  const email = await sentEmail(server);
  const at = iso(systemClock.nowMs());
  const contents: ReleaseContents = { version, at, schema: MIGRATIONS.length, workspace: WORKSPACE, rows, email };
  writeFileSync(join(out, "contents.json"), `${JSON.stringify(contents, null, 2)}\n`);
}

function posthorn(dir: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const main = join(import.meta.dir, "../src/whole/main.ts");
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, main, ...words, "--data", dir], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  if (exitCode !== 0) throw new Error(`posthorn ${words.join(" ")}: ${stderr}`);
}

async function copyToPostgres(admin: string, dir: string, backup: string): Promise<void> {
  const name = `posthorn_fixture_${process.pid}`;
  const url = Object.assign(new URL(admin), { pathname: `/${name}` }).href;
  const server = new SQL(admin, { max: 1 });
  await server.unsafe(`create database ${name}`);
  try {
    posthorn(dir, ["migrate-store", "--from", join(dir, "posthorn.db"), "--to", url]);
    posthorn(dir, ["backup", backup], { POSTHORN_DATABASE_URL: url });
  } finally {
    await server.unsafe(`drop database ${name} with (force)`);
    await server.close();
  }
}

/** The oldest that has left, as its owner reads its message. */
async function sentEmail(server: Server): Promise<ReleaseContents["email"]> {
  const workspace = await server.store.read((reader) => findWorkspace(reader, WORKSPACE));
  const ask = await asMember(server, server.url, workspace.id, "owner");
  const { data } = await ask("GET /emails?status=DELIVERED&pageSize=100");
  const { id } = data.at(-1);
  const message: string = await ask(`GET /emails/${id}/raw`);
  return { id, sha256: new Bun.CryptoHasher("sha256").update(message).digest("hex") };
}

function rowsIn(file: string): Readonly<Record<string, number>> {
  using database = new Database(file, { readonly: true });
  const tables = database
    .query<{ name: string }, []>(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' and sql not like 'create virtual%' order by 1",
    )
    .all();
  const count = (name: string) =>
    database.query<{ rows: number }, []>(`select count(*) as rows from "${name}"`).get()?.rows ?? 0;
  return Object.fromEntries(tables.map(({ name }) => [name, count(name)]));
}

if (import.meta.main) {
  const [version = ""] = process.argv.slice(2);
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error("Say which version: bun build/fixture.ts 0.2.0");
  await make(version);
  process.exit(0);
}
