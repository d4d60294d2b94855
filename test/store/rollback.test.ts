// An upgrade of an SQLite store can be taken back: a copy is made before the migration, and a migration that fails
// changes nothing.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { Database } from "bun:sqlite";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { MIGRATIONS, type Migration } from "../../src/store/migrations.ts";
import { build } from "../../src/base/version.ts";
import { posthornCli, serving } from "../support/cli.ts";
import { freshDirectory, knowOneMore } from "../support/database.ts";

const KNOWN = MIGRATIONS.length;
let data: ReturnType<typeof freshDirectory>;
let file = "";

beforeEach(async () => {
  data = freshDirectory();
  file = join(data.path, "posthorn.db");
  await (await serving(["--data", data.path])).stop();
});
afterEach(() => data.remove());

const posthorn = (...words: string[]) => posthornCli([...words, "--data", data.path]);

function columnsOf(path: string): string[] {
  const database = new Database(path, { readonly: true });
  const rows = database.query("pragma table_info(workspaces)").all() as { name: string }[];
  database.close();
  return rows.map(({ name }) => name);
}

/** By an executable that knows one migration more. */
async function upgraded(words: readonly string[] = []): Promise<Awaited<ReturnType<typeof posthorn>>> {
  const forget = knowOneMore();
  try {
    return await posthorn("migrate", ...words);
  } finally {
    forget();
  }
}

test("An upgrade copies the database first, and a rollback brings the copy back (slow)", async () => {
  expect((await upgraded()).out).toBe(`Migrated ${KNOWN} → ${KNOWN + 1}.`);
  expect(existsSync(`${file}.schema-${KNOWN}`)).toBe(true);
  expect(columnsOf(file)).toContain("made_up");
  expect((await posthorn("workspace", "list")).err).toContain("a newer Posthorn has used it");
  const { code, out } = await posthorn("rollback");
  const { version, commit } = build();
  expect(code).toBe(0);
  expect(out).toStartWith(
    `The database is back at schema ${KNOWN}. Start the Posthorn that goes with it: ${version} (commit ${commit}).`,
  );
  const aside = /The newer database is in (\S+)\. /.exec(out)?.[1] ?? "";
  expect(columnsOf(join(aside, "posthorn.db"))).toContain("made_up");
  expect(columnsOf(file)).not.toContain("made_up");
  expect((await posthorn("workspace", "list")).out).toContain("default");
  const server = await serving(["--data", data.path]);
  expect(server.text).toContain("HELD since");
  await server.stop();
});

test("Of several upgrades the last one can be taken back (slow)", async () => {
  await upgraded();
  const known = MIGRATIONS as Migration[];
  known.push({ name: "one", sql: "alter table workspaces add column made_up text" });
  known.push({ name: "two", sql: "alter table workspaces add column made_up_too text" });
  try {
    // The migration that knowOneMore names is the same as the first of these.
    expect((await posthorn("migrate")).out).toBe(`Migrated ${KNOWN + 1} → ${KNOWN + 2}.`);
  } finally {
    known.splice(KNOWN);
  }
  expect(readdirSync(data.path).filter((name) => name.includes(".schema-"))).toEqual([
    `posthorn.db.schema-${KNOWN + 1}`,
  ]);
});

test("A migration that fails leaves the store as it was, and says so (slow)", async () => {
  const known = MIGRATIONS as Migration[];
  known.push({ name: "good", sql: "alter table workspaces add column made_up text" });
  known.push({ name: "bad", sql: "alter table nowhere add column x text" });
  try {
    const { code, err } = await posthorn("migrate");
    expect(code).toBe(1);
    expect(err).toContain(
      `The migration from schema ${KNOWN} to ${KNOWN + 2} failed: no such table: nowhere. Nothing was changed`,
    );
  } finally {
    known.splice(KNOWN);
  }
  expect(columnsOf(file)).not.toContain("made_up");
  await (await serving(["--data", data.path])).stop();
});

test("Where somebody wants no copy, none is made, and there is nothing to go back to (slow)", async () => {
  expect((await upgraded(["--without-copy"])).code).toBe(0);
  expect(readdirSync(dirname(file)).filter((name) => name.includes(".schema-"))).toEqual([]);
  const { code, err } = await posthorn("rollback");
  expect({ code, said: err.startsWith("There is no copy to go back to") }).toEqual({ code: 1, said: true });
});

test("Nothing is rolled back under a running server (slow)", async () => {
  await upgraded();
  const forget = knowOneMore();
  const server = await serving(["--data", data.path]);
  forget();
  const { code, err } = await posthorn("rollback");
  expect([code, err.includes("is running on")]).toEqual([1, true]);
  await server.stop();
});
