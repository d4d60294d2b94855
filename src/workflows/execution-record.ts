// Executions as the interface shows them, with a trace that a person can read (interface-gaps.md §6).
import { t } from "elysia";
import { countShape, idShape, nullable, oneOf, timeShape } from "../http/answer-shapes.ts";
import type { Reader } from "../store/store.ts";
import { STEP_TYPES, type Step } from "./definition.ts";
import type { ExecutionRow, ListedExecution } from "./execution-queries.ts";
import { traceOf, type ExecutionStepRow } from "./trace-queries.ts";
import { triggerOfVersion, type Version } from "./version.ts";
import { attemptsOf, type AttemptRow } from "./webhook/queries.ts";

const object = t.Record(t.String(), t.Unknown());
const namedStep = t.Object({ id: idShape, name: t.String(), type: oneOf(...STEP_TYPES) });

export const executionStatusShape = oneOf("RUNNING", "WAITING", "COMPLETED", "EXITED", "FAILED", "CANCELLED");

const executionFields = {
  id: idShape,
  workflowId: idShape,
  status: executionStatusShape,
  contactId: idShape,
  contact: t.Object({ id: idShape, email: t.String() }),
  currentStep: nullable(namedStep),
  eventName: nullable(t.String()),
  waitingFor: nullable(t.String()),
  resumesAt: nullable(timeShape),
  reason: nullable(t.String()),
  startedAt: timeShape,
  endedAt: nullable(timeShape),
};

const contextOrNone = t.Union([object, t.Null()], { description: "Null where it is too long for a list." });

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
export function executionRecord(execution: ListedExecution, version: Version): typeof executionShape.static {
  const isOver = execution.ended_at !== null;
  return {
    id: execution.id,
    workflowId: version.workflowId,
    status: execution.status,
    contactId: execution.contact_id,
    contact: { id: execution.contact_id, email: execution.contact_email },
    currentStep: named(stepOf(version, execution.step)),
    eventName: execution.event_name,
    context: execution.context === null ? null : contextIn(execution.context),
    waitingFor: execution.awaits,
    resumesAt: isOver ? null : execution.due_at,
    reason: execution.reason,
    startedAt: execution.started_at,
    endedAt: execution.ended_at,
  };
}

export async function tracedRecord(
  reader: Reader,
  execution: ExecutionRow,
  version: Version,
): Promise<typeof tracedShape.static> {
  const trace = await traceOf(reader, execution.seq);
  const attempts = Map.groupBy(
    await attemptsOf(
      reader,
      trace.map(({ seq }) => seq),
    ),
    ({ execution_step: step }) => step,
  );
  const steps = trace.map((row) => stepRun(row, version, attempts.get(row.seq) ?? []));
  return {
    ...executionRecord(execution, version),
    context: contextIn(execution.context),
    steps: execution.step === null || execution.is_bare === 1 ? steps : [triggerRun(execution, version), ...steps],
  };
}

function contextIn(text: string): Record<string, unknown> {
  return JSON.parse(text) as Record<string, unknown>;
}

/** Coming by the trigger is the execution itself. */
function triggerRun(execution: ExecutionRow, version: Version): typeof stepRunShape.static {
  const trigger = triggerOfVersion(version);
  const { started_at: startedAt, event_name: eventName } = execution;
  return {
    id: execution.id,
    stepId: trigger.id,
    name: trigger.name,
    type: trigger.type,
    status: "COMPLETED",
    output: { eventName },
    attempts: [],
    startedAt,
    endedAt: startedAt,
  };
}

function stepRun(row: ExecutionStepRow, version: Version, attempts: readonly AttemptRow[]): typeof stepRunShape.static {
  const step = stepOf(version, row.step) as Step;
  return {
    id: row.id,
    stepId: step.id,
    name: step.name,
    type: step.type,
    status: row.status,
    output: row.output === null ? null : (JSON.parse(row.output) as Record<string, unknown>),
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      at: attempt.at,
      outcome: attempt.outcome as (typeof attemptShape.static)["outcome"],
      status: attempt.status,
      durationMs: attempt.duration_ms,
      answer: attempt.answer,
    })),
    startedAt: row.started_at,
    endedAt: row.ended_at,
  };
}

function stepOf({ steps }: Version, id: string | null): Step | null {
  return steps.find((step) => step.id === id) ?? null;
}

function named(step: Step | null): (typeof executionFields.currentStep)["static"] {
  return step && { id: step.id, name: step.name, type: step.type };
}
