// The shapes of requests that write workflows, steps and transitions.
import { t } from "elysia";
import { oneOf } from "../../../http/answer-shapes.ts";
import { dataShape, optional, recordNameShape, shownAs } from "../../../http/schemas.ts";
import { ifUpdatedAtShape } from "../../../tenant/access/saving-shape.ts";
import { REENTRIES, STEP_TYPES } from "./definition.ts";
import {
  eventNameShape,
  stepConfigShape,
  triggerChangeShape,
  stepInputShape,
  triggerConfigShape,
  triggerTypeShape,
} from "./steps/step-shape.ts";

const stepId = t.String({ minLength: 1, maxLength: 100 });
export const entryKeyShape = t.String({ maxLength: 500 });
const settings = {
  description: optional(t.String({ maxLength: 500 })),
  eventName: optional(eventNameShape),
  triggerType: optional(triggerTypeShape),
  triggerConfig: optional(triggerConfigShape),
  enabled: optional(t.Boolean()),
  reentry: optional(
    oneOf(...REENTRIES),
    "How often a contact enters: once, again after each end, or with each event. `never` unless given.",
  ),
  allowReentry: optional(t.Boolean(), "`false` is `reentry: never`, `true` is `after-end`."),
  entryKey: optional(
    entryKeyShape,
    "With `reentry: always`: one running execution of a contact for each key, such as `{{ event.order }}`.",
  ),
};
const stepFields = {
  templateId: optional(t.String({ maxLength: 200 }), "The same as `templateId` in the configuration of SEND_EMAIL."),
  position: t.Optional(t.Unknown({ description: "Any JSON; editors keep their own notes here." })),
};
const newStepFields = { name: recordNameShape, ...stepFields };
const listedStepFields = { ...newStepFields, ref: optional(stepId, "A name for the step, for `transitions`.") };
const addedStepFields = {
  ...newStepFields,
  autoConnect: optional(t.Boolean(), "Unless `false`, the step comes after the last one that leads nowhere."),
};
const typed = { type: oneOf(...STEP_TYPES), config: optional(dataShape) };

export const transitionInputShape = t.Object(
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

const listedStep = shownAs(t.Object({ ...typed, ...listedStepFields }), stepInputShape(listedStepFields));
const MAX_LISTED = { steps: { maxItems: 100 }, transitions: { maxItems: 1_000 } };

export const creationShape = t.Object(
  {
    name: recordNameShape,
    ...settings,
    steps: optional(t.Array(listedStep, MAX_LISTED.steps)),
    transitions: optional(t.Array(transitionInputShape, MAX_LISTED.transitions)),
  },
  { examples: [{ name: "After a sign-up", eventName: "signup", enabled: true, steps: [delay, hook] }] },
);

/** The steps and transitions of a workflow as a whole; a `ref` that is the id of a step keeps it. */
export const drawing = {
  steps: t.Array(listedStep, MAX_LISTED.steps),
  transitions: t.Array(transitionInputShape, MAX_LISTED.transitions),
};
const drawn = {
  steps: [{ ref: "hook", ...hook }],
  transitions: [{ fromStepId: "trigger", toStepId: "hook" }],
};

export const replacementShape = t.Object(
  {
    name: optional(recordNameShape),
    ...settings,
    triggerConfig: optional(triggerChangeShape),
    ...drawing,
    ifUpdatedAt: ifUpdatedAtShape,
  },
  { examples: [drawn] },
);

export const drawingShape = t.Object(
  {
    eventName: settings.eventName,
    triggerType: settings.triggerType,
    reentry: settings.reentry,
    allowReentry: settings.allowReentry,
    entryKey: settings.entryKey,
    triggerConfig: optional(triggerChangeShape),
    ...drawing,
  },
  { examples: [drawn] },
);

export const changeShape = t.Object(
  {
    name: optional(recordNameShape),
    ...settings,
    triggerConfig: optional(triggerChangeShape),
    ifUpdatedAt: ifUpdatedAtShape,
  },
  { examples: [{ enabled: true }] },
);

export const newStepShape = shownAs(
  t.Object({ ...typed, ...addedStepFields }, { examples: [delay] }),
  stepInputShape(addedStepFields),
);

export const stepChangeShape = t.Object(
  {
    name: optional(recordNameShape),
    ...stepFields,
    config: optional(stepConfigShape),
    ifUpdatedAt: { ...ifUpdatedAtShape, description: `Of the workflow. ${ifUpdatedAtShape.description}` },
  },
  { examples: [{ name: "Two days later" }] },
);
