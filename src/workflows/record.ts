// Workflows, steps and transitions as the interface shows them (interface.md "Workflow", interface-gaps.md §6).
import { t } from "elysia";
import { idShape, nullable, oneOf, timeShape } from "../http/answer-shapes.ts";
import { STEP_TYPES } from "./definition.ts";
import type { StepRow, TransitionRow, WorkflowRow } from "./queries.ts";
import { triggerTypeShape } from "./trigger-shape.ts";
import { triggerOf, type WholeWorkflow } from "./workflow.ts";

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

export const stepShape = t.Object(
  {
    id: idShape,
    workflowId: idShape,
    type: oneOf(...STEP_TYPES),
    name: t.String(),
    config: object,
    position: t.Unknown(),
    templateId: nullable(idShape),
    template: nullable(t.Object({ id: idShape, name: t.String() })),
    outgoingTransitions: t.Array(transitionShape),
    incomingTransitions: t.Array(transitionShape),
    createdAt: timeShape,
    updatedAt: timeShape,
  },
  { title: "WorkflowStep" },
);

const workflowFields = {
  id: idShape,
  name: t.String(),
  description: nullable(t.String()),
  enabled: t.Boolean(),
  triggerType: triggerTypeShape,
  triggerConfig: object,
  allowReentry: t.Boolean(),
  projectId: idShape,
  createdAt: timeShape,
  updatedAt: timeShape,
};

export const workflowShape = t.Object(workflowFields, { title: "Workflow" });

export const wholeShape = t.Object(
  { ...workflowFields, steps: t.Array(stepShape), transitions: t.Array(transitionShape) },
  { title: "WorkflowWithSteps" },
);

export function workflowRecord(workflow: WorkflowRow, workspaceId: string): typeof workflowShape.static {
  return {
    id: workflow.id,
    name: workflow.name,
    description: workflow.description,
    enabled: workflow.enabled === 1,
    triggerType: workflow.trigger_type,
    triggerConfig: triggerOf(workflow).config,
    allowReentry: workflow.allow_reentry === 1,
    projectId: workspaceId,
    createdAt: workflow.created_at,
    updatedAt: workflow.updated_at,
  };
}

export function wholeRecord(whole: WholeWorkflow, workspaceId: string): typeof wholeShape.static {
  const { workflow, steps, transitions } = whole;
  return {
    ...workflowRecord(workflow, workspaceId),
    steps: steps.map((step) => stepRecord(step, whole)),
    transitions: transitions.map((transition) => transitionRecord(transition, workflow)),
  };
}

export function stepRecord(step: StepRow, { workflow, transitions }: WholeWorkflow): typeof stepShape.static {
  const shown = transitions.map((transition) => transitionRecord(transition, workflow));
  return {
    id: step.id,
    workflowId: workflow.id,
    type: step.type,
    name: step.name,
    config: (step.type === "TRIGGER" ? triggerOf(workflow).config : JSON.parse(step.config)) as Record<string, unknown>,
    position: step.position === null ? null : (JSON.parse(step.position) as unknown),
    templateId: step.template_id,
    template: step.template_id === null ? null : { id: step.template_id, name: step.template_name ?? "" },
    outgoingTransitions: shown.filter(({ fromStepId }) => fromStepId === step.id),
    incomingTransitions: shown.filter(({ toStepId }) => toStepId === step.id),
    createdAt: step.created_at,
    updatedAt: step.updated_at,
  };
}

export function transitionRecord(transition: TransitionRow, workflow: WorkflowRow): typeof transitionShape.static {
  return {
    id: transition.id,
    workflowId: workflow.id,
    fromStepId: transition.from_id,
    toStepId: transition.to_id,
    condition: transition.branch === null ? null : { branch: transition.branch },
    createdAt: transition.created_at,
  };
}
