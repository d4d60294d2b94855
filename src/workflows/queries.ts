// The SQL of workflows as they are written: their steps, their transitions.
import { folded } from "../store/folded.ts";
import { sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { StepType, TriggerType } from "./definition.ts";

export type WorkflowFields = {
  readonly name: string;
  readonly description: string | null;
  readonly enabled: 0 | 1;
  readonly trigger_type: TriggerType;
  /** JSON text. */
  readonly trigger_config: string;
  readonly allow_reentry: 0 | 1;
};

export type WorkflowRow = WorkflowFields & {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
};

const COLUMNS = sql`seq, id, workspace, name, description, enabled, trigger_type, trigger_config, allow_reentry, revision, created_at, updated_at`;

/** What a search looks through, in one column: lower() of the engines does not know every script. */
function searchText({ name, description }: WorkflowFields): string {
  return folded([name, description ?? ""].join("\n"));
}

export async function insertWorkflow(
  tx: Tx,
  workspace: number,
  id: string,
  fields: WorkflowFields,
): Promise<WorkflowRow> {
  const row = await tx.get<WorkflowRow>`
    insert into workflows
      (id, workspace, name, description, search_text, enabled, trigger_type, trigger_config, allow_reentry, created_at, updated_at)
    values (${id}, ${workspace}, ${fields.name}, ${fields.description}, ${searchText(fields)}, ${fields.enabled},
      ${fields.trigger_type}, ${fields.trigger_config}, ${fields.allow_reentry}, ${tx.now}, ${tx.now})
    returning ${COLUMNS}`;
  return row as WorkflowRow;
}

export function workflowById(reader: Reader, workspace: number, id: string): Promise<WorkflowRow | null> {
  return reader.get<WorkflowRow>`
    select ${COLUMNS} from workflows where workspace = ${workspace} and id = ${id} and deleted_at is null`;
}

/** Nobody else changes it until this transaction is over. */
export function lockWorkflow(tx: Tx, workspace: number, id: string): Promise<WorkflowRow | null> {
  return tx.get<WorkflowRow>`
    select ${COLUMNS} from workflows where workspace = ${workspace} and id = ${id} and deleted_at is null${tx.dialect.forUpdate}`;
}

/** A schedule that is another, or no longer runs, begins anew. */
export function updateWorkflow(tx: Tx, seq: number, fields: WorkflowFields): Promise<number> {
  return tx.run`
    update workflows set name = ${fields.name}, description = ${fields.description}, search_text = ${searchText(fields)},
      enabled = ${fields.enabled}, trigger_type = ${fields.trigger_type}, trigger_config = ${fields.trigger_config},
      allow_reentry = ${fields.allow_reentry}, updated_at = ${tx.now},
      fires_at = case when ${fields.enabled} = 1 and trigger_config = ${fields.trigger_config} then fires_at end,
      fired_to = case when ${fields.enabled} = 1 and trigger_config = ${fields.trigger_config} then fired_to else 0 end
    where seq = ${seq}`;
}

/** What starts from now on starts on a version of its own. */
export function countRevision(tx: Tx, seq: number): Promise<number> {
  return tx.run`update workflows set revision = revision + 1, updated_at = ${tx.now} where seq = ${seq}`;
}

type WorkflowFilter = { readonly workspace: number; readonly search: string };

function matching({ workspace, search }: WorkflowFilter) {
  const found = search === "" ? sql`` : sql` and instr(search_text, ${folded(search)}) > 0`;
  return sql`workspace = ${workspace} and deleted_at is null${found}`;
}

/** Newest first. */
export function workflowsPage(
  reader: Reader,
  filter: WorkflowFilter,
  limit: number,
  offset: number,
): Promise<WorkflowRow[]> {
  return reader.all<WorkflowRow>`
    select ${COLUMNS} from workflows where ${matching(filter)} order by seq desc limit ${limit} offset ${offset}`;
}

export async function countWorkflows(reader: Reader, filter: WorkflowFilter): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from workflows where ${matching(filter)}`;
  return row?.total ?? 0;
}

export type StepFields = {
  readonly type: StepType;
  readonly name: string;
  /** JSON text. */
  readonly config: string;
  /** The seq of the template that it sends. */
  readonly template: number | null;
  /** JSON text. */
  readonly position: string | null;
};

export type StepRow = StepFields & {
  readonly seq: number;
  readonly id: string;
  readonly template_id: string | null;
  readonly template_name: string | null;
  readonly template_from: string | null;
  readonly created_at: string;
  readonly updated_at: string;
};

const STEPS = sql`
  select s.seq, s.id, s.type, s.name, s.config, s.template, s.position, s.created_at, s.updated_at,
    t.id as template_id, t.name as template_name, t.from_address as template_from
  from workflow_steps s left join templates t on t.seq = s.template`;

type NewStep = StepFields & { readonly id: string; readonly workspace: number; readonly workflow: number };

export async function insertStep(tx: Tx, step: NewStep): Promise<number> {
  const row = await tx.get<{ seq: number }>`
    insert into workflow_steps (id, workspace, workflow, type, name, config, template, position, created_at, updated_at)
    values (${step.id}, ${step.workspace}, ${step.workflow}, ${step.type}, ${step.name}, ${step.config}, ${step.template},
      ${step.position}, ${tx.now}, ${tx.now})
    returning seq`;
  return (row as { seq: number }).seq;
}

/** In the order in which they were added. */
export function stepsOf(reader: Reader, workflow: number): Promise<StepRow[]> {
  return reader.all<StepRow>`${STEPS} where s.workflow = ${workflow} order by s.seq`;
}

export function stepById(reader: Reader, workflow: number, id: string): Promise<StepRow | null> {
  return reader.get<StepRow>`${STEPS} where s.workflow = ${workflow} and s.id = ${id}`;
}

export function updateStep(tx: Tx, seq: number, { name, config, template, position }: StepFields): Promise<number> {
  return tx.run`
    update workflow_steps set name = ${name}, config = ${config}, template = ${template}, position = ${position},
      updated_at = ${tx.now}
    where seq = ${seq}`;
}

/** Its transitions go with it. */
export function deleteStep(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from workflow_steps where seq = ${seq}`;
}

export function deleteStepsOf(tx: Tx, workflow: number): Promise<number> {
  return tx.run`delete from workflow_steps where workflow = ${workflow}`;
}

export type TransitionRow = {
  readonly seq: number;
  readonly id: string;
  readonly from_id: string;
  readonly to_id: string;
  readonly branch: string | null;
  readonly created_at: string;
};

type NewTransition = {
  readonly id: string;
  readonly workflow: number;
  readonly from: number;
  readonly to: number;
  readonly branch: string | null;
};

export function insertTransition(tx: Tx, { id, workflow, from, to, branch }: NewTransition): Promise<number> {
  return tx.run`
    insert into workflow_transitions (id, workflow, from_step, to_step, branch, created_at)
    values (${id}, ${workflow}, ${from}, ${to}, ${branch}, ${tx.now})`;
}

export function transitionsOf(reader: Reader, workflow: number): Promise<TransitionRow[]> {
  return reader.all<TransitionRow>`
    select t.seq, t.id, a.id as from_id, b.id as to_id, t.branch, t.created_at
    from workflow_transitions t
    join workflow_steps a on a.seq = t.from_step
    join workflow_steps b on b.seq = t.to_step
    where t.workflow = ${workflow} order by t.seq`;
}

export function deleteTransition(tx: Tx, workflow: number, id: string): Promise<number> {
  return tx.run`delete from workflow_transitions where workflow = ${workflow} and id = ${id}`;
}

/** Nobody sees it any more; its rows go little by little. */
export function hideWorkflow(tx: Tx, seq: number): Promise<number> {
  return tx.run`update workflows set enabled = 0, segment = null, fires_at = null, deleted_at = ${tx.now} where seq = ${seq}`;
}
