// `posthorn migrate`: migrates a database to the schema of this executable. `posthorn migrate-store`: copies an SQLite
// file to PostgreSQL.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { systemClock } from "../../../base/clock.ts";
import { migrateStore, type MigrationResult } from "../../../store/copy/migrate-store.ts";
import type { CopyStep } from "../../../store/copy/table.ts";
import { openStoreToServe } from "../../../store/open.ts";
import { schemaChange } from "../../../store/schema.ts";
import { misused } from "../arguments.ts";
import { logOf, refuseMissing } from "../beside.ts";
import { printList, printOne } from "../print.ts";
import { CopyProgress, grouped } from "../progress.ts";
import { JSON_OPTION, type VerbCall, type Verb } from "../verb.ts";

export const MIGRATE: Verb = {
  name: "migrate",
  summary: "Migrates the database to the schema of this executable, as the next start of the server would",
  notes: [
    "On PostgreSQL, servers of the previous version can keep running. With the embedded database, stop the server",
    "first: its file is copied before, and posthorn rollback restores the copy. On PostgreSQL, make a backup yourself.",
  ],
  options: {
    "without-copy": {
      help: "Migrate an SQLite file without a copy, if there is no space for one; it cannot be rolled back",
    },
    ...JSON_OPTION,
  },
  run: migrate,
};

export const MIGRATE_STORE: Verb = {
  name: "migrate-store",
  summary: "Copies a stopped installation from its SQLite file to PostgreSQL, and compares the two",
  notes: [
    "The secret key is not in the database: set secrets.key of every node to the content of secret.key in the data",
    "directory. The file is not changed. If the command is interrupted, run it again: it continues.",
  ],
  options: {
    from: { value: "FILE", needed: true, help: "The SQLite database, such as data/posthorn.db" },
    to: { value: "URL", help: "An empty PostgreSQL database (else database.url of the configuration)" },
    ...JSON_OPTION,
  },
  run: migrateFile,
};

const IS_POSTGRES = /^postgres(ql)?:\/\//;

async function migrate(call: VerbCall): Promise<void> {
  const config = call.config();
  refuseMissing(config);
  const { store, schema } = await openStoreToServe(config, {
    clock: systemClock,
    log: logOf(call),
    withoutCopy: call.flag("without-copy"),
  });
  await store.close();
  const isDone = schema.before === schema.now;
  const text = isDone ? `Nothing to do: the schema is ${schema.now}.` : `Migrated ${schemaChange(schema)}.`;
  printOne(call, { from: schema.before, to: schema.now }, () => text);
}

async function migrateFile(call: VerbCall): Promise<number> {
  const from = (call.text("from") ?? "").replace(/^sqlite:/, "");
  const migrated = await copied(call, from, targetOf(call));
  const differences = migrated.tables.flatMap(({ difference }) => difference ?? []);
  if (differences.length === 0) return succeeded(call, migrated, from);
  call.io.err(`The copy differs from the source:\n${differences.map((one) => `  ${one}`).join("\n")}`);
  call.io.err("Something else has written to the target. Drop that database, create it again, and repeat the command.");
  return 1;
}

function targetOf(call: VerbCall): string {
  const url = call.text("to") ?? call.config().database.url ?? "";
  if (IS_POSTGRES.test(url)) return url;
  const needs =
    call.text("to") === undefined ? "needs --to URL, or database.url in the configuration" : "needs a URL after --to";
  throw misused(MIGRATE_STORE, `${needs}: postgres://user:password@host:5432/database`);
}

async function copied(call: VerbCall, from: string, to: string): Promise<MigrationResult> {
  const progress = new CopyProgress(call.io, systemClock);
  let hasBegun = false;
  try {
    const onStep = (step: CopyStep) => {
      hasBegun ||= step.phase === "copied";
      progress.step(step);
    };
    return await migrateStore({ from, to, clock: systemClock, onStep });
  } catch (error) {
    progress.end();
    if (hasBegun) call.io.err("What has been copied stays. Run the same command again to continue.");
    throw error;
  } finally {
    progress.end();
  }
}

function succeeded(call: VerbCall, { tables, wasComplete }: MigrationResult, from: string): number {
  const record = tables.map(({ table, rows, checksum }) => ({ table, rows, checksum }));
  printList(call, record, (row) => ({ ...row, rows: grouped(row.rows) }), "");
  const rows = grouped(tables.reduce((sum, table) => sum + table.rows, 0));
  const text = wasComplete
    ? `The copy was complete already. It still equals the source: ${tables.length} tables, ${rows} rows.`
    : `The copy is complete and equals the source: ${tables.length} tables, ${rows} rows.`;
  const tell = call.flag("json") ? call.io.err : call.io.out;
  tell(`\n${text}\n\n${whatIsNext(from)}`);
  return 0;
}

function whatIsNext(from: string): string {
  const keyPath = join(dirname(from), "secret.key");
  const key = existsSync(keyPath)
    ? `the content of ${keyPath}`
    : "the key of this installation, or the content of its secret.key";
  return [
    "What to do next:",
    "  1. Set database.url of every node to the PostgreSQL database.",
    `  2. Set secrets.key of every node: ${key}. It is not in the database,`,
    "     and without it the links in sent emails and the DKIM keys are useless.",
    `  3. Start Posthorn. Keep ${from} as a backup, and never start Posthorn on it again: queued email would be sent twice.`,
  ].join("\n");
}
