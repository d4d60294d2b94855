// Brings a PostgreSQL store to the newest schema, however many processes start at once.
import type { SQL } from "bun";
import { forPostgres, MIGRATIONS, refuseNewer } from "./migrations.ts";

/** Any number, the same in every Posthorn: who holds the lock migrates, the others wait and find it done. */
const LOCK = 7_072_651;

/** Functions that PostgreSQL lacks and SQLite has, so that statements read the same for both. */
const PRELUDE = `
  create or replace function json(jsonb) returns text language sql immutable strict parallel safe as 'select $1::text';
  create or replace function jsonb(text) returns jsonb language sql immutable strict parallel safe as 'select $1::jsonb';
  create or replace function json_quote(text) returns text language sql immutable parallel safe as 'select coalesce(to_jsonb($1)::text, ''null'')';
  create or replace function instr(text, text) returns integer language sql immutable strict parallel safe as 'select strpos($1, $2)';
  create table if not exists schema_versions (version integer primary key, name text not null, applied_at text not null);
`;

/** @throws NewerStoreError if a newer Posthorn has already been here */
export async function migratePostgres(sql: SQL, now: string): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${LOCK})`;
    await tx.unsafe(PRELUDE);
    const [row] = await tx`select coalesce(max(version), 0) as version from schema_versions`;
    const version = Number(row.version);
    refuseNewer(version);
    for (const [index, step] of MIGRATIONS.slice(version).entries()) {
      await tx.unsafe(forPostgres(step.sql));
      await tx`insert into schema_versions (version, name, applied_at) values (${version + index + 1}, ${step.name}, ${now})`;
    }
  });
}
