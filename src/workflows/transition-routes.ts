// /workflows/{id}/transitions (interface-gaps.md §6 "Transitions").
import { Elysia, t } from "elysia";
import { answers } from "../http/answers.ts";
import { answerOnce } from "../http/idempotency.ts";
import { idParams } from "../http/schemas.ts";
import { asBody } from "../http/shape.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { managersOnly } from "../workspaces/key-set.ts";
import { transitionRecord, transitionShape } from "./record.ts";
import { transitionWishShape } from "./shape.ts";
import { addTransition, removeTransition } from "./transition.ts";

const transitionParams = t.Object({ id: t.String(), transitionId: t.String() });

export function transitionRoutes(access: Access) {
  const { store } = access;
  return new Elysia({ prefix: "/:id/transitions" })
    .use(secretKey(access))
    .post(
      "",
      ({ params, body, caller, request, set }) =>
        answerOnce(
          store,
          { body, caller, request, set },
          async (tx) => {
            const { transition, whole } = await addTransition(tx, caller.workspace, params.id, body);
            return transitionRecord(transition, whole.workflow);
          },
          201,
        ),
      {
        beforeHandle: managersOnly,
        params: idParams,
        body: asBody(transitionWishShape),
        detail: answers(
          "Add a transition",
          { 201: transitionShape },
          { refuses: ["FORBIDDEN", "WORKFLOW_NOT_FOUND", "STEP_NOT_FOUND"] },
        ),
      },
    )
    .delete(
      "/:transitionId",
      async ({ params, caller, set }) => {
        await store.write((tx) => removeTransition(tx, caller.workspace, params.id, params.transitionId));
        set.status = 204;
      },
      {
        beforeHandle: managersOnly,
        params: transitionParams,
        detail: answers(
          "Take a transition out",
          { 204: null },
          { refuses: ["FORBIDDEN", "WORKFLOW_NOT_FOUND", "TRANSITION_NOT_FOUND"] },
        ),
      },
    );
}
