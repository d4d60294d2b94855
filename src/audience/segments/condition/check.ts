// Checks a caller's condition as a whole; a refusal lists every fault at its dot path (docs/segments.md).
import { DAY_MS } from "../../../base/clock.ts";
import { ORDER, type ComparisonOrder } from "../../comparisons/comparison.ts";
import { invalidFields, type FieldError } from "../../../base/errors.ts";
import { isTag, NO_TAG } from "../../../base/labels.ts";
import { json, type Column } from "../../../store/columns.ts";
import {
  countsTime,
  FITTING,
  isMoment,
  subjectNamed,
  takesTag,
  OPERATORS,
  spanMs,
  UNSAID,
  takesNoValue,
  UNITS,
  type ConditionFilter,
  type FilterSubject,
  type Operator,
  type Unit,
} from "./filter.ts";

export type ConditionGroup = { readonly filters: readonly ConditionFilter[]; readonly conditions?: Condition };
export type Condition = { readonly logic: "AND" | "OR"; readonly groups: readonly ConditionGroup[] };

const MAX_DEPTH = 8;
const MAX_FILTERS = 100;
const MAX_GROUPS = 100;
const MAX_ERRORS = 100;
const MAX_FIELD_CHARS = 300;
const MAX_VALUE_CHARS = 1_000;
const MAX_SPAN_MS = 100 * 365 * DAY_MS;

type ConditionCheck = { readonly errors: FieldError[]; filters: number };
type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * The condition with its defaults, without unknown keys; `field` is its place in the body. Segments in it are looked up
 * in references.ts.
 * @throws AppError VALIDATION_ERROR with an item for each fault
 */
export function readCondition(given: unknown, field = "condition"): Condition {
  const reading: ConditionCheck = { errors: [], filters: 0 };
  const condition = conditionIn(reading, given, field, 1);
  if (reading.filters > MAX_FILTERS)
    refuse(reading, field, `A condition has at most ${MAX_FILTERS} filters.`, "too_big");
  if (reading.errors.length > 0) throw invalidFields(reading.errors.slice(0, MAX_ERRORS));
  return condition;
}

type ConditionJson = {
  readonly logic?: Condition["logic"] | null;
  readonly groups: readonly {
    readonly filters?: readonly (Omit<ConditionFilter, "operator"> & { readonly operator?: Operator | null })[] | null;
    readonly conditions?: ConditionJson | null;
  }[];
};

/** A stored condition with its defaults, which may be missing in the store. */
function storedCondition({ logic, groups }: ConditionJson): Condition {
  return {
    logic: logic ?? "AND",
    groups: groups.map(({ filters, conditions }) => ({
      filters: (filters ?? []).map(({ field, operator, ...rest }) => ({
        field,
        operator: operator ?? "equals",
        ...rest,
      })),
      ...(conditions ? { conditions: storedCondition(conditions) } : {}),
    })),
  };
}

/** A column with a condition. */
export const CONDITION: Column<Condition> = {
  read: (stored) => storedCondition(json(stored as string)),
  write: (condition) => JSON.stringify(condition),
};

/** Every filter of a condition, nested ones included, with its place in the body. */
export function placedFilters(
  { groups }: Condition,
  field = "condition",
): { readonly at: string; readonly filter: ConditionFilter }[] {
  return groups.flatMap(({ filters, conditions }, index) => {
    const group = `${field}.groups.${index}`;
    const own = filters.map((filter, at) => ({ at: `${group}.filters.${at}`, filter }));
    return conditions ? [...own, ...placedFilters(conditions, `${group}.conditions`)] : own;
  });
}

export function filtersOf(condition: Condition): ConditionFilter[] {
  return placedFilters(condition).map(({ filter }) => filter);
}

function conditionIn(reading: ConditionCheck, given: unknown, field: string, depth: number): Condition {
  const none: Condition = { logic: "AND", groups: [] };
  if (depth > MAX_DEPTH)
    return refuse(reading, field, `Conditions may be nested ${MAX_DEPTH} deep.`, "too_deep") ?? none;
  if (!isRecord(given)) return refuse(reading, field, "Expected object.", typeCode(given)) ?? none;
  const { logic, groups } = given;
  if (isGiven(logic) && logic !== "AND" && logic !== "OR") refuse(reading, `${field}.logic`, "Expected AND or OR.");
  if (!Array.isArray(groups)) return refuse(reading, `${field}.groups`, "Expected array.", typeCode(groups)) ?? none;
  if (groups.length === 0) refuse(reading, `${field}.groups`, "A condition needs at least one group.", "too_small");
  if (groups.length > MAX_GROUPS)
    refuse(reading, `${field}.groups`, `At most ${MAX_GROUPS} groups are allowed here.`, "too_big");
  const read = groups
    .slice(0, MAX_GROUPS)
    .map((group, index) => groupIn(reading, group, `${field}.groups.${index}`, depth));
  return { logic: (logic ?? "AND") as "AND" | "OR", groups: read };
}

function groupIn(reading: ConditionCheck, given: unknown, field: string, depth: number): ConditionGroup {
  const none: ConditionGroup = { filters: [] };
  if (!isRecord(given)) return refuse(reading, field, "Expected object.", typeCode(given)) ?? none;
  const { filters = [], conditions } = given;
  const list = filters ?? [];
  if (!Array.isArray(list)) return refuse(reading, `${field}.filters`, "Expected array.", "invalid_type") ?? none;
  if (list.length === 0 && !isGiven(conditions))
    refuse(reading, `${field}.filters`, "A group needs filters or conditions.", "required");
  reading.filters += list.length;
  const read = list.slice(0, MAX_FILTERS).flatMap((one, index) => filterIn(reading, one, `${field}.filters.${index}`));
  if (!isGiven(conditions)) return { filters: read };
  return { filters: read, conditions: conditionIn(reading, conditions, `${field}.conditions`, depth + 1) };
}

function filterIn(reading: ConditionCheck, given: unknown, at: string): ConditionFilter[] {
  if (!isRecord(given)) return refuse(reading, at, "Expected object.", typeCode(given)) ?? [];
  const { field, operator, value, unit, tag } = given;
  const chosen = (operator ?? "equals") as Operator;
  if (typeof field !== "string") return refuse(reading, `${at}.field`, "Expected string.", typeCode(field)) ?? [];
  if (!OPERATORS.includes(chosen))
    return refuse(reading, `${at}.operator`, `Unknown operator. Expected ${OPERATORS.join(", ")}.`) ?? [];
  const subject = field.length > MAX_FIELD_CHARS ? null : subjectNamed(field, chosen);
  if (!subject) return refuse(reading, `${at}.field`, "Unknown field.", "unknown_field") ?? [];
  if (!FITTING[subject.kind].includes(chosen)) {
    const message = `The operator ${chosen} does not fit the field ${field}, which takes ${FITTING[subject.kind].join(", ")}.`;
    const hint = FITTING.segment.includes(chosen)
      ? " A segment is named by the field: segment.<id>, without a value."
      : "";
    return refuse(reading, `${at}.operator`, message + hint, "unfit_operator") ?? [];
  }
  if (isGiven(tag) && !takesTag(subject))
    return refuse(reading, `${at}.tag`, "Only events of emails have tags.", "unfit_tag") ?? [];
  if (isGiven(tag) && !(typeof tag === "string" && isTag(tag))) return refuse(reading, `${at}.tag`, NO_TAG) ?? [];
  const filter = { field, operator: chosen, ...(isGiven(tag) ? { tag: tag as string } : {}) };
  if (subject.kind === "event" && takesNoValue(chosen) && isGiven(value)) {
    const message = `The operator ${chosen} takes no value; triggeredWithin and its like take a number and a unit.`;
    return refuse(reading, `${at}.value`, message, "unfit_value") ?? [];
  }
  if (takesNoValue(chosen)) return [filter];
  const read = { ...filter, value: value as string, ...(countsTime(chosen) ? { unit: unit as Unit } : {}) };
  const faults = countsTime(chosen) ? spanFaults(read) : valueFaults(subject, chosen, value);
  faults.forEach(([part, message]) => refuse(reading, `${at}.${part}`, message, partCode(given[part])));
  return faults.length > 0 ? [] : [read];
}

type FilterValueFault = readonly [part: "value" | "unit", message: string];

function spanFaults(filter: ConditionFilter): FilterValueFault[] {
  const { value, unit } = filter;
  const faults: FilterValueFault[] = [];
  if (!UNITS.includes(unit as Unit)) faults.push(["unit", `Expected ${UNITS.join(", ")}.`]);
  if (typeof value !== "number" || !(value > 0)) return [["value", "Expected a number above 0."], ...faults];
  if (faults.length === 0 && spanMs(filter) > MAX_SPAN_MS) return [["value", "At most a hundred years."]];
  return faults;
}

function valueFaults(subject: FilterSubject, operator: Operator, value: unknown): FilterValueFault[] {
  if (typeof value === "string" && value.length > MAX_VALUE_CHARS)
    return [["value", `At most ${MAX_VALUE_CHARS} characters.`]];
  const wanted = wantedValue(subject, operator);
  return wanted.takes(value) ? [] : [["value", `Expected ${wanted.name}.`]];
}

type FilterValueRule = { readonly name: string; readonly takes: (value: unknown) => boolean };

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const TEXT: FilterValueRule = { name: "string", takes: isText };
const FLAG: FilterValueRule = { name: "boolean", takes: (value) => typeof value === "boolean" };
const STATUS: FilterValueRule = {
  name: "ACTIVE or PENDING",
  takes: (value) => value === "ACTIVE" || value === "PENDING",
};
const CHOICE: FilterValueRule = {
  name: "in, out or unsaid",
  takes: (value) => value === "in" || value === "out" || value === UNSAID,
};
const MOMENT: FilterValueRule = { name: "a date, or a date-time with its time zone", takes: isMoment };
const ORDERED: FilterValueRule = { name: "string or number", takes: (value) => isText(value) || isNumber(value) };
const ANY: FilterValueRule = {
  name: "string, number or boolean",
  takes: (value) => ORDERED.takes(value) || FLAG.takes(value),
};

function wantedValue({ kind }: FilterSubject, operator: Operator): FilterValueRule {
  if (kind === "email") return TEXT;
  if (kind === "subscribed" || kind === "paused") return FLAG;
  if (kind === "status") return STATUS;
  if (kind === "topic") return CHOICE;
  if (kind === "time") return MOMENT;
  return ORDER.includes(operator as ComparisonOrder) ? ORDERED : ANY;
}

function refuse(reading: ConditionCheck, field: string, message: string, code = "invalid"): null {
  if (reading.errors.length < MAX_ERRORS) reading.errors.push({ field, message, code });
  return null;
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Null counts as missing. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function typeCode(value: unknown): string {
  return isGiven(value) ? "invalid_type" : "required";
}

function partCode(value: unknown): string {
  return isGiven(value) ? "invalid" : "required";
}
