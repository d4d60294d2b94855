// The number of people at each step of a workflow, and on each branch: counted from executions and their records, never
// from an audience. Counting is bounded; incomplete numbers are marked.
import { branchesOf, type WorkflowStep, type Transition } from "../../definition/definition.ts";
import type { Clock } from "../../../../base/clock.ts";
import type { Reader } from "../../../../store/store.ts";
import { mailsAtStep, type MailsAtStep } from "../../../../mail/emails/list/at-step.ts";
import type { WorkflowWithSteps } from "../../definition/workflow.ts";
import {
  notBegun,
  recordsAt,
  recordsByBranch,
  stoppedIn,
  TALLIES,
  talliesOf,
  type StateInWorkflow,
} from "./count-queries.ts";

export type ExecutionTally = {
  readonly started: number;
  readonly inside: number;
  readonly ended: number;
  readonly failed: number;
  readonly cancelled: number;
};

export type StepCounts = {
  readonly stepId: string;
  /** here + passed + stopped + cancelled */
  readonly reached: number;
  readonly here: number;
  readonly passed: number;
  readonly skipped: number;
  /** Records, also of executions that went on. */
  readonly failed: number;
  readonly stopped: number;
  readonly cancelled: number;
  readonly branches: readonly { readonly branch: string; readonly passed: number }[];
  /** The mails of a step that sends them: sent ones, and ones that have not left. Null for other steps. */
  readonly mails: MailsAtStep | null;
};

export type WorkflowCounts = {
  readonly executions: ExecutionTally;
  readonly steps: readonly StepCounts[];
  readonly transitions: readonly { readonly transitionId: string; readonly passed: number }[];
  readonly isLowerBound: boolean;
};

/** The limit of each kind: a step of so many takes some hundredths of a second. */
const MOST = 200_000;
const LONGEST_MS = 300;
/** Once time is up. */
const FEW = 1_000;

export type TallyOf = ExecutionTally & { readonly isLowerBound: boolean };

/** The tally of each workflow; the more workflows, the lower the limit of each. */
export async function talliesFor(reader: Reader, workflows: readonly number[]): Promise<TallyOf[]> {
  if (workflows.length === 0) return [];
  const most = Math.floor((2 * MOST) / Math.max(2, workflows.length));
  const { all, bare } = await talliesOf(reader, workflows, most);
  return workflows.map((workflow) => {
    const people = (state: StateInWorkflow) =>
      Math.max(0, sumOf(all, workflow, TALLIES[state]) - sumOf(bare, workflow, TALLIES[state]));
    const [inside, ended] = [people("inside"), people("ended")];
    const [failed, cancelled] = [people("failed"), people("cancelled")];
    const isLowerBound = all.some((one) => one.workflow === workflow && one.people >= most);
    return { started: inside + ended + failed + cancelled, inside, ended, failed, cancelled, isLowerBound };
  });
}

type StatusTally = { readonly workflow: number; readonly status: string; readonly people: number };

function sumOf(tallied: readonly StatusTally[], workflow: number, states: readonly string[]): number {
  return peopleTotal(tallied.filter((one) => one.workflow === workflow && states.includes(one.status)));
}

function peopleTotal(some: readonly { readonly people: number }[]): number {
  return some.reduce((total, { people }) => total + people, 0);
}

export async function countsOf(reader: Reader, workflow: WorkflowWithSteps, clock: Clock): Promise<WorkflowCounts> {
  const startedMs = clock.monotonicMs();
  const [{ isLowerBound, ...executions }] = (await talliesFor(reader, [workflow.seq])) as [TallyOf];
  const stopped = new Map((await stoppedIn(reader, workflow.seq)).map(({ step, people }) => [step, people]));
  const counting = { reader, workspace: workflow.workspace, stopped, isCut: isLowerBound };
  const steps: StepCounts[] = [];
  for (const step of workflow.steps) {
    const most = clock.monotonicMs() - startedMs < LONGEST_MS ? MOST : FEW;
    const isTrigger = step.type === "TRIGGER";
    steps.push(
      isTrigger ? await atTrigger(counting, workflow.seq, step.id, executions) : await atStep(counting, step, most),
    );
  }
  const transitions = workflow.transitions.map((one) => ({
    transitionId: one.id,
    passed: passedBy(workflow, steps, one),
  }));
  return { executions, steps, transitions, isLowerBound: counting.isCut };
}

type ExecutionCounter = {
  readonly reader: Reader;
  readonly workspace: number;
  readonly stopped: ReadonlyMap<string | null, number>;
  isCut: boolean;
};

/** Every execution has passed it. */
async function atTrigger(
  { reader, stopped }: ExecutionCounter,
  workflow: number,
  stepId: string,
  { started }: ExecutionTally,
): Promise<StepCounts> {
  const reached = Math.max(0, started - (stopped.get(null) ?? 0));
  const [here, failed] = [await notBegun(reader, workflow, stepId, MOST), stopped.get(stepId) ?? 0];
  const passed = Math.max(0, reached - here - failed);
  return {
    stepId,
    reached,
    here,
    passed,
    skipped: 0,
    failed,
    stopped: failed,
    cancelled: 0,
    branches: [],
    mails: null,
  };
}

async function atStep(counting: ExecutionCounter, step: WorkflowStep, most: number): Promise<StepCounts> {
  const look = branchesOf(step).length > 0 ? recordsByBranch : recordsAt;
  const records = await look(counting.reader, step.id, most);
  const people = (...states: string[]) => peopleTotal(records.filter(({ status }) => states.includes(status)));
  if (records.some((one) => one.people >= most) || people("COMPLETED") >= most) counting.isCut = true;
  const [here, skipped, failed] = [people("WAITING"), people("SKIPPED"), people("FAILED")];
  const [cancelled, stopped] = [people("CANCELLED"), counting.stopped.get(step.id) ?? 0];
  const passed = Math.max(0, people("COMPLETED") + skipped + failed - stopped);
  const branches = branchesOf(step).map((branch) => ({
    branch,
    passed: peopleTotal(records.filter((one) => one.branch === branch)),
  }));
  const reached = here + passed + stopped + cancelled;
  const mails = step.type === "SEND_EMAIL" ? await mailsAt(counting, step.id, most) : null;
  return { stepId: step.id, reached, here, passed, skipped, failed, stopped, cancelled, branches, mails };
}

async function mailsAt(counting: ExecutionCounter, step: string, most: number): Promise<MailsAtStep> {
  const mails = await mailsAtStep(counting.reader, { workspace: counting.workspace, step }, most);
  if (Math.max(mails.queued + mails.retrying, mails.held, mails.failed) >= most) counting.isCut = true;
  return mails;
}

/** A transition without a branch is taken by the executions of every branch that no other one names. */
function passedBy(
  { transitions }: WorkflowWithSteps,
  steps: readonly StepCounts[],
  { from, branch }: Transition,
): number {
  const counts = steps.find(({ stepId }) => stepId === from);
  if (!counts) return 0;
  if (branch !== null) return counts.branches.find((one) => one.branch === branch)?.passed ?? 0;
  const named = new Set(transitions.filter((one) => one.from === from).map((one) => one.branch));
  if (counts.branches.length === 0) return counts.passed;
  return counts.branches.reduce((total, one) => total + (named.has(one.branch) ? 0 : one.passed), 0);
}
