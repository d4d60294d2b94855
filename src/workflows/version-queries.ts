// The SQL of versions, and of workflows as those who start in them see them.
import type { Reader, Tx } from "../store/store.ts";

type VersionName = { readonly workflow: number; readonly revision: number };

export function insertVersion(tx: Tx, { workflow, revision }: VersionName, definition: string): Promise<number> {
  return tx.run`
    insert into workflow_versions (workflow, revision, definition) values (${workflow}, ${revision}, ${definition})
    on conflict (workflow, revision) do nothing`;
}

export type VersionRow = { readonly seq: number; readonly definition: string };

export function versionOf(reader: Reader, { workflow, revision }: VersionName): Promise<VersionRow | null> {
  return reader.get<VersionRow>`
    select seq, definition from workflow_versions where workflow = ${workflow} and revision = ${revision}`;
}

export function versionBySeq(reader: Reader, seq: number): Promise<VersionRow | null> {
  return reader.get<VersionRow>`select seq, definition from workflow_versions where seq = ${seq}`;
}

/** On which something runs or waits. */
export function versionsInUse(reader: Reader, workflow: number): Promise<VersionRow[]> {
  return reader.all<VersionRow>`
    select v.seq, v.definition from workflow_versions v
    where v.workflow = ${workflow}
      and exists (select 1 from executions e where e.version = v.seq and e.status in ('RUNNING', 'WAITING'))`;
}

/** Null if it has been deleted. Until this transaction is over it is neither changed nor deleted. */
export function holdWorkflow(tx: Tx, seq: number): Promise<StartableRow | null> {
  return tx.get<StartableRow>`
    select seq, id, workspace, name, revision, enabled, trigger_type, trigger_config, allow_reentry from workflows
    where seq = ${seq} and deleted_at is null${tx.dialect.forReference}`;
}

export type StartableRow = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly name: string;
  readonly revision: number;
  readonly enabled: 0 | 1;
  readonly trigger_type: string;
  readonly trigger_config: string;
  readonly allow_reentry: 0 | 1;
};

type PastEvents = { readonly events: number; readonly contacts: number };

/** How many events of this name contacts have had since then, and how many contacts. */
export async function eventsSince(reader: Reader, workspace: number, name: string, since: string): Promise<PastEvents> {
  const row = await reader.get<PastEvents>`
    select count(*) as events, count(distinct contact) as contacts from events
    where workspace = ${workspace} and name = ${name} and contact is not null and created_at >= ${since}`;
  return row ?? { events: 0, contacts: 0 };
}
