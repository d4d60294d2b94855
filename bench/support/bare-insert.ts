// The limit of importing: the same rows into the same tables with one prepared insert, in a process of its own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "../../src/base/ids.ts";
import { migrateSqlite } from "../../src/store/migrations.ts";
import { connect } from "../../src/store/sqlite/connection.ts";
import { answerTasks } from "./child.ts";

export type BareInsertTask = { readonly dir: string; readonly file: string };

const ROWS_A_COMMIT = 400;

/** Answers milliseconds. */
function insertAll({ dir, file }: BareInsertTask): number {
  const database = connect(join(dir, "bare.db"), 16 * 1024);
  const now = new Date().toISOString();
  migrateSqlite(database, now);
  database.run(
    "insert into workspaces (id, name, webhook_secret, created_at, updated_at) values ('w', 'w', '', ?1, ?1)",
    [now],
  );
  const statement = database.prepare(
    `insert into contacts (id, workspace, email, subscribed, data, created_at, updated_at)
     values (?, 1, ?, ?, jsonb(?), ?, ?) on conflict (workspace, email) do nothing`,
  );
  const rows = rowsOf(file);
  const startedMs = performance.now();
  for (let from = 0; from < rows.length; from += ROWS_A_COMMIT) {
    database.run("begin immediate");
    for (const [email, subscribed, data] of rows.slice(from, from + ROWS_A_COMMIT))
      statement.run(newId(Date.now()), email, subscribed, data, now, now);
    database.run("commit");
  }
  const tookMs = performance.now() - startedMs;
  database.close();
  return tookMs;
}

/** All before the watch starts: what is measured is the store alone. */
function rowsOf(file: string): (readonly [email: string, subscribed: number, data: string])[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\r\n").slice(1);
  return lines.map((line) => {
    const [, email = "", subscribed, name, plan, score, active] =
      /^(.*?),(.*?),"(.*?)",(.*?),(.*?),(.*)$/.exec(line) ?? [];
    const data = { name, plan, score: Number(score), active: active === "true" };
    return [email, subscribed === "true" ? 1 : 0, JSON.stringify(data)] as const;
  });
}

answerTasks<BareInsertTask>(insertAll);
