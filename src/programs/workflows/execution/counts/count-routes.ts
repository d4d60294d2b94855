// /workflows/counts and /workflows/{id}/counts: the number of people at each step; and retrying a step for all for whom
// it failed.
import { t } from "elysia";
import { countShape, idShape } from "../../../../http/answer-shapes.ts";
import { idInputShape, parameter } from "../../../../http/schemas.ts";
import type { Access } from "../../../../tenant/access/auth.ts";
import { get, route, routes } from "../../../../tenant/access/route-table.ts";
import { workflowsAmong } from "../../definition/queries.ts";
import { findWithSteps } from "../../definition/workflow.ts";
import { WEBHOOK } from "../../webhook/record.ts";
import { countsOf, talliesFor } from "./counts.ts";
import { retryAll, retryingOf } from "../retry/retry.ts";

const tally = {
  started: t.Number({ description: "inside + ended + failed + cancelled" }),
  inside: countShape,
  ended: t.Number({ description: "COMPLETED and EXITED" }),
  failed: countShape,
  cancelled: countShape,
};
const isLowerBound = t.Boolean({ description: "There may be more: counting stops after some tenths of a second." });

const mailsShape = t.Object({
  queued: t.Number({ description: "`held=false&retrying=false`" }),
  retrying: t.Number({ description: "Failed for now: `held=false&retrying=true`" }),
  held: t.Number({ description: "`held=true`" }),
  failed: t.Number({ description: "Given up, also if they were sent again since: `status=FAILED`" }),
});
const stepCountsShape = t.Object(
  {
    stepId: idShape,
    reached: t.Number({ description: "here + passed + stopped + cancelled" }),
    here: t.Number({ description: "Wait here now." }),
    passed: t.Number({ description: "Have gone on, or have ended here as they should." }),
    skipped: t.Number({ description: "Of those who passed: the step did nothing for them." }),
    failed: t.Number({ description: "The step failed for them; some went on all the same." }),
    stopped: t.Number({ description: "Their execution failed here." }),
    cancelled: countShape,
    branches: t.Array(t.Object({ branch: t.String(), passed: countShape })),
    mails: t.Union([mailsShape, t.Null()], {
      description:
        "Of a SEND_EMAIL step: its emails that have not left. `GET /emails` with `workflowId` and `stepId` lists them. null for other steps.",
    }),
  },
  { title: "WorkflowStepCounts" },
);

export function countRoutes(access: Access) {
  const { store, clock } = access;
  return routes(access, [
    get(
      "/workflows/counts",
      {
        name: "countWorkflowExecutions",
        summary: "Count the executions of some workflows",
        answers: {
          200: t.Object(
            { workflows: t.Array(t.Object({ workflowId: idShape, ...tally, isLowerBound })) },
            { title: "WorkflowTallies" },
          ),
        },
        permission: "read",
        query: t.Object({
          ids: parameter(
            t.Array(idInputShape, { minItems: 1, maxItems: 50 }),
            "The workflows: repeated, or with commas. Those that do not exist are left out.",
          ),
        }),
      },
      async (reader, { query, caller }) => {
        const found = await workflowsAmong(reader, caller.workspace, query.ids ?? []);
        const tallies = await talliesFor(
          reader,
          found.map(({ seq }) => seq),
        );
        return { workflows: found.map(({ id }, at) => ({ workflowId: id, ...tallies[at] })) };
      },
      "long",
    ),
    get(
      "/workflows/:id/counts",
      {
        name: "countWorkflowSteps",
        summary: "Count the people at each step of a workflow",
        answers: {
          200: t.Object(
            {
              executions: t.Object(tally),
              steps: t.Array(stepCountsShape),
              transitions: t.Array(t.Object({ transitionId: idShape, passed: countShape })),
              isLowerBound,
            },
            { title: "WorkflowCounts" },
          ),
        },
        permission: "read",
        refuses: ["WORKFLOW_NOT_FOUND"],
        description:
          "Counted from executions that still have their trace. `GET /workflows/{id}/executions` with `stepId`, `state` and `branch` lists the people of each number.",
      },
      async (reader, { params, caller }) =>
        countsOf(reader, await findWithSteps(reader, caller.workspace, params.id), clock),
      "long",
    ),
    route(
      "POST",
      "/workflows/:id/steps/:stepId/retry",
      {
        name: "retryStep",
        summary: "Try a step again for all for whom it failed",
        answers: {
          200: t.Object({
            retried: countShape,
            hasMore: t.Boolean({ description: "There are more than ten thousand: call again." }),
          }),
        },
        permission: "workflows.run",
        managers: true,
        refuses: ["WORKFLOW_NOT_FOUND", "STEP_NOT_FOUND", "WORKFLOW_STATE"],
        harmless: true,
        description:
          "Of a WEBHOOK step: those that were given up are sent again, each with its `webhook-id`; executions do not go back. Of a SEND_EMAIL step: executions that failed there, because it had no template, sender or verified domain, go back to it and on from there, on the version on which they started. Nobody is mailed twice: whose email was queued is not among them (`POST /emails/retry` sends emails again that failed later), nor who is in the workflow again.",
        sends: WEBHOOK,
      },
      async ({ params, caller }) => {
        const ids = { workflow: params.id, step: params.stepId };
        const retrying = await store.read((reader) => retryingOf(reader, caller.workspace, ids));
        if (caller.note) await store.write(async (tx) => caller.note?.(tx, null));
        return retryAll(store, retrying);
      },
    ),
  ]);
}
