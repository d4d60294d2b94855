// /workflows, their steps and transitions (interface.md "GET /workflows", interface-gaps.md §6).
import { Elysia, t } from "elysia";
import { pageShapeOf } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { answerOnce } from "../http/idempotency.ts";
import { dataShape, idParams, optional, recordNameShape, pageShape } from "../http/schemas.ts";
import { asBody, asQuery } from "../http/shape.ts";
import { pageFrom } from "../store/page.ts";
import { secretKey, type Gate } from "../workspaces/auth.ts";
import { STEP_TYPES } from "./definition.ts";
import { countWorkflows, workflowsPage } from "./queries.ts";
import {
  stepRecord,
  stepShape,
  transitionRecord,
  transitionShape,
  wholeRecord,
  wholeShape,
  workflowRecord,
  workflowShape,
} from "./record.ts";
import { addStep, changeStep, removeStep } from "./step.ts";
import { eventNameShape } from "./step-shape.ts";
import { addTransition, removeTransition } from "./transition.ts";
import { triggerTypeShape } from "./trigger-shape.ts";
import { createWhole, duplicateWorkflow } from "./whole.ts";
import { changeWorkflow, removeWorkflow, wholeWorkflow } from "./workflow.ts";

const stepId = t.String({ minLength: 1, maxLength: 100 });
const settings = {
  description: optional(t.String({ maxLength: 500 })),
  eventName: optional(eventNameShape),
  triggerType: optional(triggerTypeShape),
  triggerConfig: optional(dataShape),
  enabled: optional(t.Boolean()),
  allowReentry: optional(t.Boolean()),
};
const stepParts = {
  config: optional(dataShape),
  templateId: optional(t.String({ maxLength: 200 })),
  position: t.Optional(t.Unknown()),
};
const type = t.Union(STEP_TYPES.map((one) => t.Literal(one)));
const transition = t.Object(
  {
    fromStepId: stepId,
    toStepId: stepId,
    condition: optional(t.Object({ branch: t.String({ minLength: 1, maxLength: 100 }) })),
    waitOutcome: optional(t.Union([t.Literal("EVENT"), t.Literal("TIMEOUT")])),
  },
  {
    examples: [
      {
        fromStepId: "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f",
        toStepId: "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e10",
        condition: { branch: "yes" },
      },
    ],
  },
);
const delay = { type: "DELAY", name: "A day later", config: { amount: 1, unit: "days" } };
const hook = { type: "WEBHOOK", name: "Tell the shop", config: { url: "https://shop.example.com/hooks" } };
const creation = t.Object(
  {
    name: recordNameShape,
    ...settings,
    steps: optional(
      t.Array(t.Object({ type, name: recordNameShape, ...stepParts, ref: optional(stepId) }), { maxItems: 100 }),
    ),
    transitions: optional(t.Array(transition, { maxItems: 1_000 })),
  },
  { examples: [{ name: "After a sign-up", eventName: "signup", enabled: true, steps: [delay, hook] }] },
);
const change = t.Object({ name: optional(recordNameShape), ...settings }, { examples: [{ enabled: true }] });
const newStep = t.Object(
  { type, name: recordNameShape, ...stepParts, autoConnect: optional(t.Boolean()) },
  { examples: [delay] },
);
const stepChange = t.Object(
  { name: optional(recordNameShape), ...stepParts },
  { examples: [{ name: "Two days later" }] },
);
const listing = t.Object({ ...pageShape, search: t.Optional(t.String({ maxLength: 200 })) });
const removal = t.Object({ splice: t.Optional(t.Boolean()) });
const stepParams = t.Object({ id: t.String(), stepId: t.String() });
const transitionParams = t.Object({ id: t.String(), transitionId: t.String() });

const notFound = { refuses: ["WORKFLOW_NOT_FOUND"] } as const;
const stepNotFound = { refuses: ["WORKFLOW_NOT_FOUND", "STEP_NOT_FOUND"] } as const;
const templateNotFound = {
  refuses: ["WORKFLOW_NOT_FOUND", "STEP_NOT_FOUND", "TEMPLATE_NOT_FOUND", "SEGMENT_NOT_FOUND", "CONFLICT"],
} as const;

export function workflowRoutes(gate: Gate) {
  const { store } = gate;
  return new Elysia({ prefix: "/workflows" })
    .use(secretKey(gate))
    .post(
      "",
      ({ body, caller, request, set }) =>
        answerOnce(
          store,
          { body, caller, request, set },
          async (tx) => wholeRecord(await createWhole(tx, caller.workspace, body), caller.workspaceId),
          201,
        ),
      {
        body: asBody(creation),
        detail: answers(
          "Make a workflow",
          { 201: wholeShape },
          { refuses: ["TEMPLATE_NOT_FOUND", "SEGMENT_NOT_FOUND", "CONFLICT"] },
        ),
      },
    )
    .get(
      "",
      ({ query, caller }) => {
        const filter = { workspace: caller.workspace, search: query.search ?? "" };
        return store.read((reader) =>
          pageFrom(query, {
            total: () => countWorkflows(reader, filter),
            items: async (...piece) =>
              (await workflowsPage(reader, filter, ...piece)).map((row) => workflowRecord(row, caller.workspaceId)),
          }),
        );
      },
      { query: asQuery(listing), detail: answers("List workflows, newest first", { 200: pageShapeOf(workflowShape) }) },
    )
    .get(
      "/:id",
      async ({ params, caller }) =>
        wholeRecord(
          await store.read((reader) => wholeWorkflow(reader, caller.workspace, params.id)),
          caller.workspaceId,
        ),
      { params: idParams, detail: answers("Look at a workflow", { 200: wholeShape }, notFound) },
    )
    .patch(
      "/:id",
      async ({ params, body, caller }) =>
        wholeRecord(
          await store.write((tx) => changeWorkflow(tx, caller.workspace, params.id, body)),
          caller.workspaceId,
        ),
      {
        params: idParams,
        body: asBody(change),
        detail: answers(
          "Change, enable or disable a workflow",
          { 200: wholeShape },
          { refuses: ["WORKFLOW_NOT_FOUND", "SEGMENT_NOT_FOUND", "CONFLICT"] },
        ),
      },
    )
    .delete(
      "/:id",
      async ({ params, caller, set }) => {
        await store.write((tx) => removeWorkflow(tx, caller.workspace, params.id));
        set.status = 204;
      },
      {
        params: idParams,
        detail: answers("Delete a workflow", { 204: null }, { refuses: ["WORKFLOW_NOT_FOUND", "CONFLICT"] }),
      },
    )
    .post(
      "/:id/duplicate",
      ({ params, body, caller, request, set }) =>
        answerOnce(
          store,
          { body, caller, request, set },
          async (tx) => wholeRecord(await duplicateWorkflow(tx, caller.workspace, params.id), caller.workspaceId),
          201,
        ),
      {
        params: idParams,
        detail: answers(
          "Copy a workflow",
          { 201: wholeShape },
          { refuses: ["WORKFLOW_NOT_FOUND", "CONFLICT"], description: "The copy is disabled." },
        ),
      },
    )
    .use(stepRoutes(gate))
    .use(transitionRoutes(gate));
}

function stepRoutes(gate: Gate) {
  const { store } = gate;
  return new Elysia({ prefix: "/:id/steps" })
    .use(secretKey(gate))
    .post(
      "",
      ({ params, body, caller, request, set }) =>
        answerOnce(
          store,
          { body, caller, request, set },
          async (tx) => {
            const { whole, id } = await addStep(tx, caller.workspace, params.id, body);
            return stepRecord(whole.steps.find((step) => step.id === id) as (typeof whole.steps)[0], whole);
          },
          201,
        ),
      {
        params: idParams,
        body: asBody(newStep),
        detail: answers("Add a step", { 201: stepShape }, templateNotFound),
      },
    )
    .patch(
      "/:stepId",
      async ({ params, body, caller }) => {
        const { id, stepId } = params;
        const whole = await store.write((tx) => changeStep(tx, caller.workspace, id, stepId, body));
        return stepRecord(whole.steps.find((step) => step.id === stepId) as (typeof whole.steps)[0], whole);
      },
      {
        params: stepParams,
        body: asBody(stepChange),
        detail: answers("Change a step", { 200: stepShape }, templateNotFound),
      },
    )
    .delete(
      "/:stepId",
      async ({ params, query, caller, set }) => {
        const { id, stepId } = params;
        await store.write((tx) => removeStep(tx, caller.workspace, id, stepId, query.splice ?? false));
        set.status = 204;
      },
      {
        params: stepParams,
        query: asQuery(removal),
        detail: answers(
          "Take a step out",
          { 204: null },
          {
            refuses: ["WORKFLOW_NOT_FOUND", "STEP_NOT_FOUND", "WORKFLOW_STATE"],
            description: "With `splice`, what led to it leads to the one step after it.",
          },
        ),
      },
    );
}

function transitionRoutes(gate: Gate) {
  const { store } = gate;
  return new Elysia({ prefix: "/:id/transitions" })
    .use(secretKey(gate))
    .post(
      "",
      ({ params, body, caller, request, set }) =>
        answerOnce(
          store,
          { body, caller, request, set },
          async (tx) => {
            const { whole, id } = await addTransition(tx, caller.workspace, params.id, body);
            const added = whole.transitions.find((one) => one.id === id) as (typeof whole.transitions)[0];
            return transitionRecord(added, whole.workflow);
          },
          201,
        ),
      {
        params: idParams,
        body: asBody(transition),
        detail: answers("Add a transition", { 201: transitionShape }, stepNotFound),
      },
    )
    .delete(
      "/:transitionId",
      async ({ params, caller, set }) => {
        await store.write((tx) => removeTransition(tx, caller.workspace, params.id, params.transitionId));
        set.status = 204;
      },
      {
        params: transitionParams,
        detail: answers(
          "Take a transition out",
          { 204: null },
          { refuses: ["WORKFLOW_NOT_FOUND", "TRANSITION_NOT_FOUND"] },
        ),
      },
    );
}
