// The SQL of executions as the interface shows them, and of their traces: the result of each step reached.
import type { Variables } from "../../../audience/contacts/data.ts";
import { PRESENT } from "../../../audience/contacts/queries.ts";
import { flag, jsonOrNull } from "../../../store/columns.ts";
import { changing, insertion, seqsOf } from "../../../store/row-statement.ts";
import { sqlList, sql, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { ExecutionStatus } from "./queries.ts";

export type ListedExecution = {
  readonly seq: number;
  readonly id: string;
  readonly version: number;
  readonly status: ExecutionStatus;
  readonly step: string | null;
  readonly dueAt: string | null;
  readonly awaits: string | null;
  readonly eventName: string | null;
  /** Null if it is too long for a list. */
  readonly context: Variables | null;
  readonly reason: string | null;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** True if its trace is forgotten. */
  readonly isBare: boolean;
  readonly contactId: string;
  readonly contactEmail: string;
};

export type Execution = ListedExecution & { readonly context: Variables };

type ExecutionRow = Omit<ListedExecution, "context" | "isBare"> & {
  readonly context: string | null;
  readonly isBare: 0 | 1;
};

/** Without executions of people who are being erased. */
function selectExecutions(context: Sql): Sql {
  return sql`
    select e.seq, e.id, e.version, e.status, e.step, e.due_at as "dueAt", e.awaits, e.event_name as "eventName",
      ${context} as context, e.reason, e.started_at as "startedAt", e.ended_at as "endedAt", e.is_bare as "isBare",
      c.id as "contactId", c.email as "contactEmail"
    from executions e join contacts c on c.seq = e.contact and ${PRESENT}`;
}

function executionOf(row: ExecutionRow): ListedExecution {
  return { ...row, context: jsonOrNull(row.context), isBare: flag(row.isBare) };
}

export async function executionById(reader: Reader, workflow: number, id: string): Promise<Execution | null> {
  const row = await reader.get<ExecutionRow>`
    ${selectExecutions(sql`e.context`)} where e.workflow = ${workflow} and e.id = ${id}`;
  return row && (executionOf(row) as Execution);
}

type ExecutionFilter = { readonly workflow: number; readonly status: ExecutionStatus | null };

function matching({ workflow, status }: ExecutionFilter) {
  return status === null ? sql`workflow = ${workflow}` : sql`workflow = ${workflow} and status = ${status}`;
}

const MAX_LISTED_CONTEXT_CHARS = 10_000;

/** Newest first. The page is cut on the narrow index before the rows are fetched. */
export async function executionsPage(
  reader: Reader,
  filter: ExecutionFilter,
  limit: number,
  offset: number,
): Promise<ListedExecution[]> {
  const context = sql`case when length(e.context) <= ${MAX_LISTED_CONTEXT_CHARS} then e.context end`;
  const rows = await reader.all<ExecutionRow>`
    ${selectExecutions(context)} where e.seq in
      (select seq from executions where ${matching(filter)} order by seq desc limit ${limit} offset ${offset})
    order by e.seq desc`;
  return rows.map(executionOf);
}

/** Newest first. */
export async function executionsNumbered(reader: Reader, seqs: readonly number[]): Promise<ListedExecution[]> {
  if (seqs.length === 0) return [];
  const context = sql`case when length(e.context) <= ${MAX_LISTED_CONTEXT_CHARS} then e.context end`;
  const rows = await reader.all<ExecutionRow>`
    ${selectExecutions(context)} where e.seq in (${sqlList(seqs)}) order by e.seq desc`;
  return rows.map(executionOf);
}

export async function countExecutions(reader: Reader, filter: ExecutionFilter): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from executions where ${matching(filter)}`;
  return row?.total ?? 0;
}

export type StepStatus = "WAITING" | "COMPLETED" | "SKIPPED" | "FAILED" | "CANCELLED";

type StepResult = { readonly status: StepStatus; /** Null = as before. */ readonly output: Variables | null };

type NewExecutionStep = StepResult & {
  readonly id: string;
  readonly execution: number;
  /** The public id of the step in the workflow. */
  readonly step: string;
};

function outputText(output: Variables | null): string | null {
  return output === null ? null : JSON.stringify(output);
}

/** The branch by which a step was left is in its output. */
function branchIn(output: Variables | null): string | null {
  return typeof output?.["branch"] === "string" ? output["branch"] : null;
}

const STEPS = insertion(
  "execution_steps",
  {
    id: "text",
    execution: "bigint",
    step: "text",
    status: "text",
    output: "text",
    branch: "text",
    started_at: "text",
    ended_at: "text",
  },
  "returning seq",
);

/** Answers the seq of each. @throws if an execution has been at its step before: no step is done twice */
export async function insertExecutionSteps(tx: Tx, steps: readonly NewExecutionStep[]): Promise<number[]> {
  const rows = steps.map(({ id, execution, step, status, output }) => [
    id,
    execution,
    step,
    status,
    outputText(output),
    branchIn(output),
    tx.now,
    status === "WAITING" ? null : tx.now,
  ]);
  return seqsOf(await tx.runEach<{ seq: number }>(STEPS, rows));
}

export type EndedStep = Pick<NewExecutionStep, "execution" | "step" | "output">;

const ENDED = changing(
  "execution_steps",
  { execution: "bigint", step: "text", output: "text", branch: "text", now: "text" },
  ({ execution, step, output, branch, now }) => ({
    set: `status = 'COMPLETED', output = coalesce(${output}, output), branch = ${branch}, ended_at = ${now}`,
    where: `execution_steps.execution = ${execution} and execution_steps.step = ${step} and status = 'WAITING'`,
    returning: "execution_steps.seq",
  }),
);

/** Ends steps that wait. */
export async function endExecutionSteps(tx: Tx, steps: readonly EndedStep[]): Promise<void> {
  await tx.runEach(
    ENDED,
    steps.map(({ execution, step, output }) => [execution, step, outputText(output), branchIn(output), tx.now]),
  );
}

export function setStepResult(tx: Tx, seq: number, { status, output }: StepResult): Promise<number> {
  return tx.run`
    update execution_steps set status = ${status}, output = coalesce(${outputText(output)}, output), ended_at = ${tx.now}
    where seq = ${seq}`;
}

export type ExecutionStep = StepResult & {
  readonly seq: number;
  readonly id: string;
  readonly step: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
};

type ExecutionStepRow = Omit<ExecutionStep, "output"> & { readonly output: string | null };

/** In the order of the steps. */
export async function traceOf(reader: Reader, execution: number): Promise<ExecutionStep[]> {
  const rows = await reader.all<ExecutionStepRow>`
    select seq, id, step, status, output, started_at as "startedAt", ended_at as "endedAt"
    from execution_steps where execution = ${execution}`;
  const steps = rows.map((row) => ({ ...row, output: jsonOrNull<Variables>(row.output) }));
  return steps.sort((one, other) => one.seq - other.seq);
}

export function cancelSteps(tx: Tx, executions: readonly number[]): Promise<number> {
  return tx.run`
    update execution_steps set status = 'CANCELLED', ended_at = ${tx.now}
    where execution in (${sqlList(executions)}) and status = 'WAITING'`;
}
