// `posthorn migrate-store`: from the SQLite file of a stopped installation into PostgreSQL.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemClock } from "../clock.ts";
import type { Step } from "../store/copy/table.ts";
import { migrateStore, type Migrated } from "../store/copy/migrate-store.ts";
import { CopyProgress, grouped } from "./copy-progress.ts";
import { printList } from "./print.ts";
import { misused } from "./usage.ts";
import { JSON_OPTION, type Call, type Verb } from "./verb.ts";

export const MIGRATE_STORE: Verb = {
  name: "migrate-store",
  summary: "Copies a stopped installation from its SQLite file to PostgreSQL, and compares both",
  notes: [
    "The secret key does not travel with the database: the content of secret.key in the data directory belongs into",
    "secrets.key of every node. The file is not changed. After an interruption, run the same command again: it goes on.",
  ],
  options: {
    from: { value: "FILE", needed: true, help: "The SQLite database, such as data/posthorn.db" },
    to: { value: "URL", help: "An empty PostgreSQL database (else database.url of the configuration)" },
    ...JSON_OPTION,
  },
  run: migrate,
};

const IS_POSTGRES = /^postgres(ql)?:\/\//;

async function migrate(call: Call): Promise<number> {
  const from = (call.text("from") ?? "").replace(/^sqlite:/, "");
  const migrated = await copied(call, from, targetOf(call));
  const differences = migrated.tables.flatMap(({ difference }) => difference ?? []);
  if (differences.length === 0) return succeeded(call, migrated, from);
  call.io.err(`The copy is not the same as the source:\n${differences.map((one) => `  ${one}`).join("\n")}`);
  call.io.err(
    "Something else has written to the target. Drop that database, create it again, and run the same command again.",
  );
  return 1;
}

function targetOf(call: Call): string {
  const url = call.text("to") ?? call.config().database.url ?? "";
  if (IS_POSTGRES.test(url)) return url;
  const needs =
    call.text("to") === undefined ? "needs --to URL, or database.url in the configuration" : "needs a URL after --to";
  throw misused(MIGRATE_STORE, `${needs}: postgres://user:password@host:5432/database`);
}

async function copied(call: Call, from: string, to: string): Promise<Migrated> {
  const progress = new CopyProgress(call.io, systemClock);
  let hasBegun = false;
  try {
    const onStep = (step: Step) => {
      hasBegun ||= step.phase === "copied";
      progress.step(step);
    };
    return await migrateStore({ from, to, clock: systemClock, onStep });
  } catch (error) {
    if (hasBegun) progress.note("What has been copied stays. Run the same command again, and it goes on from there.");
    throw error;
  } finally {
    progress.end();
  }
}

function succeeded(call: Call, { tables, wasComplete }: Migrated, from: string): number {
  const record = tables.map(({ table, rows, checksum }) => ({ table, rows, checksum }));
  printList(call, record, (row) => ({ ...row, rows: grouped(row.rows) }), "");
  const rows = grouped(tables.reduce((sum, table) => sum + table.rows, 0));
  const text = wasComplete
    ? `The copy was complete before. It is still the same as the source: ${tables.length} tables, ${rows} rows.`
    : `The copy is complete and the same as the source: ${tables.length} tables, ${rows} rows.`;
  const tell = call.flag("json") ? call.io.err : call.io.out;
  tell(`\n${text}\n\n${whatIsNext(from)}`);
  return 0;
}

function whatIsNext(from: string): string {
  const keyPath = join(dirname(from), "secret.key");
  const key = existsSync(keyPath)
    ? `the content of ${keyPath}`
    : "that of this installation, or the content of its secret.key";
  return [
    "What to do next:",
    "  1. Set database.url of every node to the PostgreSQL database.",
    `  2. Set secrets.key of every node: ${key}. It is not in the database,`,
    "     and without it links in mails that have been sent and the DKIM keys are of no use.",
    `  3. Start Posthorn. Keep ${from} as a backup, and start none on it any more: what is queued would be sent twice.`,
  ].join("\n");
}
