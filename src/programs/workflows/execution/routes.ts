// /workflows/{id}/executions: started by hand, shown step by step, cancelled; one of its webhooks sent again.
import { t } from "elysia";
import { countShape } from "../../../http/answer-shapes.ts";
import { type Declaration } from "../../../http/answers.ts";
import { addressShape, dataShape, idInputShape, optional } from "../../../http/schemas.ts";
import type { Reader, Store } from "../../../store/store.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { get, post, remove, route, routes } from "../../../tenant/access/route-table.ts";
import { Versions } from "../definition/version.ts";
import { findWorkflow } from "../definition/workflow.ts";
import { cancel, cancelSome, findExecution, startByHand, type ExecutionIds } from "./execution.ts";
import { WEBHOOK } from "../webhook/record.ts";
import { tracedRecord, tracedShape } from "./record.ts";
import { retryWebhook } from "./retry/webhook-step.ts";

const inWorkflow = ["WORKFLOW_NOT_FOUND"] as const;
const notFound = [...inWorkflow, "EXECUTION_NOT_FOUND"] as const;
const cancelled: Declaration = {
  name: "cancelExecution",
  summary: "Cancel an execution",
  answers: { 200: tracedShape },
  permission: "workflows.run",
  managers: true,
  refuses: [...notFound, "WORKFLOW_STATE"],
};

/** The contact that a stored answer names. */
const about = ({ contactId }: { readonly contactId: string | null }) => (contactId === null ? [] : [contactId]);

type Params = { readonly id: string; readonly executionId: string };

const idsIn = ({ id, executionId }: Params): ExecutionIds => ({ workflow: id, execution: executionId });

export function executionRoutes(access: Access) {
  const { store } = access;
  const versions = new Versions();
  return routes(access, [
    post(
      "/workflows/:id/executions",
      {
        name: "startExecution",
        summary: "Start a contact in a workflow by hand",
        answers: { 201: tracedShape },
        permission: "workflows.run",
        body: t.Object(
          {
            contactId: optional(idInputShape, "Either this,"),
            email: optional(addressShape, "or the contact's address."),
            context: optional(dataShape),
          },
          { examples: [{ contactId: "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f", context: { plan: "pro" } }] },
        ),
        managers: true,
        refuses: [...inWorkflow, "CONTACT_NOT_FOUND", "WORKFLOW_STATE", "CONFLICT"],
      },
      async (tx, { params: { id: workflow }, body: { contactId, email, context }, caller: { workspace } }) => {
        const who = { contactId: contactId ?? null, email: email ?? null };
        const execution = await startByHand(tx, workspace, workflow, { ...who, context: context ?? {} });
        return traced(tx, workspace, { workflow, execution });
      },
      { about },
    ),
    get(
      "/workflows/:id/executions/:executionId",
      {
        name: "getExecution",
        summary: "Get an execution with its steps",
        answers: { 200: tracedShape },
        permission: "read",
        refuses: notFound,
      },
      (reader, { params, caller }) => traced(reader, caller.workspace, idsIn(params), versions),
    ),
    remove("/workflows/:id/executions/:executionId", cancelled, async (tx, { params, caller: { workspace } }) => {
      await cancel(tx, workspace, idsIn(params));
      return traced(tx, workspace, idsIn(params));
    }),
    route(
      "POST",
      "/workflows/:id/executions/cancel-all",
      {
        name: "cancelAllExecutions",
        summary: "Cancel all executions of a workflow",
        answers: { 200: t.Object({ cancelled: countShape }) },
        permission: "workflows.run",
        managers: true,
        refuses: inWorkflow,
        harmless: true,
      },
      async ({ params, caller }) => {
        const { seq } = await store.read((reader) => findWorkflow(reader, caller.workspace, params.id));
        if (caller.note) await store.write(async (tx) => caller.note?.(tx, null));
        return { cancelled: await cancelAll(store, seq) };
      },
    ),
    post(
      "/workflows/:id/executions/:executionId/steps/:stepId/retry",
      {
        name: "retryWebhook",
        summary: "Send a webhook again",
        answers: { 200: tracedShape },
        permission: "workflows.run",
        managers: true,
        refuses: [...notFound, "STEP_NOT_FOUND", "WORKFLOW_STATE"],
        description: "It is sent with the same `webhook-id`. The execution does not go back.",
        sends: WEBHOOK,
      },
      async (tx, { params, caller: { workspace } }) => {
        await retryWebhook(tx, workspace, { ...idsIn(params), step: params.stepId });
        return traced(tx, workspace, idsIn(params));
      },
      { about },
    ),
  ]);
}

/**
 * In a change, with versions of its own: a version made in it may never be committed, and its number be given to
 * another.
 */
async function traced(reader: Reader, workspace: number, ids: ExecutionIds, versions = new Versions()) {
  const execution = await findExecution(reader, workspace, ids);
  return tracedRecord(reader, execution, await versions.bySeq(reader, execution.version));
}

const MAX_CANCELLED_A_BATCH = 200;

async function cancelAll(store: Store, workflow: number): Promise<number> {
  let cancelled = 0;
  for (let some = 1; some > 0; cancelled += some)
    some = await store.write((tx) => cancelSome(tx, workflow, MAX_CANCELLED_A_BATCH));
  return cancelled;
}
