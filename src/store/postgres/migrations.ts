// Brings a PostgreSQL store to the newest schema, however many processes start together and others work on it.
import type { SQL } from "bun";
import type { Log } from "../../base/log.ts";
import { LockOrder } from "./lock-order.ts";
import { fingerprintOf, forPostgres, MIGRATIONS, type SchemaVersionRow, type Migration } from "../migrations.ts";
import { isConflict, isLockTimeout, type PostgresConnection } from "./connection.ts";
import { MOMENT_OF } from "./moment.ts";
import { refuseForeign, refuseNewer, type Schema } from "../schema.ts";

/** Any number, the same in every Posthorn: the process with the lock migrates, the others wait and find it done. */
const LOCK = 7_072_651;
/**
 * While a migration waits for a table, all other transactions wait for the table too, and if one of them holds the next
 * table, the wait never ends: so the first timeout is short. PostgreSQL ends a vacuum that is in the way after a
 * second.
 */
const FIRST_LOCK_TIMEOUT_MS = 300;
const MAX_LOCK_TIMEOUT_MS = 3_000;
/** More than a minute in all. */
const TRIES = 30;
const MAX_REST_MS = 2_000;

/**
 * Functions that PostgreSQL lacks and SQLite has, so that statements read the same for both. The planner inlines them
 * only if they promise no more than the functions that they call: an immutable `json_quote` would be called, which
 * takes ten times as long. Statements name `json` in quotation marks, since without them it is a keyword of PostgreSQL
 * from 17 on.
 *
 * JSON is stored as `json`, which keeps the order of keys. `checked_json` refuses texts that could be stored so but not
 * be read.
 */
const PRELUDE = `
  create or replace function json(json) returns text language sql immutable strict parallel safe as 'select $1::text';
  create or replace function checked_json(text) returns json language sql immutable parallel safe as
    'select case when $1::jsonb is not null then $1::json end';
  create or replace function json_quote(text) returns text language sql stable parallel safe as 'select coalesce(to_json($1)::text, ''null'')';
  create or replace function instr(text, text) returns integer language sql immutable strict parallel safe as 'select strpos($1, $2)';
  create table if not exists schema_versions (
    version integer primary key, name text not null, applied_at text not null, fingerprint text not null);
`;

type MigrationOptions = { readonly now: string; readonly log?: Log; readonly steps?: readonly Migration[] };

/**
 * Makes a new store in one go, and migrates an older one step by step, so that each step locks no more than it needs.
 * @throws NewerStoreError if a newer Posthorn has already been here, Error if others hold the tables of a step for a
 * minute
 */
export async function migratePostgres(sql: SQL, options: MigrationOptions): Promise<Schema> {
  const { now, log, steps = MIGRATIONS } = options;
  const before = await postgresVersion(sql, steps);
  const order = new LockOrder();
  let version: number;
  do version = await patiently(log, (lockTimeoutMs) => migrateOn(sql, { now, steps, order, lockTimeoutMs }));
  while (version < steps.length);
  return { before, now: version };
}

/** 0 = there is no store in the database. @throws ForeignStoreError, NewerStoreError */
export async function postgresVersion(sql: PostgresConnection, steps = MIGRATIONS): Promise<number> {
  if (!(await hasTable(sql, "schema_versions"))) return 0;
  const applied: SchemaVersionRow[] = await sql.unsafe("select * from schema_versions order by version");
  const version = Number(applied.at(-1)?.version ?? 0);
  const served = await servedBy(sql);
  refuseForeign(applied[0], fingerprintOf(steps[0], "postgres"), served);
  refuseNewer(version, steps.length, served);
  return version;
}

/**
 * Version and commit of the executable that served last; null = unknown, also if the schema has no place for it: a
 * statement that fails would end the transaction.
 */
async function servedBy(sql: PostgresConnection): Promise<string | null> {
  const [place] = await sql.unsafe(
    "select 1 from pg_attribute where attrelid = to_regclass('installation') and attname = 'served_by' and not attisdropped",
  );
  if (place === undefined) return null;
  const [row] = await sql.unsafe("select served_by as by from installation");
  return row?.by ?? null;
}

type StepOptions = {
  readonly now: string;
  readonly steps: readonly Migration[];
  readonly order: LockOrder;
  readonly lockTimeoutMs: number;
};

/** One transaction: the next step, or all of them if there is no store yet. Answers the version that is reached. */
function migrateOn(sql: SQL, { now, steps, order, lockTimeoutMs }: StepOptions): Promise<number> {
  return sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    await tx.unsafe(`set local lock_timeout = ${lockTimeoutMs}`);
    await tx.unsafe(PRELUDE);
    await tx.unsafe(MOMENT_OF);
    const version = await postgresVersion(tx, steps);
    const due = version === 0 ? steps : steps.slice(version, version + 1);
    for (const [index, step] of due.entries()) {
      await order.take(tx, `${step.sql}${step.postgres ?? ""}`);
      await tx.unsafe(forPostgres(step.sql));
      if (step.postgres) await tx.unsafe(step.postgres);
      await tx`
        insert into schema_versions (version, name, applied_at, fingerprint)
        values (${version + index + 1}, ${step.name}, ${now}, ${fingerprintOf(step, "postgres")})`;
    }
    return version + due.length;
  });
}

/** Retries, because a server that goes on working on the store holds its tables for moments, and in its own order. */
async function patiently<Result>(
  log: Log | undefined,
  work: (lockTimeoutMs: number) => Promise<Result>,
): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work(Math.min(FIRST_LOCK_TIMEOUT_MS * tries, MAX_LOCK_TIMEOUT_MS));
    } catch (error) {
      if (!isConflict(error) && !isLockTimeout(error)) throw error;
      const reason = (error as Error).message;
      if (tries === TRIES) throw new Error(`The store cannot be migrated because others use its tables: ${reason}.`);
      log?.warn("another process holds a table that the migration needs; trying again", { tries, reason });
      await new Promise((resolve) => setTimeout(resolve, Math.min(100 * tries, MAX_REST_MS) * (0.5 + Math.random())));
    }
  }
}

/** A server on half a store would send its mails, and go on without the rest. @throws Error if a copy is under way */
export async function refuseHalfCopied(sql: SQL): Promise<void> {
  if (!(await hasTable(sql, "store_copies"))) return;
  throw new Error(
    "The database contains an incomplete copy of a store. Run posthorn migrate-store again until it is complete, or use another database.",
  );
}

export async function hasTable(sql: PostgresConnection, name: string): Promise<boolean> {
  const [row] = await sql.unsafe("select to_regclass($1::text) is not null as there", [name]);
  return row.there;
}
