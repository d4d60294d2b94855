// Reads the configuration of a step: checked, and in its stored form.
import { ORDER, type Comparison } from "../../../../audience/comparisons/comparison.ts";
import { readData, type Variables } from "../../../../audience/contacts/data.ts";
import { AppError, invalidField, invalidFields, refuse, type FieldError } from "../../../../base/errors.ts";
import { optionalAddress } from "../../../../http/body/address-field.ts";
import { readCondition } from "../../../../audience/segments/condition/check.ts";
import { UNIT_MS } from "../../../../audience/segments/condition/filter.ts";
import { readLabels, storedLabels, toldLabels, type LabelsInput } from "../../../../base/labels.ts";
import { withoutMarksIn } from "../../../../content/templates/design/editor-marks.ts";
import {
  isAsking,
  type ConditionComparison,
  type ConditionConfig,
  type Configs,
  type StepType,
} from "../definition.ts";
import { plainConfig } from "./spelling.ts";
import { configShapeOf } from "./step-shape.ts";
import { HAS_TEXTS, updateFaults } from "../texts.ts";
import { webhookFaults } from "./webhook-config.ts";

const MAX_CONFIG_BYTES = 64 * 1024;
const MAX_DELAY_DAYS = 365;
const ORDERING: ReadonlySet<string> = new Set(ORDER);

/**
 * The configuration without fields that its type does not have; `path` leads to it in the request.
 * @throws AppError VALIDATION_ERROR with one item for each field that cannot be used
 */
export function readConfig(type: StepType, config: Variables, path: string): Configs[StepType] {
  const shape = under(path, () => {
    const plain = plainConfig(type, config);
    return configShapeOf(type, plain)["~standard"].validate(plain).value;
  });
  const meant = HAS_TEXTS.has(type) ? withoutMarksIn(shape as Variables) : (shape as Variables);
  const read = READERS[type](withoutNulls(meant), path) as Configs[StepType];
  refuseTooLarge(read, path);
  return read;
}

function refuseTooLarge(config: object, path: string): void {
  if (Buffer.byteLength(JSON.stringify(config)) > MAX_CONFIG_BYTES)
    throw invalidField(path, "The configuration of a step takes at most 64 KB.", "too_big");
}

/** The answer of `check`; its faults are at `path` in the request. */
export function under<Answer>(path: string, check: () => Answer): Answer {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof AppError) || !error.details.errors) throw error;
    const errors = error.details.errors.map((fault) => ({ ...fault, field: joined(path, fault.field) }));
    throw invalidFields(errors);
  }
}

function joined(path: string, field: string): string {
  return field === "body" ? path : `${path}.${field}`;
}

/** The answer may have undefined fields: its stored JSON omits them. */
type StepConfigReader = (config: Variables, path: string) => object;

const READERS: Readonly<Record<StepType, StepConfigReader>> = {
  TRIGGER: () => ({}),
  SEND_EMAIL: readMail,
  DELAY: readDelay,
  WAIT_FOR_EVENT: ({ eventName, timeout }) => ({ eventName, timeout }),
  CONDITION: (config, path) => readDecision(config as ConditionConfig, path),
  UPDATE_CONTACT: readUpdate,
  WEBHOOK: readWebhook,
  EXIT: ({ reason }) => ({ reason }),
};

function readMail({ templateId, to, topic, ...labels }: Variables, path: string): object {
  const own = storedLabels(under(path, () => readLabels(labels as LabelsInput)));
  return { templateId, topic, to: optionalAddress(`${path}.to`, to as string | undefined), ...toldLabels(own) };
}

function readDelay(config: Variables, path: string): object {
  const { amount, unit } = config as Configs["DELAY"];
  if (amount * UNIT_MS[unit] > MAX_DELAY_DAYS * UNIT_MS.days)
    throw invalidField(`${path}.amount`, `A delay takes at most ${MAX_DELAY_DAYS} days.`, "too_big");
  return { amount, unit };
}

function readDecision(config: ConditionConfig, path: string): object {
  return isAsking(config)
    ? { condition: readCondition(config.condition, `${path}.condition`) }
    : readComparing(config, path);
}

function readComparing(config: ConditionComparison, path: string): object {
  if (config.mode !== "multi") {
    refuse(comparisonFaults(config, path));
    return { field: config.field, operator: config.operator, value: config.value };
  }
  const ids = config.branches.map(({ id }) => id);
  refuse([
    ...config.branches.flatMap((branch, at) => comparisonFaults(branch, `${path}.branches.${at}`)),
    ...ids.flatMap((id, at) => (ids.indexOf(id) < at ? [duplicate(`${path}.branches.${at}.id`)] : [])),
  ]);
  const branches = config.branches.map(({ id, name, operator, value }) => ({
    id,
    name: name || undefined,
    operator,
    value,
  }));
  return { mode: "multi", field: config.field, branches };
}

function comparisonFaults({ operator, value }: Comparison, path: string): FieldError[] {
  if (operator === "exists" || operator === "notExists") return [];
  const field = `${path}.value`;
  if (value === undefined) return [{ field, message: `The operator ${operator} needs a value.`, code: "required" }];
  if (!ORDERING.has(operator) || typeof value === "number" || typeof value === "string") return [];
  return [{ field, message: `The operator ${operator} compares with a number or a text.`, code: "invalid_type" }];
}

function duplicate(field: string): FieldError {
  return { field, message: "Another branch has this id.", code: "duplicate" };
}

function readUpdate({ data, subscribed }: Variables, path: string): object {
  if (data === undefined && subscribed === undefined)
    throw invalidField(path, "The step needs data, subscribed, or both.", "required");
  const stored = under(path, () => readData((data ?? {}) as Variables).stored);
  return withTexts({ data: data && stored, subscribed }, path, () => updateFaults(stored));
}

function readWebhook(config: Variables, path: string): object {
  const webhook = config as Configs["WEBHOOK"];
  const { url, method = "POST", headers, body, onFailure } = webhook;
  return withTexts({ url, method, headers, body, onFailure }, path, () => webhookFaults(webhook));
}

/** The size comes first: texts are parsed as templates, and very large ones take long. */
function withTexts(read: object, path: string, faults: () => readonly FieldError[]): object {
  refuseTooLarge(read, path);
  refuse(faults().map((fault) => ({ ...fault, field: `${path}.${fault.field}` })));
  return read;
}

/** Null means absent, except as a webhook's body and as the value of a condition. */
function withoutNulls(config: Variables): Variables {
  return Object.fromEntries(
    Object.entries(config).filter(([name, value]) => value !== null || name === "body" || name === "value"),
  );
}

type BranchInput = {
  readonly condition?: { readonly branch: string } | null;
  /** The branch of a wait, in capitals. */
  readonly waitOutcome?: "EVENT" | "TIMEOUT" | null;
};

export type TransitionInput = BranchInput & { readonly fromStepId: string; readonly toStepId: string };

export function branchIn({ condition, waitOutcome }: BranchInput): string | null {
  return condition?.branch ?? waitOutcome?.toLowerCase() ?? null;
}
