// The shapes of the bodies that workflows, steps and transitions are written with.
import { t } from "elysia";
import { oneOf } from "../http/answer-shapes.ts";
import { dataShape, optional, recordNameShape } from "../http/schemas.ts";
import { STEP_TYPES } from "./definition.ts";
import { eventNameShape } from "./step-shape.ts";
import { triggerTypeShape } from "./trigger-shape.ts";

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
const type = oneOf(...STEP_TYPES);

export const transitionWishShape = t.Object(
  {
    fromStepId: stepId,
    toStepId: stepId,
    condition: optional(t.Object({ branch: t.String({ minLength: 1, maxLength: 100 }) })),
    waitOutcome: optional(oneOf("EVENT", "TIMEOUT")),
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

export const creationShape = t.Object(
  {
    name: recordNameShape,
    ...settings,
    steps: optional(
      t.Array(t.Object({ type, name: recordNameShape, ...stepParts, ref: optional(stepId) }), { maxItems: 100 }),
    ),
    transitions: optional(t.Array(transitionWishShape, { maxItems: 1_000 })),
  },
  { examples: [{ name: "After a sign-up", eventName: "signup", enabled: true, steps: [delay, hook] }] },
);

export const changeShape = t.Object(
  { name: optional(recordNameShape), ...settings },
  { examples: [{ enabled: true }] },
);

export const newStepShape = t.Object(
  { type, name: recordNameShape, ...stepParts, autoConnect: optional(t.Boolean()) },
  { examples: [delay] },
);

export const stepChangeShape = t.Object(
  { name: optional(recordNameShape), ...stepParts },
  { examples: [{ name: "Two days later" }] },
);
