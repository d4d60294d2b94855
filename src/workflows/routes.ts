// /workflows (interface.md "GET /workflows", interface-gaps.md §6); their steps and transitions have files of their own.
import { Elysia, t } from "elysia";
import { pageShapeOf } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { answerOnce } from "../http/idempotency.ts";
import { idParams, pageShape } from "../http/schemas.ts";
import { asBody, asQuery } from "../http/shape.ts";
import { pageFrom } from "../store/page.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { managersOnly } from "../workspaces/key-set.ts";
import { countWorkflows, workflowsPage } from "./queries.ts";
import { wholeRecord, wholeShape, workflowRecord, workflowShape } from "./record.ts";
import { changeShape, creationShape } from "./shape.ts";
import { refuseClosedPort } from "./webhook/config.ts";
import { stepRoutes } from "./step-routes.ts";
import { transitionRoutes } from "./transition-routes.ts";
import { createWhole, duplicateWorkflow } from "./whole.ts";
import { changeWorkflow, removeWorkflow, wholeWorkflow } from "./workflow.ts";

const listing = t.Object({ ...pageShape, search: t.Optional(t.String({ maxLength: 200 })) });

const notFound = { refuses: ["WORKFLOW_NOT_FOUND"] } as const;

export function workflowRoutes(access: Access & { readonly webhookAllow: readonly string[] }) {
  const { store, webhookAllow } = access;
  return new Elysia({ prefix: "/workflows" })
    .use(secretKey(access))
    .post(
      "",
      ({ body, caller, request, set }) =>
        answerOnce(
          store,
          { body, caller, request, set },
          async (tx) => {
            const whole = await createWhole(tx, caller.workspace, body);
            for (const [at, { type, config }] of (body.steps ?? []).entries())
              refuseClosedPort({ type, config }, `steps.${at}.`, webhookAllow);
            return wholeRecord(whole, caller.workspaceId);
          },
          201,
        ),
      {
        beforeHandle: managersOnly,
        body: asBody(creationShape),
        detail: answers(
          "Make a workflow",
          { 201: wholeShape },
          { refuses: ["FORBIDDEN", "TEMPLATE_NOT_FOUND", "SEGMENT_NOT_FOUND", "CONFLICT"] },
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
        beforeHandle: managersOnly,
        params: idParams,
        body: asBody(changeShape),
        detail: answers(
          "Change, enable or disable a workflow",
          { 200: wholeShape },
          { refuses: ["FORBIDDEN", "WORKFLOW_NOT_FOUND", "SEGMENT_NOT_FOUND", "CONFLICT"] },
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
        beforeHandle: managersOnly,
        params: idParams,
        detail: answers(
          "Delete a workflow",
          { 204: null },
          { refuses: ["FORBIDDEN", "WORKFLOW_NOT_FOUND", "CONFLICT"] },
        ),
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
        beforeHandle: managersOnly,
        params: idParams,
        detail: answers(
          "Copy a workflow",
          { 201: wholeShape },
          { refuses: ["FORBIDDEN", "WORKFLOW_NOT_FOUND", "CONFLICT"], description: "The copy is disabled." },
        ),
      },
    )
    .use(stepRoutes({ ...access, webhookAllow }))
    .use(transitionRoutes(access));
}
