// Executions and their traces as the interface shows them.
import { t } from "elysia";
import { countShape, emailAddressShape, idShape, nullable, oneOf, timeShape } from "../../../http/answer-shapes.ts";
import type { Reader } from "../../../store/store.ts";
import { STEP_TYPES, triggerStepOf, type WorkflowStep } from "../definition/definition.ts";
import type { WorkflowVersion } from "../definition/queries.ts";
import type { WebhookAttempt } from "../../webhooks/sending/attempt-queries.ts";
import { attemptsOfSteps } from "../webhook/attempt-queries.ts";
import { traceOf, type Execution, type ExecutionStep, type ListedExecution } from "./trace-queries.ts";

const object = t.Record(t.String(), t.Unknown());
const namedStep = t.Object({ id: idShape, name: t.String(), type: oneOf(...STEP_TYPES) });

export const executionStatusShape = oneOf("RUNNING", "WAITING", "COMPLETED", "EXITED", "FAILED", "CANCELLED");

const executionFields = {
  id: idShape,
  workflowId: idShape,
  status: executionStatusShape,
  contactId: idShape,
  contact: t.Object({ id: idShape, email: emailAddressShape }),
  currentStep: nullable(namedStep),
  eventName: nullable(t.String()),
  waitingFor: nullable(t.String()),
  resumesAt: nullable(timeShape),
  reason: nullable(t.String()),
  startedAt: timeShape,
  endedAt: nullable(timeShape),
};

const contextOrNone = t.Union([object, t.Null()], { description: "Null if it is too long for a list." });

export const executionShape = t.Object({ ...executionFields, context: contextOrNone }, { title: "WorkflowExecution" });

const attemptShape = t.Object({
  number: countShape,
  at: timeShape,
  outcome: nullable(oneOf("delivered", "later", "failed")),
  status: nullable(countShape),
  durationMs: nullable(countShape),
  answer: nullable(t.String()),
});

const stepRunShape = t.Object(
  {
    id: idShape,
    stepId: idShape,
    name: t.String(),
    type: oneOf(...STEP_TYPES),
    status: oneOf("WAITING", "COMPLETED", "SKIPPED", "FAILED", "CANCELLED"),
    output: nullable(object),
    attempts: t.Array(attemptShape),
    startedAt: timeShape,
    endedAt: nullable(timeShape),
  },
  { title: "WorkflowExecutionStep" },
);

export const tracedShape = t.Object(
  { ...executionFields, context: object, steps: t.Array(stepRunShape) },
  { title: "WorkflowExecutionWithSteps" },
);

/** `version`: the one on which it runs. */
export function executionRecord(execution: ListedExecution, version: WorkflowVersion): typeof executionShape.static {
  const { id, status, contactId, eventName, context, reason, startedAt, endedAt } = execution;
  return {
    id,
    workflowId: version.workflowId,
    status,
    contactId,
    contact: { id: contactId, email: execution.contactEmail },
    currentStep: stepSummary(stepOf(version, execution.step)),
    eventName,
    context,
    waitingFor: execution.awaits,
    resumesAt: endedAt === null ? execution.dueAt : null,
    reason,
    startedAt,
    endedAt,
  };
}

export async function tracedRecord(
  reader: Reader,
  execution: Execution,
  version: WorkflowVersion,
): Promise<typeof tracedShape.static> {
  const trace = await traceOf(reader, execution.seq);
  const seqs = trace.map(({ seq }) => seq);
  const attempts = await attemptsOfSteps(reader, seqs);
  const steps = trace.map((step) => stepRun(step, version, attempts.get(step.seq) ?? []));
  return {
    ...executionRecord(execution, version),
    context: execution.context,
    steps: execution.step === null || execution.isBare ? steps : [triggerRun(execution, version), ...steps],
  };
}

/** The trigger has no row of its own: its run is the start of the execution. */
function triggerRun({ id, eventName, startedAt }: Execution, version: WorkflowVersion): typeof stepRunShape.static {
  const { id: stepId, name, type } = triggerStepOf(version);
  const output = { eventName };
  return { id, stepId, name, type, status: "COMPLETED", output, attempts: [], startedAt, endedAt: startedAt };
}

function stepRun(
  run: ExecutionStep,
  version: WorkflowVersion,
  attempts: readonly WebhookAttempt[],
): typeof stepRunShape.static {
  const { id: stepId, name, type } = stepOf(version, run.step) as WorkflowStep;
  const { id, status, output, startedAt, endedAt } = run;
  return { id, stepId, name, type, status, output, attempts: [...attempts], startedAt, endedAt };
}

function stepOf({ steps }: WorkflowVersion, id: string | null): WorkflowStep | null {
  return steps.find((step) => step.id === id) ?? null;
}

function stepSummary(step: WorkflowStep | null): (typeof executionFields.currentStep)["static"] {
  return step && { id: step.id, name: step.name, type: step.type };
}
