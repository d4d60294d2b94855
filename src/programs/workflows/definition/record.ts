// Workflows, steps and transitions as the interface shows them.
import { t } from "elysia";
import { idShape, nullable, oneOf, timeShape } from "../../../http/answer-shapes.ts";
import { shownAs } from "../../../http/schemas.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { updatedByShape } from "../../../tenant/access/saving-shape.ts";
import { REENTRIES, STEP_TYPES } from "./definition.ts";
import type { Workflow } from "./queries.ts";
import { maySeeHeaders, shownConfig } from "./steps/masked-headers.ts";
import { allowsReentry } from "./reentry.ts";
import { stepAnswerShape, triggerConfigShape, triggerTypeShape } from "./steps/step-shape.ts";
import type { StoredStep, StoredTransition } from "./steps/step-queries.ts";
import type { WorkflowWithSteps } from "./workflow.ts";

const object = t.Record(t.String(), t.Unknown());

export const transitionShape = t.Object(
  {
    id: idShape,
    workflowId: idShape,
    fromStepId: idShape,
    toStepId: idShape,
    condition: nullable(t.Object({ branch: t.String() })),
    createdAt: timeShape,
  },
  { title: "WorkflowTransition" },
);

const stepFields = {
  id: idShape,
  workflowId: idShape,
  name: t.String(),
  position: t.Unknown(),
  templateId: nullable(idShape),
  template: nullable(t.Object({ id: idShape, name: t.String() })),
  outgoingTransitions: t.Array(transitionShape),
  incomingTransitions: t.Array(transitionShape),
  createdAt: timeShape,
  updatedAt: timeShape,
};

export const stepShape = shownAs(
  t.Object({ ...stepFields, type: oneOf(...STEP_TYPES), config: object }),
  stepAnswerShape(stepFields),
);

const workflowFields = {
  id: idShape,
  name: t.String(),
  description: nullable(t.String()),
  enabled: t.Boolean(),
  triggerType: triggerTypeShape,
  triggerConfig: triggerConfigShape,
  reentry: oneOf(...REENTRIES),
  allowReentry: t.Boolean({ description: "`false` where `reentry` is `never`." }),
  entryKey: nullable(t.String()),
  version: t.Number({ description: "Goes up with each change." }),
  projectId: idShape,
  createdAt: timeShape,
  updatedAt: timeShape,
  updatedBy: updatedByShape,
};

export const workflowShape = t.Object(workflowFields, { title: "Workflow" });

export const withStepsShape = t.Object(
  { ...workflowFields, steps: t.Array(stepShape), transitions: t.Array(transitionShape) },
  { title: "WorkflowWithSteps" },
);

export function workflowRecord(workflow: Workflow, workspaceId: string): typeof workflowShape.static {
  const {
    id,
    name,
    description,
    enabled,
    trigger,
    reentry,
    entryKey,
    revision: version,
    createdAt,
    updatedAt,
    updatedBy,
  } = workflow;
  return {
    id,
    name,
    description,
    enabled,
    triggerType: trigger.type,
    triggerConfig: trigger.config,
    reentry,
    allowReentry: allowsReentry(reentry),
    entryKey,
    version,
    projectId: workspaceId,
    createdAt,
    updatedAt,
    updatedBy,
  };
}

export function withStepsRecord(workflow: WorkflowWithSteps, caller: Caller): typeof withStepsShape.static {
  return {
    ...workflowRecord(workflow, caller.workspaceId),
    steps: workflow.steps.map((step) => stepRecord(step, workflow, caller)),
    transitions: workflow.transitions.map((transition) => transitionRecord(transition, workflow)),
  };
}

export function stepRecord(step: StoredStep, workflow: WorkflowWithSteps, caller: Caller): typeof stepShape.static {
  const { id, type, name, position, template, createdAt, updatedAt } = step;
  const transitions = workflow.transitions.map((transition) => transitionRecord(transition, workflow));
  return {
    id,
    workflowId: workflow.id,
    type,
    name,
    position,
    config: type === "TRIGGER" ? workflow.trigger.config : { ...shownConfig(step, maySeeHeaders(caller)) },
    templateId: template && template.id,
    template: template && { id: template.id, name: template.name },
    outgoingTransitions: transitions.filter(({ fromStepId }) => fromStepId === id),
    incomingTransitions: transitions.filter(({ toStepId }) => toStepId === id),
    createdAt,
    updatedAt,
  };
}

export function transitionRecord(
  { id, from: fromStepId, to: toStepId, branch, createdAt }: StoredTransition,
  { id: workflowId }: Workflow,
): typeof transitionShape.static {
  return { id, workflowId, fromStepId, toStepId, condition: branch === null ? null : { branch }, createdAt };
}
