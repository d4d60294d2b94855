// Reading the configuration of a step: what its type takes, in the form in which it is kept (interface-gaps.md §6).
import { ORDER, type Comparison } from "../comparisons/comparison.ts";
import { readData, type Variables } from "../contacts/data.ts";
import { AppError, invalidField, invalidFields, refuse, type FieldError } from "../errors.ts";
import { requiredAddress } from "../http/address-field.ts";
import { UNIT_MS } from "../segments/filter.ts";
import type { ConditionConfig, Configs, StepType } from "./definition.ts";
import { plainConfig } from "./spelling.ts";
import { configShapeOf } from "./step-shape.ts";
import { updateFaults } from "./update-step.ts";
import { webhookFaults } from "./webhook/config.ts";

const MAX_CONFIG_BYTES = 64 * 1024;
const MAX_DELAY_DAYS = 365;
const ORDERING: ReadonlySet<string> = new Set(ORDER);

/**
 * The configuration without what its type does not know; `path` leads to it in the request.
 * @throws AppError VALIDATION_ERROR with one item for each field that cannot be used
 */
export function readConfig(type: StepType, config: Variables, path: string): Configs[StepType] {
  const shape = under(path, () => {
    const plain = plainConfig(type, config);
    return configShapeOf(type, plain)["~standard"].validate(plain).value;
  });
  const read = READERS[type](withoutNulls(shape as Variables), path) as Configs[StepType];
  refuseTooLarge(read, path);
  return read;
}

function refuseTooLarge(config: object, path: string): void {
  if (Buffer.byteLength(JSON.stringify(config)) > MAX_CONFIG_BYTES)
    throw invalidField(path, "The configuration of a step takes at most 64 KB.", "too_big");
}

/** What `check` answers; the fields that it refuses are named from the top of the request. */
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

type Reader = (config: Variables, path: string) => object;

const READERS: Readonly<Record<StepType, Reader>> = {
  TRIGGER: () => ({}),
  SEND_EMAIL: readMail,
  DELAY: readDelay,
  WAIT_FOR_EVENT: ({ eventName, timeout }) => ({ eventName, ...(timeout === undefined ? {} : { timeout }) }),
  CONDITION: (config, path) => readCondition(config as ConditionConfig, path),
  UPDATE_CONTACT: readUpdate,
  WEBHOOK: readWebhook,
  EXIT: ({ reason }) => (reason === undefined ? {} : { reason }),
};

function readMail({ templateId, to }: Variables, path: string): object {
  if (to === undefined) return { templateId };
  return { templateId, to: requiredAddress(`${path}.to`, to as string) };
}

function readDelay(config: Variables, path: string): object {
  const { amount, unit } = config as Configs["DELAY"];
  if (amount * UNIT_MS[unit] > MAX_DELAY_DAYS * UNIT_MS.days)
    throw invalidField(`${path}.amount`, `A delay takes at most ${MAX_DELAY_DAYS} days.`, "too_big");
  return { amount, unit };
}

function readCondition(config: ConditionConfig, path: string): object {
  if (config.mode !== "multi") {
    refuse(comparisonFaults(config, path));
    return { field: config.field, ...comparison(config) };
  }
  const ids = config.branches.map(({ id }) => id);
  refuse([
    ...config.branches.flatMap((branch, at) => comparisonFaults(branch, `${path}.branches.${at}`)),
    ...ids.flatMap((id, at) => (ids.indexOf(id) < at ? [duplicate(`${path}.branches.${at}.id`)] : [])),
  ]);
  const branches = config.branches.map((branch) => ({
    id: branch.id,
    ...(branch.name ? { name: branch.name } : {}),
    ...comparison(branch),
  }));
  return { mode: "multi", field: config.field, branches };
}

function comparison({ operator, value }: Comparison): Comparison {
  return value === undefined ? { operator } : { operator, value };
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
  const read = { ...(data === undefined ? {} : { data: stored }), ...(subscribed === undefined ? {} : { subscribed }) };
  // First: its texts are parsed as templates, which takes long where they are very large.
  refuseTooLarge(read, path);
  refuse(updateFaults(stored).map((fault) => ({ ...fault, field: `${path}.${fault.field}` })));
  return read;
}

function readWebhook(config: Variables, path: string): object {
  const { url, method = "POST", headers, body, onFailure } = config as Configs["WEBHOOK"];
  const read = { url, method, ...defined({ headers, body, onFailure }) };
  // First: its texts are parsed as templates, which takes long where they are very large.
  refuseTooLarge(read, path);
  refuse(webhookFaults(read as Configs["WEBHOOK"]).map((fault) => ({ ...fault, field: `${path}.${fault.field}` })));
  return read;
}

/** Null says the same as nothing, but for a webhook's body, whose null is a value, and for what a condition compares with. */
function withoutNulls(config: Variables): Variables {
  return Object.fromEntries(
    Object.entries(config).filter(([name, value]) => value !== null || name === "body" || name === "value"),
  );
}

function defined(fields: Variables): Variables {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
