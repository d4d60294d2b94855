// What an upgrade makes of records that were written before they had their branch.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { migrateSqlite, MIGRATIONS } from "../../src/store/migrations.ts";
import { recordsByBranch } from "../../src/workflows/execution/count-queries.ts";
import { SQLITE } from "../../src/store/sqlite-connection.ts";
import { flatten, Sql } from "../../src/store/sql.ts";
import type { Reader } from "../../src/store/store.ts";

const NOW = "2026-03-01T09:00:00.000Z";

test("records of an older store are counted by the branch that they tell of", async () => {
  using database = new Database(":memory:", { strict: true });
  const at = MIGRATIONS.findIndex(({ name }) => name === "0022_workflow_counts");
  migrateSqlite(database, NOW, MIGRATIONS.slice(0, at));
  database.run("pragma foreign_keys = off");
  const record = (execution: number, status: string, output: object | null) =>
    database.run(
      "insert into execution_steps (id, execution, step, status, output, started_at) values ('x', ?, 'if', ?, ?, ?)",
      [execution, status, output && JSON.stringify(output), NOW],
    );
  record(1, "COMPLETED", { field: "data.plan", branch: "yes" });
  record(2, "COMPLETED", { response: '{"branch":"no"}' });
  record(3, "WAITING", null);
  migrateSqlite(database, NOW);
  const reader = {
    dialect: SQLITE,
    all: async (strings: TemplateStringsArray, ...values: never[]) => {
      const { text, values: bound } = flatten(new Sql(strings, values), () => "?");
      return database.query(text).all(...(bound as never[]));
    },
  } as unknown as Reader;
  const counted = await recordsByBranch(reader, "if", 10);
  expect(counted.map(({ status, branch, people }) => `${status} ${branch} ${people}`).sort()).toEqual([
    "COMPLETED null 1",
    "COMPLETED yes 1",
    "WAITING null 1",
  ]);
});
