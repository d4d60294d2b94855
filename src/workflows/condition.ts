// Evaluates a CONDITION: which branch an execution leaves it by (interface-gaps.md §6 "CONDITION").
import type { Comparison, ConditionConfig } from "./definition.ts";
import type { Subject } from "./subject.ts";

type Decision = {
  readonly branch: string;
  /** What stood in the field; undefined = nothing. */ readonly found: unknown;
};

/** `yes` or `no`; of several branches the first that holds, or `default`. */
export function decide(config: ConditionConfig, subject: Subject): Decision {
  const found = lookUp(subject, config.field);
  if (config.mode !== "multi") return { branch: holds(config, found) ? "yes" : "no", found };
  return { branch: config.branches.find((branch) => holds(branch, found))?.id ?? "default", found };
}

/** `contact.email`, `contact.data.plan`, `data.plan.name`, `event.items.0`. Keys that hold a dot are found whole. */
function lookUp({ contact, event }: Subject, field: string): unknown {
  const [root = "", rest = ""] = field.split(/\.(.*)/s);
  if (root === "data") return within(contact.data, rest);
  return within(root === "event" ? event : contact, rest);
}

function within(value: unknown, path: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, path)) return (value as Record<string, unknown>)[path];
  const [key = "", rest] = path.split(/\.(.*)/s);
  if (rest === undefined || !Object.hasOwn(value, key)) return undefined;
  return within((value as Record<string, unknown>)[key], rest);
}

/** What is not there, or null, meets nothing but `notExists`. Equality is by type as well: "7" is not 7. */
function holds({ operator, value }: Comparison, found: unknown): boolean {
  const isThere = found !== undefined && found !== null;
  if (operator === "exists") return isThere;
  if (operator === "notExists") return !isThere;
  if (!isThere) return operator === "equals" && value === null;
  if (operator === "equals") return Bun.deepEquals(found, value);
  if (operator === "notEquals") return !Bun.deepEquals(found, value);
  if (operator === "contains") return contains(found, value);
  if (operator === "notContains") return !contains(found, value);
  const order = compared(found, value);
  if (order === null) return false;
  if (operator === "greaterThan") return order > 0;
  if (operator === "lessThan") return order < 0;
  return operator === "greaterThanOrEqual" ? order >= 0 : order <= 0;
}

/** A part of a text, by case; one item of a list. */
function contains(found: unknown, value: unknown): boolean {
  if (Array.isArray(found)) return found.some((item) => Bun.deepEquals(item, value));
  return typeof found === "string" && found.includes(String(value));
}

/** As numbers if both can be read as such, else as texts, which is how ISO dates compare; null if neither will do. */
function compared(found: unknown, value: unknown): number | null {
  const [one, other] = [asNumber(found), asNumber(value)];
  if (one !== null && other !== null) return one - other;
  if (typeof found !== "string" || typeof value !== "string") return null;
  return found === value ? 0 : found > value ? 1 : -1;
}

function asNumber(value: unknown): number | null {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value) ? Number(value) : null;
}
