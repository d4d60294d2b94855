// The shapes of the configurations of steps and triggers, by their type (docs/workflows.md).
import { t, type TSchema } from "elysia";
import { COMPARISONS } from "../../../../audience/comparisons/comparison.ts";
import { idShape, oneOf } from "../../../../http/answer-shapes.ts";
import { addressShape, dataShape, optional, shownAs, wholeNumber } from "../../../../http/schemas.ts";
import { labelFields } from "../../../../http/label-shapes.ts";
import { asBody, type Shape } from "../../../../http/body/shape.ts";
import { conditionInputShape } from "../../../../audience/segments/condition/record.ts";
import { UNITS } from "../../../../audience/segments/condition/filter.ts";
import { topicKeyShape } from "../../../../audience/topics/record.ts";
import { METHODS, STEP_TYPES, TRIGGER_TYPES, type StepType, type TriggerType } from "../definition.ts";

export const eventNameShape = t.String({ minLength: 1, maxLength: 255 });

const A_YEAR_IN_SECONDS = 365 * 24 * 60 * 60;

const operator = oneOf(...COMPARISONS);
const FIELD =
  "^(data\\..|event\\..|workflow\\..|contact\\.data\\..|contact\\.(id|email|subscribed|status|createdAt|updatedAt)$).*";
const field = t.String({ maxLength: 500, pattern: FIELD });
const branchId = t.String({ minLength: 1, maxLength: 100, pattern: "^(?!default$)" });

/** True for fields that a condition can compare. */
export function isComparable(name: string): boolean {
  return new RegExp(FIELD, "s").test(name);
}

const multi = t.Object(
  {
    mode: t.Literal("multi"),
    field,
    branches: t.Array(
      t.Object({
        id: branchId,
        name: optional(t.String({ maxLength: 100 })),
        operator,
        value: t.Optional(t.Unknown()),
      }),
      { minItems: 1, maxItems: 20 },
    ),
  },
  { title: "MultiConditionConfig" },
);
const asking = t.Object(
  { condition: shownAs(dataShape, conditionInputShape) },
  { title: "AskingConditionConfig", description: "As segments have it; `yes` if the contact matches at that moment." },
);
const CONFIGS = {
  TRIGGER: t.Object({}),
  SEND_EMAIL: t.Object(
    {
      templateId: t.String({
        minLength: 1,
        maxLength: 200,
        description: "A template's id or alias; `receipt@3` is its version 3. Answered with the id.",
      }),
      to: optional(addressShape),
      topic: optional(
        topicKeyShape,
        "The key of the topic that it is of, where the template is MARKETING; that of the template unless given. Who has left it is skipped.",
      ),
      recipient: optional(
        t.Object({ type: t.String({ maxLength: 100 }), customEmail: optional(addressShape) }),
        "Another spelling of `to`: `CUSTOM` with a `customEmail`, or `CONTACT`.",
      ),
      ...labelFields("For finding its emails, with those of the template"),
    },
    { title: "SendEmailConfig" },
  ),
  DELAY: t.Object({ amount: wholeNumber(1, 525_600), unit: oneOf(...UNITS) }, { title: "DelayConfig" }),
  WAIT_FOR_EVENT: t.Object(
    { eventName: eventNameShape, timeout: optional(wholeNumber(1, A_YEAR_IN_SECONDS), "Seconds.") },
    { title: "WaitForEventConfig" },
  ),
  CONDITION: t.Object(
    { mode: optional(t.Literal("binary")), field, operator, value: t.Optional(t.Unknown()) },
    { title: "ConditionConfig" },
  ),
  UPDATE_CONTACT: t.Object(
    {
      data: optional(dataShape),
      subscribed: optional(t.Boolean()),
      updates: optional(dataShape, "Another spelling of `data`."),
      subscriptionAction: optional(oneOf("none", "subscribe", "unsubscribe"), "Another spelling of `subscribed`."),
    },
    { title: "UpdateContactConfig" },
  ),
  WEBHOOK: t.Object(
    {
      url: t.String({ minLength: 1, maxLength: 2_000 }),
      method: optional(oneOf(...METHODS), "`POST` unless given."),
      headers: optional(t.Record(t.String(), t.String({ maxLength: 2_000 }))),
      body: t.Optional(t.Unknown({ description: "Any JSON, in place of `WebhookPayload`." })),
      onFailure: optional(oneOf("continue", "stop"), "`continue` unless given."),
    },
    { title: "WebhookConfig" },
  ),
  EXIT: t.Object({ reason: optional(t.String({ maxLength: 500 })) }, { title: "ExitConfig" }),
} as const satisfies Record<StepType, TSchema>;
const TRIGGERS = {
  EVENT: t.Object({ eventName: eventNameShape }, { title: "EventTrigger" }),
  MANUAL: t.Object({}, { title: "ManualTrigger" }),
  SCHEDULE: t.Object(
    {
      cron: t.String({ minLength: 1, maxLength: 100 }),
      timezone: optional(t.String({ minLength: 1, maxLength: 100 })),
      segmentId: shownAs(t.String({ minLength: 1, maxLength: 100 }), idShape),
    },
    { title: "ScheduleTrigger" },
  ),
} as const satisfies Record<TriggerType, TSchema>;

const configChecks = checksOf({ ...CONFIGS, multi, asking });
const triggerChecks = checksOf(TRIGGERS);

function checksOf<Name extends string>(shapes: Readonly<Record<Name, TSchema>>) {
  const checks = Object.entries<TSchema>(shapes).map(([name, shape]) => [name, asBody(shape)]);
  return Object.fromEntries(checks) as Readonly<Record<Name, Shape<unknown>>>;
}

/** The shape of a step's configuration. */
export function configShapeOf(type: StepType, config: object): Shape<unknown> {
  if (type !== "CONDITION") return configChecks[type];
  if ("condition" in config) return configChecks.asking;
  return configChecks["mode" in config && config.mode === "multi" ? "multi" : type];
}

export const triggerTypeShape = oneOf(...TRIGGER_TYPES);

export function triggerShapeOf(type: TriggerType): Shape<unknown> {
  return triggerChecks[type];
}

/** As readers of /docs see them; they are checked by their type. */
export const triggerConfigShape = shownAs(dataShape, t.Union(Object.values(TRIGGERS)));
/** Fields that a change omits stay. */
export const triggerChangeShape = shownAs(
  dataShape,
  t.Union([TRIGGERS.EVENT, t.Partial(TRIGGERS.SCHEDULE, { title: "ScheduleTriggerChange" })]),
);
export const stepConfigShape = shownAs(dataShape, t.Union(STEP_TYPES.map(configOf)));

type SchemaFields = Readonly<Record<string, TSchema>>;

function configOf(type: StepType): TSchema {
  if (type === "TRIGGER") return triggerConfigShape;
  return type === "CONDITION" ? t.Union([CONFIGS[type], multi, asking]) : CONFIGS[type];
}

/** A step as callers write it, with the configuration of its type; `fields` beside these. */
export function stepInputShape(fields: SchemaFields): TSchema {
  const steps = STEP_TYPES.map((type) => {
    const config = type === "SEND_EMAIL" || !("required" in CONFIGS[type]) ? optional(configOf(type)) : configOf(type);
    return t.Object({ type: t.Literal(type), ...fields, config });
  });
  return t.Union(steps, { discriminator: "type" });
}

/** A step as the interface shows it. */
export function stepAnswerShape(fields: SchemaFields): TSchema {
  const steps = STEP_TYPES.map((type) =>
    t.Object({ ...fields, type: t.Literal(type), config: configOf(type) }, { title: `${schemaName(type)}Step` }),
  );
  return t.Union(steps, { discriminator: "type", title: "WorkflowStep" });
}

/** `WAIT_FOR_EVENT` → `WaitForEvent` */
function schemaName(type: StepType): string {
  return type.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
