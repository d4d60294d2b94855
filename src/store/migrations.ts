// Migrations: each numbered file is applied once, in a transaction of its own.
import type { Database } from "bun:sqlite";
import { refuseNewer, type Schema } from "./schema.ts";
import schema from "../../migrations/0001_schema.sql" with { type: "text" };
import retries from "../../migrations/0006_retries.sql" with { type: "text" };
import privateMails from "../../migrations/0007_private_mails.sql" with { type: "text" };
import auditFilters from "../../migrations/0008_audit_filters.sql" with { type: "text" };
import backups from "../../migrations/0012_backups.sql" with { type: "text" };
import keyUse from "../../migrations/0009_key_use.sql" with { type: "text" };
import inviters from "../../migrations/0011_inviters.sql" with { type: "text" };
import servedBy from "../../migrations/0014_served_by.sql" with { type: "text" };
import retention from "../../migrations/0013_retention.sql" with { type: "text" };
import people from "../../migrations/0018_people.sql" with { type: "text" };
import attemptsByTime from "../../migrations/0017_attempts_by_time.sql" with { type: "text" };
import segmentSizes from "../../migrations/0019_segment_sizes.sql" with { type: "text" };
import campaignsAgain from "../../migrations/0020_campaigns_again.sql" with { type: "text" };
import mailList from "../../migrations/0002_mail_list.sql" with { type: "text" };
import mailCounts from "../../migrations/0003_mail_counts.sql" with { type: "text" };
import team from "../../migrations/0004_team.sql" with { type: "text" };
import views from "../../migrations/0005_views.sql" with { type: "text" };
import hops from "../../migrations/0015_hops.sql" with { type: "text" };
import viewsOfMail from "../../migrations/0016_views_of_mail.sql" with { type: "text" };
import writing from "../../migrations/0021_writing.sql" with { type: "text" };
import workflowCounts from "../../migrations/0022_workflow_counts.sql" with { type: "text" };
import mailGroups from "../../migrations/0026_mail_groups.sql" with { type: "text" };
import versions from "../../migrations/0031_versions.sql" with { type: "text" };
import images from "../../migrations/0041_images.sql" with { type: "text" };
import stepSegments from "../../migrations/0061_step_segments.sql" with { type: "text" };
import mailHappenings from "../../migrations/0062_mail_happenings.sql" with { type: "text" };
import timeZone from "../../migrations/0063_time_zone.sql" with { type: "text" };
import fewerIndexes from "../../migrations/0064_fewer_indexes.sql" with { type: "text" };
import mailSums from "../../migrations/0065_mail_sums.sql" with { type: "text" };
import mailsOfSteps from "../../migrations/0066_mails_of_steps.sql" with { type: "text" };
import eventsOfJobs from "../../migrations/0067_events_of_jobs.sql" with { type: "text" };
import imported from "../../migrations/0068_imported.sql" with { type: "text" };
import quickCompression from "../../migrations/0069_quick_compression.sql" with { type: "text" };
import sendData from "../../migrations/0072_send_data.sql" with { type: "text" };
import publicEvents from "../../migrations/0073_public_events.sql" with { type: "text" };
import entries from "../../migrations/0074_entries.sql" with { type: "text" };
import formerWebhookSecret from "../../migrations/0075_former_webhook_secret.sql" with { type: "text" };
import perhapsDelivered from "../../migrations/0070_perhaps_delivered.sql" with { type: "text" };
import idempotentCallers from "../../migrations/0083_idempotent_callers.sql" with { type: "text" };
import demoDomain from "../../migrations/0076_demo_domain.sql" with { type: "text" };
import clock from "../../migrations/0081_clock.sql" with { type: "text" };
import formerAddresses from "../../migrations/0010_former_addresses.sql" with { type: "text" };
import formerAddressesPostgres from "../../migrations/postgres/0010_former_addresses.sql" with { type: "text" };
import schemaPostgres from "../../migrations/postgres/0001_schema.sql" with { type: "text" };
import mailCountsPostgres from "../../migrations/postgres/0003_mail_counts.sql" with { type: "text" };
import workflowCountsPostgres from "../../migrations/postgres/0022_workflow_counts.sql" with { type: "text" };
import mailGroupsPostgres from "../../migrations/postgres/0026_mail_groups.sql" with { type: "text" };
import quickCompressionPostgres from "../../migrations/postgres/0069_quick_compression.sql" with { type: "text" };
import schemaSqlite from "../../migrations/sqlite/0001_schema.sql" with { type: "text" };
import mailCountsSqlite from "../../migrations/sqlite/0003_mail_counts.sql" with { type: "text" };
import workflowCountsSqlite from "../../migrations/sqlite/0022_workflow_counts.sql" with { type: "text" };
import mailGroupsSqlite from "../../migrations/sqlite/0026_mail_groups.sql" with { type: "text" };

export type Migration = {
  readonly name: string;
  /** With words in braces for what differs between the engines. */
  readonly sql: string;
  /** What only this engine runs, after `sql`: the engines write triggers in languages of their own. */
  readonly sqlite?: string;
  readonly postgres?: string;
};

/** In order. One that was released is never changed: a store that has it does not get it again. */
export const MIGRATIONS: readonly Migration[] = [
  { name: "0001_schema", sql: schema, sqlite: schemaSqlite, postgres: schemaPostgres },
  { name: "0002_mail_list", sql: mailList },
  { name: "0003_mail_counts", sql: mailCounts, sqlite: mailCountsSqlite, postgres: mailCountsPostgres },
  { name: "0004_team", sql: team },
  { name: "0005_views", sql: views },
  { name: "0006_retries", sql: retries },
  { name: "0007_private_mails", sql: privateMails },
  { name: "0008_audit_filters", sql: auditFilters },
  { name: "0009_key_use", sql: keyUse },
  { name: "0010_former_addresses", sql: formerAddresses, postgres: formerAddressesPostgres },
  { name: "0011_inviters", sql: inviters },
  { name: "0012_backups", sql: backups },
  { name: "0013_retention", sql: retention },
  { name: "0014_served_by", sql: servedBy },
  { name: "0015_hops", sql: hops },
  { name: "0016_views_of_mail", sql: viewsOfMail },
  { name: "0017_attempts_by_time", sql: attemptsByTime },
  { name: "0018_people", sql: people },
  { name: "0019_segment_sizes", sql: segmentSizes },
  { name: "0020_campaigns_again", sql: campaignsAgain },
  { name: "0021_writing", sql: writing },
  {
    name: "0022_workflow_counts",
    sql: workflowCounts,
    sqlite: workflowCountsSqlite,
    postgres: workflowCountsPostgres,
  },
  { name: "0026_mail_groups", sql: mailGroups, sqlite: mailGroupsSqlite, postgres: mailGroupsPostgres },
  { name: "0031_versions", sql: versions },
  { name: "0041_images", sql: images },
  { name: "0061_step_segments", sql: stepSegments },
  { name: "0062_mail_happenings", sql: mailHappenings },
  { name: "0063_time_zone", sql: timeZone },
  { name: "0064_fewer_indexes", sql: fewerIndexes },
  { name: "0065_mail_sums", sql: mailSums },
  { name: "0066_mails_of_steps", sql: mailsOfSteps },
  { name: "0067_events_of_jobs", sql: eventsOfJobs },
  { name: "0068_imported", sql: imported },
  { name: "0069_quick_compression", sql: quickCompression, postgres: quickCompressionPostgres },
  { name: "0070_perhaps_delivered", sql: perhapsDelivered },
  { name: "0072_send_data", sql: sendData },
  { name: "0073_public_events", sql: publicEvents },
  { name: "0074_entries", sql: entries },
  { name: "0075_former_webhook_secret", sql: formerWebhookSecret },
  { name: "0076_demo_domain", sql: demoDomain },
  { name: "0081_clock", sql: clock },
  { name: "0083_idempotent_callers", sql: idempotentCallers },
];

/** What the words in braces mean to PostgreSQL. */
const POSTGRES_WORDS: Readonly<Record<string, string>> = {
  serial: "bigint generated by default as identity primary key",
  strict: "",
  keyed: "",
  json: "jsonb",
  bytes: "bytea",
  real: "double precision",
  bytewise: ' collate "C"',
};

/**
 * What the words in braces mean to SQLite. `autoincrement`: a number is never given to a second row. `keyed`: rows lie in
 * the order of the primary key, with no second copy of it.
 */
const SQLITE_WORDS: Readonly<Record<string, string>> = {
  serial: "integer primary key autoincrement",
  strict: " strict",
  keyed: " strict, without rowid",
  json: "blob",
  bytes: "blob",
  real: "real",
};
/** STRICT tables know these types by other names. */
const SQLITE_TYPES = /\b(bigint|smallint)\b/g;

export function forPostgres(sql: string): string {
  return sql.replace(/\{(\w+)\}/g, (_, word: string) => POSTGRES_WORDS[word] ?? "");
}

export function forSqlite(sql: string): string {
  return sql.replace(/\{(\w+)\}/g, (_, word: string) => SQLITE_WORDS[word] ?? "").replace(SQLITE_TYPES, "integer");
}

/**
 * Brings a SQLite store to the newest schema, or to the last of `steps`.
 * @throws NewerStoreError if a newer Posthorn has already been here.
 */
export function migrateSqlite(database: Database, now: string, steps = MIGRATIONS): Schema {
  database.run(
    "create table if not exists schema_versions (version integer primary key, name text not null, applied_at text not null) strict",
  );
  const before = sqliteVersion(database);
  refuseNewer(before, steps.length);
  // As a whole: a migration that fails leaves the store as it was.
  const all = database.transaction(() =>
    steps.slice(before).forEach((step, index) => apply(database, before + index + 1, step, now)),
  );
  try {
    all.immediate();
  } catch (error) {
    if (before === 0) throw error;
    throw new Error(
      `The migration from schema ${before} to ${steps.length} failed: ${(error as Error).message}. Nothing was changed: start the Posthorn that the database was used with.`,
      { cause: error },
    );
  }
  return { before, now: steps.length };
}

/** 0 = there is no store in the file. */
export function sqliteVersion(database: Database): number {
  const isStore = database.query("select 1 from sqlite_schema where name = 'schema_versions'").get() !== null;
  if (!isStore) return 0;
  const row = database.query("select coalesce(max(version), 0) as version from schema_versions").get();
  return (row as { version: number }).version;
}

function apply(database: Database, version: number, step: Migration, now: string): void {
  // Another process may have been faster.
  const done = database.query("select 1 from schema_versions where version = ?").get(version);
  if (done) return;
  database.run(forSqlite(step.sql));
  if (step.sqlite) database.run(step.sqlite);
  database
    .query("insert into schema_versions (version, name, applied_at) values (?, ?, ?)")
    .run(version, step.name, now);
}
