// The schema, step by step: each numbered file once, in a transaction of its own.
import type { Database } from "bun:sqlite";
import { refuseNewer, type Schema } from "./schema.ts";
import foundation from "../../migrations/0001_foundation.sql" with { type: "text" };
import dispatch from "../../migrations/0002_dispatch.sql" with { type: "text" };
import engagement from "../../migrations/0003_engagement.sql" with { type: "text" };
import workspaceSettings from "../../migrations/0004_workspace_settings.sql" with { type: "text" };
import domainRemoval from "../../migrations/0005_domain_removal.sql" with { type: "text" };
import segments from "../../migrations/0006_segments.sql" with { type: "text" };
import workflows from "../../migrations/0007_workflows.sql" with { type: "text" };
import tracking from "../../migrations/0008_tracking.sql" with { type: "text" };
import templateSearch from "../../migrations/0009_template_search.sql" with { type: "text" };
import contactLists from "../../migrations/0010_contact_lists.sql" with { type: "text" };
import eventsOfContact from "../../migrations/0011_events_of_contact.sql" with { type: "text" };
import footer from "../../migrations/0012_footer.sql" with { type: "text" };
import doubleOptIn from "../../migrations/0013_double_opt_in.sql" with { type: "text" };
import contactJobs from "../../migrations/0014_contact_jobs.sql" with { type: "text" };
import campaigns from "../../migrations/0015_campaigns.sql" with { type: "text" };
import executions from "../../migrations/0016_executions.sql" with { type: "text" };
import workflowSchedules from "../../migrations/0017_workflow_schedules.sql" with { type: "text" };
import bounces from "../../migrations/0018_bounces.sql" with { type: "text" };
import rawMessages from "../../migrations/0019_raw_messages.sql" with { type: "text" };
import erasures from "../../migrations/0020_erasures.sql" with { type: "text" };
import sharedContents from "../../migrations/0021_shared_contents.sql" with { type: "text" };
import notices from "../../migrations/0022_notices.sql" with { type: "text" };
import mailHealth from "../../migrations/0023_mail_health.sql" with { type: "text" };
import domainKeys from "../../migrations/0024_domain_keys.sql" with { type: "text" };
import inbound from "../../migrations/0025_inbound.sql" with { type: "text" };
import forgottenExecutions from "../../migrations/0026_forgotten_executions.sql" with { type: "text" };
import marketingStop from "../../migrations/0027_marketing_stop.sql" with { type: "text" };
import installation from "../../migrations/0028_installation.sql" with { type: "text" };
import selectors from "../../migrations/0029_selectors.sql" with { type: "text" };
import messagesOfWorkspace from "../../migrations/0030_messages_of_workspace.sql" with { type: "text" };
import messagesToForget from "../../migrations/0031_messages_to_forget.sql" with { type: "text" };
import workflowSearch from "../../migrations/0032_workflow_search.sql" with { type: "text" };
import formerSelectors from "../../migrations/0033_former_selectors.sql" with { type: "text" };
import segmentsToEmpty from "../../migrations/0034_segments_to_empty.sql" with { type: "text" };
import rawSlices from "../../migrations/0035_raw_slices.sql" with { type: "text" };
import audiences from "../../migrations/0036_audiences.sql" with { type: "text" };
import jobTurns from "../../migrations/0037_job_turns.sql" with { type: "text" };
import publicKeys from "../../migrations/0038_public_keys.sql" with { type: "text" };
import bouncesOfBothKinds from "../../migrations/0039_bounces_of_both_kinds.sql" with { type: "text" };
import afterEvent from "../../migrations/0040_after_event.sql" with { type: "text" };
import erasedTraces from "../../migrations/0041_erased_traces.sql" with { type: "text" };
import turns from "../../migrations/0042_turns.sql" with { type: "text" };
import turnsPostgres from "../../migrations/postgres/0042_turns.sql" with { type: "text" };
import turnsSqlite from "../../migrations/sqlite/0042_turns.sql" with { type: "text" };
import suppressedAddresses from "../../migrations/0043_suppressed_addresses.sql" with { type: "text" };
import heldWebhooks from "../../migrations/0044_held_webhooks.sql" with { type: "text" };

export type Migration = {
  readonly name: string;
  /** With words in braces for what differs between the engines. */
  readonly sql: string;
  /** What only this engine runs, after `sql`: the engines write triggers in languages of their own. */
  readonly sqlite?: string;
  readonly postgres?: string;
};

export const MIGRATIONS: readonly Migration[] = [
  { name: "0001_foundation", sql: foundation },
  { name: "0002_dispatch", sql: dispatch },
  { name: "0003_engagement", sql: engagement },
  { name: "0004_workspace_settings", sql: workspaceSettings },
  { name: "0005_domain_removal", sql: domainRemoval },
  { name: "0006_segments", sql: segments },
  { name: "0007_workflows", sql: workflows },
  { name: "0008_tracking", sql: tracking },
  { name: "0009_template_search", sql: templateSearch },
  { name: "0010_contact_lists", sql: contactLists },
  { name: "0011_events_of_contact", sql: eventsOfContact },
  { name: "0012_footer", sql: footer },
  { name: "0013_double_opt_in", sql: doubleOptIn },
  { name: "0014_contact_jobs", sql: contactJobs },
  { name: "0015_campaigns", sql: campaigns },
  { name: "0016_executions", sql: executions },
  { name: "0017_workflow_schedules", sql: workflowSchedules },
  { name: "0018_bounces", sql: bounces },
  { name: "0019_raw_messages", sql: rawMessages },
  { name: "0020_erasures", sql: erasures },
  { name: "0021_shared_contents", sql: sharedContents },
  { name: "0022_notices", sql: notices },
  { name: "0023_mail_health", sql: mailHealth },
  { name: "0024_domain_keys", sql: domainKeys },
  { name: "0025_inbound", sql: inbound },
  { name: "0026_forgotten_executions", sql: forgottenExecutions },
  { name: "0027_marketing_stop", sql: marketingStop },
  { name: "0028_installation", sql: installation },
  { name: "0029_selectors", sql: selectors },
  { name: "0030_messages_of_workspace", sql: messagesOfWorkspace },
  { name: "0031_messages_to_forget", sql: messagesToForget },
  { name: "0032_workflow_search", sql: workflowSearch },
  { name: "0033_former_selectors", sql: formerSelectors },
  { name: "0034_segments_to_empty", sql: segmentsToEmpty },
  { name: "0035_raw_slices", sql: rawSlices },
  { name: "0036_audiences", sql: audiences },
  { name: "0037_job_turns", sql: jobTurns },
  { name: "0038_public_keys", sql: publicKeys },
  { name: "0039_bounces_of_both_kinds", sql: bouncesOfBothKinds },
  { name: "0040_after_event", sql: afterEvent },
  { name: "0041_erased_traces", sql: erasedTraces },
  { name: "0042_turns", sql: turns, sqlite: turnsSqlite, postgres: turnsPostgres },
  { name: "0043_suppressed_addresses", sql: suppressedAddresses },
  { name: "0044_held_webhooks", sql: heldWebhooks },
];

/** What the words in braces mean to PostgreSQL. */
const POSTGRES_WORDS: Readonly<Record<string, string>> = {
  serial: "bigint generated by default as identity primary key",
  strict: "",
  keyed: "",
  json: "jsonb",
  bytes: "bytea",
  real: "double precision",
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
  steps.slice(before).forEach((step, index) => apply(database, before + index + 1, step, now));
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
  const work = database.transaction(() => {
    const done = database.query("select 1 from schema_versions where version = ?").get(version);
    if (done) return;
    database.run(forSqlite(step.sql));
    if (step.sqlite) database.run(step.sqlite);
    database
      .query("insert into schema_versions (version, name, applied_at) values (?, ?, ?)")
      .run(version, step.name, now);
  });
  work.immediate();
}
