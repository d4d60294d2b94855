// /workflows/{id}/steps (interface-gaps.md §6 "Steps").
import { Elysia, t } from "elysia";
import { answers } from "../http/answers.ts";
import { answerOnce } from "../http/idempotency.ts";
import { idParams } from "../http/schemas.ts";
import { asBody, asQuery } from "../http/shape.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { managersOnly } from "../workspaces/key-set.ts";
import { stepRecord, stepShape } from "./record.ts";
import { newStepShape, stepChangeShape } from "./shape.ts";
import { addStep, asStep, changeStep, removeStep } from "./step.ts";
import { refuseClosedPort } from "./webhook/config.ts";

const removal = t.Object({ splice: t.Optional(t.Boolean()) });
const stepParams = t.Object({ id: t.String(), stepId: t.String() });
const kept = {
  refuses: ["FORBIDDEN", "WORKFLOW_NOT_FOUND", "STEP_NOT_FOUND", "TEMPLATE_NOT_FOUND", "SEGMENT_NOT_FOUND", "CONFLICT"],
} as const;

export function stepRoutes(access: Access & { readonly webhookAllow: readonly string[] }) {
  const { store, webhookAllow } = access;
  return new Elysia({ prefix: "/:id/steps" })
    .use(secretKey(access))
    .post(
      "",
      ({ params, body, caller, request, set }) =>
        answerOnce(
          store,
          { body, caller, request, set },
          async (tx) => {
            const { step, whole } = await addStep(tx, caller.workspace, params.id, body);
            refuseClosedPort(asStep(step), "", webhookAllow);
            return stepRecord(step, whole);
          },
          201,
        ),
      {
        beforeHandle: managersOnly,
        params: idParams,
        body: asBody(newStepShape),
        detail: answers("Add a step", { 201: stepShape }, kept),
      },
    )
    .patch(
      "/:stepId",
      ({ params, body, caller }) => {
        const { id, stepId } = params;
        return store.write(async (tx) => {
          const { step, whole } = await changeStep(tx, caller.workspace, id, stepId, body);
          refuseClosedPort(asStep(step), "", webhookAllow);
          return stepRecord(step, whole);
        });
      },
      {
        beforeHandle: managersOnly,
        params: stepParams,
        body: asBody(stepChangeShape),
        detail: answers("Change a step", { 200: stepShape }, kept),
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
        beforeHandle: managersOnly,
        params: stepParams,
        query: asQuery(removal),
        detail: answers(
          "Take a step out",
          { 204: null },
          {
            refuses: ["FORBIDDEN", "WORKFLOW_NOT_FOUND", "STEP_NOT_FOUND", "WORKFLOW_STATE"],
            description: "With `splice`, what led to it leads to the one step after it.",
          },
        ),
      },
    );
}
