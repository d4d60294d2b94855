// The page of the schema says what every index of the tables that a send touches is for.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { migrateSqlite } from "../../src/store/migrations.ts";

const PAGE = readFileSync("docs/operate/schema.md", "utf8");
const POSTGRES = readFileSync("migrations/postgres/0010_former_addresses.sql", "utf8");

const database = new Database(":memory:", { strict: true });
migrateSqlite(database, "2026-01-01T00:00:00.000Z");

const SECTIONS = PAGE.split(/^## /m)
  .slice(1)
  .map((text) => ({ table: text.slice(0, text.indexOf("\n")).toLowerCase().replace(" ", "_"), text }));

test("it has the tables that a send touches", () => {
  expect(SECTIONS.map(({ table }) => table)).toEqual([
    ...["contacts", "contents", "emails", "events", "outbox", "idempotency_keys", "recipients"],
  ]);
});

test.each(SECTIONS.map(({ table, text }) => [table, text] as const))("it names each index of %s", (table, text) => {
  const named = [...text.matchAll(/^\| `(\w+)` .*$/gm)];
  const [everywhere, elsewhere] = [
    named.filter(([line]) => !line.includes("PostgreSQL only")),
    named.filter(([line]) => line.includes("PostgreSQL only")),
  ];
  const kept = database
    .query<{ name: string }, [string]>(
      "select name from sqlite_schema where type = 'index' and tbl_name = ? and sql is not null",
    )
    .all(table);
  expect(everywhere.map(([, name]) => name ?? "").toSorted()).toEqual(kept.map(({ name }) => name).toSorted());
  for (const [, name] of elsewhere) expect(POSTGRES).toContain(`create index ${name} on ${table}`);
});
