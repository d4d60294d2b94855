// /workflows/{id}/executions: who is where, started by hand, cancelled, looked at step by step (interface-gaps.md §6).
import { Elysia, t } from "elysia";
import { countShape, pageFields } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { answerOnce } from "../http/idempotency.ts";
import { dataShape, idParams, optional, pageShape } from "../http/schemas.ts";
import { asBody, asQuery } from "../http/shape.ts";
import { pageFrom } from "../store/page.ts";
import type { Reader } from "../store/store.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { managersOnly } from "../workspaces/key-set.ts";
import type { Caller } from "../workspaces/key-set.ts";
import { cancel, cancelSome, findExecution, startByHand } from "./execution.ts";
import { countExecutions, executionsPage } from "./execution-queries.ts";
import {
  executionRecord,
  executionShape,
  executionStatusShape,
  tracedRecord,
  tracedShape,
} from "./execution-record.ts";
import { Versions } from "./version.ts";
import { sendAgain } from "./webhook/webhook.ts";
import { findWorkflow } from "./workflow.ts";

const beginning = t.Object(
  { contactId: t.String({ maxLength: 100 }), context: optional(dataShape) },
  { examples: [{ contactId: "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f", context: { plan: "pro" } }] },
);
const listing = t.Object({ ...pageShape, status: t.Optional(executionStatusShape) });
const executionParams = t.Object({ id: t.String(), executionId: t.String() });
const stepParams = t.Object({ id: t.String(), executionId: t.String(), stepId: t.String() });

/** Known by two names: lists of this kind are `data`, and clients look for `executions`. */
const page = t.Object({ data: t.Array(executionShape), executions: t.Array(executionShape), ...pageFields });
const notFound = { refuses: ["WORKFLOW_NOT_FOUND", "EXECUTION_NOT_FOUND"] } as const;

const MAX_CANCELLED_A_BATCH = 200;

type Ids = { readonly id: string; readonly executionId: string };

/** In a change, with versions of its own: one that is made in it may not come to be, and its number goes to another. */
async function traced(reader: Reader, { workspace }: Caller, ids: Ids, versions = new Versions()) {
  const { seq } = await findWorkflow(reader, workspace, ids.id);
  const execution = await findExecution(reader, seq, ids.executionId);
  return tracedRecord(reader, execution, await versions.bySeq(reader, execution.version));
}

/** Whom an answer names, for as long as it is kept. */
const about = ({ contactId }: { readonly contactId: string | null }) => (contactId === null ? [] : [contactId]);

export function executionRoutes(access: Access) {
  const { store } = access;
  const versions = new Versions();
  return new Elysia({ prefix: "/workflows/:id/executions" })
    .use(secretKey(access))
    .post(
      "",
      ({ params, body, caller, request, set }) =>
        answerOnce(
          store,
          { body, caller, request, set, about },
          async (tx) => {
            const wish = { contactId: body.contactId, context: body.context ?? {} };
            const { id: executionId } = await startByHand(tx, caller.workspace, params.id, wish);
            return traced(tx, caller, { id: params.id, executionId });
          },
          201,
        ),
      {
        beforeHandle: managersOnly,
        params: idParams,
        body: asBody(beginning),
        detail: answers(
          "Start a contact in a workflow by hand",
          { 201: tracedShape },
          { refuses: ["FORBIDDEN", "WORKFLOW_NOT_FOUND", "CONTACT_NOT_FOUND", "WORKFLOW_STATE", "CONFLICT"] },
        ),
      },
    )
    .get(
      "",
      ({ params, query, caller }) => {
        return store.read(
          async (reader) => {
            const { seq } = await findWorkflow(reader, caller.workspace, params.id);
            const filter = { workflow: seq, status: query.status ?? null };
            const page = await pageFrom(query, {
              total: () => countExecutions(reader, filter),
              items: async (...piece) => {
                const records = [];
                for (const row of await executionsPage(reader, filter, ...piece))
                  records.push(executionRecord(row, await versions.bySeq(reader, row.version)));
                return records;
              },
            });
            return { ...page, executions: page.data };
          },
          { longFor: caller.workspace },
        );
      },
      {
        params: idParams,
        query: asQuery(listing),
        detail: answers("List executions, newest first", { 200: page }, { refuses: ["WORKFLOW_NOT_FOUND"] }),
      },
    )
    .get("/:executionId", ({ params, caller }) => store.read((reader) => traced(reader, caller, params, versions)), {
      params: executionParams,
      detail: answers("Look at an execution, step by step", { 200: tracedShape }, notFound),
    })
    .delete(
      "/:executionId",
      ({ params, caller }) =>
        store.write(async (tx) => {
          await cancel(tx, caller.workspace, params.id, params.executionId);
          return traced(tx, caller, params);
        }),
      {
        beforeHandle: managersOnly,
        params: executionParams,
        detail: answers(
          "Cancel an execution",
          { 200: tracedShape },
          { refuses: ["FORBIDDEN", "WORKFLOW_NOT_FOUND", "EXECUTION_NOT_FOUND", "WORKFLOW_STATE"] },
        ),
      },
    )
    .post(
      "/cancel-all",
      async ({ params, caller }) => {
        const { seq } = await store.read((reader) => findWorkflow(reader, caller.workspace, params.id));
        let cancelled = 0;
        for (let some = 1; some > 0; cancelled += some) {
          some = await store.write((tx) => cancelSome(tx, seq, MAX_CANCELLED_A_BATCH));
        }
        return { cancelled };
      },
      {
        beforeHandle: managersOnly,
        params: idParams,
        detail: answers(
          "Cancel all executions of a workflow",
          { 200: t.Object({ cancelled: countShape }) },
          { refuses: ["FORBIDDEN", "WORKFLOW_NOT_FOUND"], harmless: true },
        ),
      },
    )
    .post(
      "/:executionId/steps/:stepId/retry",
      ({ params, body, caller, request, set }) =>
        answerOnce(
          store,
          { body, caller, request, set, about },
          async (tx) => {
            const ids = { workflow: params.id, execution: params.executionId, step: params.stepId };
            await sendAgain(tx, caller.workspace, ids);
            return traced(tx, caller, params);
          },
          200,
        ),
      {
        beforeHandle: managersOnly,
        params: stepParams,
        detail: answers(
          "Send a webhook again",
          { 200: tracedShape },
          {
            refuses: ["FORBIDDEN", "WORKFLOW_NOT_FOUND", "EXECUTION_NOT_FOUND", "STEP_NOT_FOUND", "WORKFLOW_STATE"],
            description: "It goes out under the same `webhook-id`. The execution does not turn back for it.",
          },
        ),
      },
    );
}
