// The SQL of workflows, and of the versions that executions run on.
import { flag, json, jsonOrNull } from "../../../store/columns.ts";
import { folded } from "../../../store/folded.ts";
import { sqlList, sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";
import { timeOfSaving } from "../../../tenant/access/saving.ts";
import type { Definition, ReentryRule, Trigger } from "./definition.ts";

export type WorkflowFields = ReentryRule & {
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly trigger: Trigger;
  /** The user or key that saved it last; null = not noted. */
  readonly updatedBy: ChangeAuthor | null;
};

export type Workflow = WorkflowFields & {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  /** Goes up with each change. */
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

type WorkflowRow = Omit<Workflow, "enabled" | "trigger" | "updatedBy"> & {
  readonly enabled: 0 | 1;
  readonly triggerType: string;
  readonly triggerConfig: string;
  readonly updatedBy: string | null;
};

const COLUMNS = sql`seq, id, workspace, name, description, enabled, trigger_type as "triggerType",
  trigger_config as "triggerConfig", reentry, entry_key as "entryKey", revision, created_at as "createdAt", updated_at as "updatedAt",
  updated_by as "updatedBy"`;

function workflowOf(found: WorkflowRow): Workflow {
  const { enabled, triggerType: type, triggerConfig, ...row } = found;
  const trigger = { type, config: json(triggerConfig) } as Trigger;
  return {
    ...row,
    enabled: flag(enabled),
    trigger,
    updatedBy: jsonOrNull(row.updatedBy),
  };
}

async function oneWorkflow(row: Promise<WorkflowRow | null>): Promise<Workflow | null> {
  const found = await row;
  return found && workflowOf(found);
}

/** The searchable text in one column: lower() of the engines does not know every script. */
function searchText({ name, description }: WorkflowFields): string {
  return folded([name, description ?? ""].join("\n"));
}

export async function insertWorkflow(tx: Tx, workspace: number, id: string, fields: WorkflowFields): Promise<Workflow> {
  const { name, description, enabled, trigger, reentry, entryKey } = fields;
  const row = await tx.get<WorkflowRow>`
    insert into workflows
      (id, workspace, name, description, search_text, enabled, trigger_type, trigger_config, reentry, entry_key, updated_by, created_at, updated_at)
    values (${id}, ${workspace}, ${name}, ${description}, ${searchText(fields)}, ${enabled ? 1 : 0},
      ${trigger.type}, ${JSON.stringify(trigger.config)}, ${reentry}, ${entryKey},
      ${fields.updatedBy && JSON.stringify(fields.updatedBy)}, ${tx.now}, ${tx.now})
    returning ${COLUMNS}`;
  return workflowOf(row as WorkflowRow);
}

export function workflowById(reader: Reader, workspace: number, id: string): Promise<Workflow | null> {
  return oneWorkflow(
    reader.get`select ${COLUMNS} from workflows where workspace = ${workspace} and id = ${id} and deleted_at is null`,
  );
}

/** The workflows among these that the workspace has, in no order. */
export async function workflowsAmong(
  reader: Reader,
  workspace: number,
  ids: readonly string[],
): Promise<{ readonly seq: number; readonly id: string }[]> {
  if (ids.length === 0) return [];
  return reader.all`
    select seq, id from workflows where id in (${sqlList(ids)}) and workspace = ${workspace} and deleted_at is null`;
}

/** No other transaction can change the workflow until this one ends. */
export function lockWorkflow(tx: Tx, workspace: number, id: string): Promise<Workflow | null> {
  return oneWorkflow(tx.get`
    select ${COLUMNS} from workflows
    where workspace = ${workspace} and id = ${id} and deleted_at is null${tx.dialect.forUpdate}`);
}

/** For a start: no other transaction can change or delete the workflow until this one ends. */
export function holdWorkflow(tx: Tx, seq: number): Promise<Workflow | null> {
  return oneWorkflow(
    tx.get`select ${COLUMNS} from workflows where seq = ${seq} and deleted_at is null${tx.dialect.forReference}`,
  );
}

/** A schedule that has changed, or no longer runs, starts again. */
export function updateWorkflow(tx: Tx, seq: number, fields: WorkflowFields): Promise<number> {
  const { name, description, trigger, reentry } = fields;
  const [config, enabled] = [JSON.stringify(trigger.config), fields.enabled ? 1 : 0];
  return tx.run`
    update workflows set name = ${name}, description = ${description}, search_text = ${searchText(fields)},
      enabled = ${enabled}, trigger_type = ${trigger.type}, trigger_config = ${config},
      reentry = ${reentry}, entry_key = ${fields.entryKey}, updated_at = ${tx.now},
      fires_at = case when ${enabled} = 1 and trigger_config = ${config} then fires_at end,
      fired_to = case when ${enabled} = 1 and trigger_config = ${config} then fired_to else 0 end
    where seq = ${seq}`;
}

/** Later starts have a version of their own. */
export function countRevision(tx: Tx, before: Workflow): Promise<number> {
  return tx.run`
    update workflows set revision = revision + 1, updated_at = ${timeOfSaving(tx, before)} where seq = ${before.seq}`;
}

export function setUpdatedBy(tx: Tx, seq: number, by: ChangeAuthor): Promise<number> {
  return tx.run`update workflows set updated_by = ${JSON.stringify(by)} where seq = ${seq}`;
}

/** A firing that has begun keeps its time. */
export function setSchedule(tx: Tx, seq: number, segment: number | null, firesAt: string | null): Promise<number> {
  return tx.run`
    update workflows set segment = ${segment}, fires_at = coalesce(fires_at, ${firesAt}) where seq = ${seq}`;
}

/** Hides the workflow; its rows are deleted bit by bit. */
export function hideWorkflow(tx: Tx, seq: number): Promise<number> {
  return tx.run`update workflows set enabled = 0, segment = null, fires_at = null, deleted_at = ${tx.now} where seq = ${seq}`;
}

type WorkflowFilter = {
  readonly workspace: number;
  readonly search: string;
  readonly status: "active" | "inactive" | null;
};

function matching({ workspace, search, status }: WorkflowFilter) {
  const enabled = status === null ? sql`` : sql` and enabled = ${status === "active" ? 1 : 0}`;
  const found = search === "" ? sql`` : sql` and instr(search_text, ${folded(search)}) > 0`;
  return sql`workspace = ${workspace} and deleted_at is null${found}${enabled}`;
}

/** Newest first. */
export async function workflowsPage(
  reader: Reader,
  filter: WorkflowFilter,
  limit: number,
  offset: number,
): Promise<Workflow[]> {
  const rows = await reader.all<WorkflowRow>`
    select ${COLUMNS} from workflows where ${matching(filter)} order by seq desc limit ${limit} offset ${offset}`;
  return rows.map(workflowOf);
}

export async function countWorkflows(reader: Reader, filter: WorkflowFilter): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from workflows where ${matching(filter)}`;
  return row?.total ?? 0;
}

/** True while executions of it run or wait. */
export async function isRunning(reader: Reader, workflow: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as runs from executions where workflow = ${workflow} and status in ('RUNNING', 'WAITING') limit 1`;
  return row !== null;
}

/** A definition as executions run on it (version.ts). */
export type WorkflowVersion = Definition & {
  readonly workflowId: string;
  readonly name: string;
  /** Absent = none. */
  readonly entryKey?: string;
};

export type StoredVersion = {
  readonly seq: number;
  readonly version: WorkflowVersion;
  /** The length of its JSON. */ readonly chars: number;
};

type VersionRow = { readonly seq: number; readonly definition: string };

function versionOf({ seq, definition }: VersionRow): StoredVersion {
  return { seq, version: json(definition), chars: definition.length };
}

type Revision = { readonly workflow: number; readonly revision: number };

export function insertVersion(tx: Tx, { workflow, revision }: Revision, version: WorkflowVersion): Promise<number> {
  return tx.run`
    insert into workflow_versions (workflow, revision, definition, created_at)
    values (${workflow}, ${revision}, ${JSON.stringify(version)}, ${tx.now})
    on conflict (workflow, revision) do nothing`;
}

/** The versions with a step that may name an address. */
export function versionsWithAddresses(tx: Tx, workspace: number): Promise<VersionRow[]> {
  return tx.all`
    select v.seq, v.definition from workflow_versions v join workflows w on w.seq = v.workflow
    where w.workspace = ${workspace} and instr(v.definition, '@') > 0 order by v.seq`;
}

export function setDefinition(tx: Tx, version: number, definition: WorkflowVersion): Promise<number> {
  return tx.run`update workflow_versions set definition = ${JSON.stringify(definition)} where seq = ${version}`;
}

export async function versionOfRevision(reader: Reader, at: Revision): Promise<StoredVersion | null> {
  const row = await reader.get<VersionRow>`
    select seq, definition from workflow_versions where workflow = ${at.workflow} and revision = ${at.revision}`;
  return row && versionOf(row);
}

export async function versionBySeq(reader: Reader, seq: number): Promise<StoredVersion> {
  const row = await reader.get<VersionRow>`select seq, definition from workflow_versions where seq = ${seq}`;
  return versionOf(row as VersionRow);
}

export type ListedVersion = { readonly revision: number; readonly createdAt: string; readonly inside: number };

/** The versions on which contacts have started, newest first. */
export function versionsPage(reader: Reader, workflow: number, limit: number): Promise<ListedVersion[]> {
  return reader.all<ListedVersion>`
    select v.revision, v.created_at as "createdAt", (
      select count(*) from executions e where e.version = v.seq and e.status in ('RUNNING', 'WAITING')) as inside
    from workflow_versions v where v.workflow = ${workflow} order by v.revision desc limit ${limit}`;
}

/** The versions with executions that run or wait. */
export async function versionsInUse(reader: Reader, workflow: number): Promise<WorkflowVersion[]> {
  const rows = await reader.all<VersionRow>`
    select v.seq, v.definition from workflow_versions v
    where v.workflow = ${workflow}
      and exists (select 1 from executions e where e.version = v.seq and e.status in ('RUNNING', 'WAITING'))`;
  return rows.map((row) => versionOf(row).version);
}

/** True if an event of the name is recorded, or an open form sends it. */
export async function isHeardOf(reader: Reader, workspace: number, name: string): Promise<boolean> {
  const event = reader.dialect.jsonAt(sql`f.settings`, ["event"]).text;
  const row = await reader.get`
    select 1 as heard where exists (select 1 from events where workspace = ${workspace} and name = ${name})
      or exists (select 1 from forms f where f.workspace = ${workspace} and f.enabled = 1 and ${event} = ${name})`;
  return row !== null;
}
