// The SQL of steps and transitions.
import { json, jsonOrNull } from "../../../../store/columns.ts";
import { sql } from "../../../../store/sql.ts";
import type { Reader, Tx } from "../../../../store/store.ts";
import type { SpellingField, WorkflowStep, Transition } from "../definition.ts";

export type StepFields = Pick<WorkflowStep, "type" | "name" | "config"> & {
  readonly spelling: readonly SpellingField[];
  /** The seq of the template that it sends. */
  readonly template: number | null;
  /** The seqs of the segments that its condition names. */
  readonly segments: readonly number[];
  /** Any JSON, for editors. */
  readonly position: unknown;
};

export type StoredStep = WorkflowStep & {
  readonly seq: number;
  readonly position: unknown;
  readonly template: { readonly id: string; readonly name: string; readonly from: string | null } | null;
  readonly createdAt: string;
  readonly updatedAt: string;
};

type StepRow = Omit<StoredStep, "config" | "position" | "template"> & {
  readonly config: string;
  readonly position: string | null;
  readonly templateId: string | null;
  readonly templateName: string;
  readonly templateFrom: string | null;
};

const STEPS = sql`
  select s.seq, s.id, s.type, s.name, s.config, s.position, s.created_at as "createdAt", s.updated_at as "updatedAt",
    t.id as "templateId", t.name as "templateName", t.from_address as "templateFrom"
  from workflow_steps s left join templates t on t.seq = s.template`;

function stepOf({ config: text, position, templateId: id, templateName: name, templateFrom: from, ...row }: StepRow) {
  const template = id === null ? null : { id, name, from };
  const { spelling, ...config } = json<{ readonly spelling?: readonly SpellingField[] }>(text);
  const written = spelling ? { config, spelling } : { config };
  return { ...row, ...written, position: jsonOrNull(position), template } as StoredStep;
}

/** The spelling is kept with the configuration. */
function configText({ config, spelling }: StepFields): string {
  return JSON.stringify(spelling.length === 0 ? config : { ...config, spelling });
}

function positionText(position: unknown): string | null {
  return position === null || position === undefined ? null : JSON.stringify(position);
}

type NewStep = StepFields & { readonly id: string; readonly workspace: number; readonly workflow: number };

/** Answers its seq. */
export async function insertStep(tx: Tx, step: NewStep): Promise<number> {
  const row = await tx.get<{ seq: number }>`
    insert into workflow_steps (id, workspace, workflow, type, name, config, template, position, created_at, updated_at)
    values (${step.id}, ${step.workspace}, ${step.workflow}, ${step.type}, ${step.name}, ${configText(step)},
      ${step.template}, ${positionText(step.position)}, ${tx.now}, ${tx.now})
    returning seq`;
  const { seq } = row as { seq: number };
  await insertSegments(tx, seq, step.segments);
  return seq;
}

/**
 * Keeps these segments from being deleted as long as the step exists. @throws ConstraintError `foreignKey` if one was
 * deleted at this moment
 */
async function insertSegments(tx: Tx, step: number, segments: readonly number[]): Promise<void> {
  for (const segment of segments) await tx.run`insert into step_segments (step, segment) values (${step}, ${segment})`;
}

/** In the order in which they were added. */
export async function stepsOf(reader: Reader, workflow: number): Promise<StoredStep[]> {
  return (await reader.all<StepRow>`${STEPS} where s.workflow = ${workflow} order by s.seq`).map(stepOf);
}

export async function stepById(reader: Reader, workflow: number, id: string): Promise<StoredStep | null> {
  const row = await reader.get<StepRow>`${STEPS} where s.workflow = ${workflow} and s.id = ${id}`;
  return row && stepOf(row);
}

export async function updateStep(tx: Tx, seq: number, fields: StepFields): Promise<void> {
  const { name, template, position, segments } = fields;
  await tx.run`
    update workflow_steps set name = ${name}, config = ${configText(fields)}, template = ${template},
      position = ${positionText(position)}, updated_at = ${tx.now}
    where seq = ${seq}`;
  await tx.run`delete from step_segments where step = ${seq}`;
  await insertSegments(tx, seq, segments);
}

/** The conditions that may name an address, as JSON. */
export function conditionsWithAddresses(tx: Tx, workspace: number): Promise<{ seq: number; config: string }[]> {
  return tx.all`
    select seq, config from workflow_steps
    where workspace = ${workspace} and type = 'CONDITION' and instr(config, '@') > 0 order by seq${tx.dialect.forUpdate}`;
}

/** `config`: JSON. */
export function setConfig(tx: Tx, step: number, config: string): Promise<number> {
  return tx.run`update workflow_steps set config = ${config} where seq = ${step}`;
}

/** Its transitions are deleted with it. */
export function deleteStep(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from workflow_steps where seq = ${seq}`;
}

export function deleteStepsOf(tx: Tx, workflow: number): Promise<number> {
  return tx.run`delete from workflow_steps where workflow = ${workflow}`;
}

export type StoredTransition = Transition & { readonly id: string; readonly createdAt: string };

/** Steps by their seq. */
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

export function transitionsOf(reader: Reader, workflow: number): Promise<StoredTransition[]> {
  return reader.all<StoredTransition>`
    select t.id, a.id as "from", b.id as "to", t.branch, t.created_at as "createdAt"
    from workflow_transitions t
    join workflow_steps a on a.seq = t.from_step
    join workflow_steps b on b.seq = t.to_step
    where t.workflow = ${workflow} order by t.seq`;
}

export function deleteTransition(tx: Tx, workflow: number, id: string): Promise<number> {
  return tx.run`delete from workflow_transitions where workflow = ${workflow} and id = ${id}`;
}
