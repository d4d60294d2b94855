// /workflows, their steps and their transitions.
import { t } from "elysia";
import { oneOf, pageShapeOf } from "../../../http/answer-shapes.ts";
import { pageShape, parameter } from "../../../http/schemas.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { get, page, patch, post, remove, routes } from "../../../tenant/access/route-table.ts";
import { createWithSteps, duplicateWorkflow } from "./create-with-steps.ts";
import { countWorkflows, workflowsPage } from "./queries.ts";
import { MASK } from "../../webhooks/sending/url.ts";
import { notedStep, notedWhole } from "./advice/noted-texts.ts";
import * as show from "./record.ts";
import { changeShape, creationShape, newStepShape, stepChangeShape, transitionInputShape } from "./shape.ts";
import { addStep, addTransition, changeStep, removeStep, removeTransition } from "./step.ts";
import { refuseClosedPort, warnOfPrivateHost, warnOfPrivateHosts } from "./steps/webhook-config.ts";
import { beginSaving, changeWorkflow, findWithSteps, removeWorkflow, type OnEnable } from "./workflow.ts";

const { stepShape, transitionShape, withStepsShape, workflowShape } = show;
const listing = t.Object({
  ...pageShape,
  search: parameter(t.String({ maxLength: 200 }), "Part of the name or the description, in any case."),
  status: parameter(oneOf("active", "inactive"), "Only workflows that are enabled, or only those that are not."),
});
const found = ["WORKFLOW_NOT_FOUND"] as const;

type WorkflowOptions = {
  /** Hosts that webhooks may go to although others like them are closed. */
  readonly webhookAllow: readonly string[];
  readonly onEnabled: OnEnable;
};

export function workflowRoutes(access: Access, options: WorkflowOptions) {
  return routes(access, [...workflows(options), ...steps(options), ...transitions]);
}

function workflows({ webhookAllow, onEnabled }: WorkflowOptions) {
  return [
    post(
      "/workflows",
      {
        name: "createWorkflow",
        summary: "Create a workflow",
        answers: { 201: withStepsShape },
        permission: "workflows.write",
        body: creationShape,
        managers: true,
        refuses: ["TEMPLATE_NOT_FOUND", "VERSION_NOT_FOUND", "SEGMENT_NOT_FOUND", "CONFLICT"],
      },
      async (tx, { body, caller }) => {
        const workflow = await createWithSteps(tx, caller.workspace, { ...notedWhole(body), by: caller.by });
        for (const [at, { type, config }] of (body.steps ?? []).entries())
          refuseClosedPort({ type, config }, `steps.${at}.`, webhookAllow);
        warnOfPrivateHosts(body, webhookAllow);
        return show.withStepsRecord(workflow, caller);
      },
    ),
    page(
      "/workflows",
      {
        name: "listWorkflows",
        summary: "List workflows, newest first",
        answers: { 200: pageShapeOf(workflowShape) },
        permission: "read",
        query: listing,
      },
      async (reader, { query, caller }) => {
        const { search = "", status = null } = query;
        const filter = { workspace: caller.workspace, search, status };
        return {
          total: () => countWorkflows(reader, filter),
          items: async (...piece) =>
            (await workflowsPage(reader, filter, ...piece)).map((row) => show.workflowRecord(row, caller.workspaceId)),
        };
      },
    ),
    get(
      "/workflows/:id",
      {
        name: "getWorkflow",
        summary: "Get a workflow",
        answers: { 200: withStepsShape },
        permission: "read",
        refuses: found,
        description: `For people without the permission \`workflows.write\`, for keys that are scoped to domains, and for those without the permission \`full\`, each header of a webhook is \`${MASK}\`. Saved, that keeps the value that is stored.`,
      },
      async (reader, { params, caller }) =>
        show.withStepsRecord(await findWithSteps(reader, caller.workspace, params.id), caller),
    ),
    patch(
      "/workflows/:id",
      {
        name: "updateWorkflow",
        summary: "Update, enable or disable a workflow",
        answers: { 200: withStepsShape },
        permission: "workflows.write",
        body: changeShape,
        managers: true,
        refuses: [...found, "SEGMENT_NOT_FOUND", "CONFLICT"],
      },
      async (tx, { params, body, caller }) => {
        await beginSaving(tx, caller, params.id, body);
        const place = { workspace: caller.workspace, id: params.id, onEnabled };
        return show.withStepsRecord(await changeWorkflow(tx, place, notedWhole(body)), caller);
      },
    ),
    remove(
      "/workflows/:id",
      {
        name: "deleteWorkflow",
        summary: "Delete a workflow",
        answers: { 204: null },
        permission: "workflows.write",
        managers: true,
        refuses: [...found, "CONFLICT"],
      },
      (tx, { params, caller }) => removeWorkflow(tx, caller.workspace, params.id),
    ),
    post(
      "/workflows/:id/duplicate",
      {
        name: "duplicateWorkflow",
        summary: "Copy a workflow",
        answers: { 201: withStepsShape },
        permission: "workflows.write",
        managers: true,
        refuses: [...found, "CONFLICT"],
        description: "The copy is disabled.",
      },
      async (tx, { params, caller }) => show.withStepsRecord(await duplicateWorkflow(tx, caller, params.id), caller),
    ),
  ];
}

const stepRefusals = [
  ...found,
  "STEP_NOT_FOUND",
  "TEMPLATE_NOT_FOUND",
  "VERSION_NOT_FOUND",
  "SEGMENT_NOT_FOUND",
  "CONFLICT",
] as const;

function steps({ webhookAllow }: WorkflowOptions) {
  return [
    post(
      "/workflows/:id/steps",
      {
        name: "createStep",
        summary: "Add a step",
        answers: { 201: stepShape },
        permission: "workflows.write",
        body: newStepShape,
        managers: true,
        refuses: stepRefusals,
      },
      async (tx, { params, body, caller }) => {
        await beginSaving(tx, caller, params.id, {});
        const { step, workflow } = await addStep(tx, caller.workspace, params.id, notedStep(body, body.type));
        refuseClosedPort(step, "", webhookAllow);
        warnOfPrivateHost(body, step, "", webhookAllow);
        return show.stepRecord(step, workflow, caller);
      },
    ),
    patch(
      "/workflows/:id/steps/:stepId",
      {
        name: "updateStep",
        summary: "Update a step",
        answers: { 200: stepShape },
        permission: "workflows.write",
        body: stepChangeShape,
        managers: true,
        refuses: stepRefusals,
      },
      async (tx, { params, body, caller }) => {
        await beginSaving(tx, caller, params.id, body);
        const { step, workflow } = await changeStep(
          tx,
          caller.workspace,
          { workflow: params.id, step: params.stepId },
          body,
        );
        notedStep(body, step.type);
        refuseClosedPort(step, "", webhookAllow);
        if (body.config) warnOfPrivateHost(body, step, "", webhookAllow);
        return show.stepRecord(step, workflow, caller);
      },
    ),
    remove(
      "/workflows/:id/steps/:stepId",
      {
        name: "deleteStep",
        summary: "Delete a step",
        answers: { 204: null },
        permission: "workflows.write",
        query: t.Object({
          splice: parameter(t.Boolean(), "Connects the steps before it to the one after it. Unless given, `false`."),
        }),
        managers: true,
        refuses: [...found, "STEP_NOT_FOUND", "WORKFLOW_STATE"],
      },
      async (tx, { params, query, caller }) => {
        await beginSaving(tx, caller, params.id, {});
        await removeStep(tx, caller.workspace, { workflow: params.id, step: params.stepId }, query.splice ?? false);
      },
    ),
  ];
}

const transitions = [
  post(
    "/workflows/:id/transitions",
    {
      name: "createTransition",
      summary: "Add a transition",
      answers: { 201: transitionShape },
      permission: "workflows.write",
      body: transitionInputShape,
      managers: true,
      refuses: [...found, "STEP_NOT_FOUND"],
    },
    async (tx, { params, body, caller }) => {
      await beginSaving(tx, caller, params.id, {});
      const { transition, workflow } = await addTransition(tx, caller.workspace, params.id, body);
      return show.transitionRecord(transition, workflow);
    },
  ),
  remove(
    "/workflows/:id/transitions/:transitionId",
    {
      name: "deleteTransition",
      summary: "Delete a transition",
      answers: { 204: null },
      permission: "workflows.write",
      managers: true,
      refuses: [...found, "TRANSITION_NOT_FOUND"],
    },
    async (tx, { params, caller }) => {
      await beginSaving(tx, caller, params.id, {});
      await removeTransition(tx, caller.workspace, params.id, params.transitionId);
    },
  ),
];
