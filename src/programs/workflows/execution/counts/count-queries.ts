// The SQL of the people at the steps of workflows, and of their numbers. Executions whose trace is forgotten are not
// counted.
import { joined, sql, type Sql } from "../../../../store/sql.ts";
import type { Reader } from "../../../../store/store.ts";
import type { ExecutionStatus } from "../queries.ts";
import type { StepStatus } from "../trace-queries.ts";

const STEP_STATUSES: readonly StepStatus[] = ["WAITING", "COMPLETED", "SKIPPED", "FAILED", "CANCELLED"];
const STATUSES: readonly ExecutionStatus[] = ["RUNNING", "WAITING", "COMPLETED", "EXITED", "FAILED", "CANCELLED"];

type StatusTally = { readonly workflow: number; readonly status: ExecutionStatus; readonly people: number };

/** By state, at most `most` of each; one tally of all, one of those whose trace is forgotten. */
export async function talliesOf(
  reader: Reader,
  workflows: readonly number[],
  most: number,
): Promise<{ readonly all: readonly StatusTally[]; readonly bare: readonly StatusTally[] }> {
  const tally = (only: Sql) => {
    const each = workflows.flatMap((workflow) =>
      STATUSES.map(
        (status) => sql`select ${workflow} as workflow, ${status} as status, count(*) as people from (
          select 1 from executions where workflow = ${workflow} and status = ${status}${only} limit ${most}) as place`,
      ),
    );
    return reader.all<StatusTally>`${joined(each, " union all ")}`;
  };
  return { all: await tally(sql``), bare: await tally(sql` and is_bare = 1`) };
}

type StepTally = { readonly status: StepStatus; readonly branch: string | null; readonly people: number };

/** The records of one step, at most `most` of each status: the latest. */
export function recordsAt(reader: Reader, step: string, most: number): Promise<StepTally[]> {
  const each = STEP_STATUSES.map(
    (status) => sql`select ${status} as status, null as branch, count(*) as people from (
      select 1 from execution_steps where step = ${step} and status = ${status} limit ${most}) as place`,
  );
  return reader.all<StepTally>`${joined(each, " union all ")}`;
}

/** As `recordsAt`, by the branches taken; it takes longer. */
export function recordsByBranch(reader: Reader, step: string, most: number): Promise<StepTally[]> {
  const each = STEP_STATUSES.map(
    (status) => sql`select * from (select status, branch from execution_steps
      where step = ${step} and status = ${status} order by execution desc limit ${most}) as place`,
  );
  return reader.all<StepTally>`
    select status, branch, count(*) as people from (${joined(each, " union all ")}) as place group by status, branch`;
}

/** Executions that failed, by the step at which they stopped; null = before they began. */
export function stoppedIn(
  reader: Reader,
  workflow: number,
): Promise<{ readonly step: string | null; readonly people: number }[]> {
  return reader.all`
    select step, count(*) as people from executions
    where workflow = ${workflow} and status = 'FAILED' and is_bare = 0 group by step`;
}

/** Executions that have not left the trigger yet. */
export async function notBegun(reader: Reader, workflow: number, trigger: string, most: number): Promise<number> {
  const row = await reader.get<{ people: number }>`
    select count(*) as people from (
      select step from executions where workflow = ${workflow} and status = 'RUNNING' limit ${most}) as place
    where step = ${trigger}`;
  return row?.people ?? 0;
}

/** The states of people at a step, in the words of the counts. */
export const STATES = ["reached", "here", "passed", "skipped", "failed", "stopped", "cancelled"] as const;
export type StateAtStep = (typeof STATES)[number];

const RECORDS: Readonly<Record<Exclude<StateAtStep, "stopped">, readonly StepStatus[]>> = {
  reached: STEP_STATUSES,
  here: ["WAITING"],
  passed: ["COMPLETED", "SKIPPED", "FAILED"],
  skipped: ["SKIPPED"],
  failed: ["FAILED"],
  cancelled: ["CANCELLED"],
};

/** The states of executions in their workflow, in the words of the counts. */
export const TALLIES = {
  started: STATUSES,
  inside: ["RUNNING", "WAITING"],
  ended: ["COMPLETED", "EXITED"],
  failed: ["FAILED"],
  cancelled: ["CANCELLED"],
} as const satisfies Readonly<Record<string, readonly ExecutionStatus[]>>;
export type StateInWorkflow = keyof typeof TALLIES;

export type PeopleFilter = {
  readonly workflow: number;
  /** Its public id; null = of the whole workflow. */
  readonly step: { readonly id: string; readonly isTrigger: boolean } | null;
  readonly state: StateAtStep;
  /** The state in the whole workflow; null = any. */
  readonly tally: StateInWorkflow | null;
  readonly branch: string | null;
  readonly status: ExecutionStatus | null;
  readonly contact: number | null;
};

type ExecutionPage = { readonly before: number | null; readonly limit: number };

/** The seqs of executions, newest first. */
export async function executionsFound(reader: Reader, filter: PeopleFilter, piece: ExecutionPage): Promise<number[]> {
  const { step, state, tally } = filter;
  if (tally !== null) return newest(await reader.all`${tallied(filter, TALLIES[tally], piece)}`, piece);
  if (step === null || step.isTrigger || state === "stopped")
    return seqsOf(await reader.all`${matchingExecutions(filter, piece)} order by seq desc limit ${piece.limit}`);
  return newest(await reader.all`${foundByRecord({ ...filter, step: step.id, state }, piece)}`, piece);
}

function newest(rows: readonly { readonly seq: number }[], { limit }: ExecutionPage): number[] {
  return seqsOf(rows)
    .sort((one, other) => other - one)
    .slice(0, limit);
}

function seqsOf(rows: readonly { readonly seq: number }[]): number[] {
  return rows.map(({ seq }) => seq);
}

function tallied(filter: PeopleFilter, statuses: readonly ExecutionStatus[], { before, limit }: ExecutionPage): Sql {
  const { workflow, contact } = filter;
  const also = sql`is_bare = 0${contact === null ? sql`` : sql` and contact = ${contact}`}${
    before === null ? sql`` : sql` and seq < ${before}`
  }`;
  const each = statuses.map(
    (status) => sql`select * from (select seq from executions
      where workflow = ${workflow} and status = ${status} and ${also} order by seq desc limit ${limit}) as place`,
  );
  return joined(each, " union all ");
}

function matchingExecutions(filter: PeopleFilter, piece: ExecutionPage): Sql {
  const { workflow, step, state, contact, status } = filter;
  const own = sql`workflow = ${workflow}${contact === null ? sql`` : sql` and contact = ${contact}`}${
    status === null ? sql`` : sql` and status = ${status}`
  }${piece.before === null ? sql`` : sql` and seq < ${piece.before}`}`;
  if (step === null) return sql`select seq from executions where ${own}`;
  if (state === "stopped")
    return sql`select seq from executions where ${own} and step = ${step.id} and status = 'FAILED' and is_bare = 0`;
  return sql`select seq from executions where ${own} and ${atTrigger(step.id, state)}`;
}

/** The trigger has no records: every execution has passed it. */
function atTrigger(trigger: string, state: Exclude<StateAtStep, "stopped">): Sql {
  const begun = sql`is_bare = 0 and step is not null`;
  if (state === "reached") return begun;
  if (state === "here") return sql`status = 'RUNNING' and step = ${trigger}`;
  if (state !== "passed") return sql`1 = 0`;
  return sql`${begun} and not (step = ${trigger} and status in ('RUNNING', 'FAILED'))`;
}

/** Newest first within each status. */
type RecordFilter = Omit<PeopleFilter, "step" | "state" | "tally"> & {
  readonly step: string;
  readonly state: Exclude<StateAtStep, "stopped">;
};

function foundByRecord(
  { workflow, step, state, branch, contact }: RecordFilter,
  { before, limit }: ExecutionPage,
): Sql {
  const also = [
    branch === null ? sql`` : sql` and branch = ${branch}`,
    before === null ? sql`` : sql` and execution < ${before}`,
    contact === null
      ? sql``
      : sql` and execution in (select seq from executions where contact = ${contact} and workflow = ${workflow})`,
    state !== "passed"
      ? sql``
      : sql` and not exists (select 1 from executions e where e.seq = execution and e.status = 'FAILED' and e.step = ${step})`,
  ];
  const each = RECORDS[state].map(
    (status) => sql`select * from (select execution as seq from execution_steps
      where step = ${step} and status = ${status}${joined(also, "")} order by execution desc limit ${limit}) as place`,
  );
  return joined(each, " union all ");
}
