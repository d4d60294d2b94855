// /workflows/{id}/simulate and simulate-past: what would happen, and what would have happened (interface-gaps.md §6).
import { Elysia, t } from "elysia";
import { DAY_MS, iso } from "../clock.ts";
import type { Renderer } from "../emails/rendering/renderer.ts";
import { AppError } from "../errors.ts";
import { countShape, idShape, nullable, oneOf, timeShape } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { dataShape, idParams, optional, wholeNumber } from "../http/schemas.ts";
import { asBody } from "../http/shape.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { STEP_TYPES } from "./definition.ts";
import { eventsSince } from "./version-queries.ts";
import { walk } from "./simulate.ts";
import { partsOf, simulationOf } from "./simulation.ts";
import { findWorkflow, triggerOf } from "./workflow.ts";

const wish = t.Object(
  {
    contactId: t.String({ maxLength: 100 }),
    event: optional(dataShape),
    branches: optional(t.Record(t.String(), oneOf("event", "timeout"))),
  },
  { examples: [{ contactId: "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f", event: { plan: "pro" } }] },
);
const past = t.Object({ days: wholeNumber(1, 365) }, { examples: [{ days: 30 }] });

const simulationShape = t.Object(
  {
    contact: t.Object({ id: idShape, email: t.String() }),
    obstacle: nullable(t.String()),
    status: oneOf("COMPLETED", "EXITED", "FAILED"),
    reason: nullable(t.String()),
    steps: t.Array(
      t.Object({
        stepId: idShape,
        name: t.String(),
        type: oneOf(...STEP_TYPES),
        status: oneOf("COMPLETED", "SKIPPED", "FAILED"),
        at: timeShape,
        output: t.Record(t.String(), t.Unknown()),
      }),
    ),
  },
  { title: "WorkflowSimulation" },
);
const pastShape = t.Object(
  { since: timeShape, events: countShape, contacts: countShape, wouldEnter: countShape },
  { title: "WorkflowPast" },
);

/** Of rendering, for all mails and webhooks on the way. */
const RENDERING_MS = 500;

export function simulationRoutes(access: Access, renderer: Renderer) {
  const { store, clock } = access;
  return new Elysia({ prefix: "/workflows/:id" })
    .use(secretKey(access))
    .post(
      "/simulate",
      async ({ params, body, caller: { workspace } }) => {
        const { contactId, event, branches } = body;
        const asked = { contactId, event: event ?? {}, branches: branches ?? {} };
        const walked = await store.read((reader) => walk(reader, clock, { workspace, workflow: params.id }, asked));
        return simulationOf(walked, await renderer.render(workspace, partsOf(walked), { limitMs: RENDERING_MS }));
      },
      {
        params: idParams,
        body: asBody(wish),
        detail: answers(
          "Walk a contact through a workflow without any effect",
          { 200: simulationShape },
          {
            refuses: ["WORKFLOW_NOT_FOUND", "CONTACT_NOT_FOUND"],
            harmless: true,
            description:
              "`branches` says by step id how waits are left, `event` or `timeout`; mails and webhooks are shown rendered.",
          },
        ),
      },
    )
    .post(
      "/simulate-past",
      ({ params, body, caller }) =>
        store.read(
          async (reader) => {
            const workflow = await findWorkflow(reader, caller.workspace, params.id);
            const { type, config } = triggerOf(workflow);
            if (type !== "EVENT") throw new AppError("WORKFLOW_STATE", "No event starts this workflow.");
            const since = iso(clock.nowMs() - body.days * DAY_MS);
            const counts = await eventsSince(reader, caller.workspace, config["eventName"] as string, since);
            return { since, ...counts, wouldEnter: workflow.allow_reentry === 1 ? counts.events : counts.contacts };
          },
          { longFor: caller.workspace },
        ),
      {
        params: idParams,
        body: asBody(past),
        detail: answers(
          "Count whom the events of the past would have started",
          { 200: pastShape },
          {
            refuses: ["WORKFLOW_NOT_FOUND", "WORKFLOW_STATE"],
            harmless: true,
            description: "With re-entry each event counts, though a contact is in a workflow once at a time.",
          },
        ),
      },
    );
}
