// The answer of a simulation of a workflow.
import { t } from "elysia";
import { emailAddressShape, idShape, nullable, oneOf, timeShape } from "../../../../http/answer-shapes.ts";
import { dataShape } from "../../../../http/schemas.ts";
import { STEP_TYPES } from "../../definition/definition.ts";
import { REASONS } from "../unstarted/unstarted.ts";

export const simulationShape = t.Object(
  {
    contact: t.Object({ id: idShape, email: emailAddressShape }),
    event: t.Object(
      { name: nullable(t.String()), id: nullable(idShape), createdAt: nullable(timeShape), data: dataShape },
      {
        title: "SimulatedEvent",
        description: "What started it: `id` and `createdAt` are null unless the event has happened.",
      },
    ),
    obstacle: t.Union([t.String(), t.Null()], { description: "Why an event would not start it now." }),
    obstacleReason: nullable(oneOf("disabled", "not_member", ...REASONS)),
    status: oneOf("COMPLETED", "EXITED", "FAILED"),
    reason: nullable(t.String()),
    steps: t.Array(
      t.Object({
        stepId: t.String({ description: "Its id; where `steps` were given, its `ref`." }),
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
