// The execution context: the data for conditions and texts of an execution. The contact as it is now, and the events so
// far.
import type { Comparison } from "../../../../audience/comparisons/comparison.ts";
import { holds } from "../../../../audience/comparisons/holds.ts";
import type { Variables } from "../../../../audience/contacts/data.ts";
import { soughtAddress } from "../../../../audience/segments/condition/filter.ts";
import type { RenderScope } from "../../../../content/templates/liquid/render.ts";
import type { ConditionComparison } from "../../definition/definition.ts";

export type ContactInContext = {
  readonly id: string;
  readonly email: string;
  readonly subscribed: boolean;
  readonly status: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly data: Variables;
};

export type ExecutionContext = {
  readonly contact: ContactInContext;
  /** The data of the event that started the execution, and of those that it has waited for. */
  readonly event: Variables;
};

/** For the templates of an update. */
export function scopeOf({ contact, event }: ExecutionContext): RenderScope {
  const { data, email, subscribed } = contact;
  return { ...data, data, email, subscribed, contact, event };
}

/**
 * `contact.email`, `contact.data.plan`, `data.plan.name`, `event.items.0`; undefined = nothing. A key may hold dots.
 */
export function valueAt({ contact, event }: ExecutionContext, field: string): unknown {
  const [root = "", rest = ""] = field.split(/\.(.*)/s);
  if (root === "data") return within(contact.data, rest);
  return within(root === "event" ? event : contact, rest);
}

function within(value: unknown, path: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, path)) return (value as Variables)[path];
  const [key = "", rest] = path.split(/\.(.*)/s);
  if (rest === undefined || !Object.hasOwn(value, key)) return undefined;
  return within((value as Variables)[key], rest);
}

/** `yes` or `no`; of several branches the first that holds, or `default`. `found`: the value of the field. */
export function decide(config: ConditionComparison, context: ExecutionContext): { branch: string; found: unknown } {
  const found = valueAt(context, config.field);
  const isTrue = (comparison: Comparison) => holds(comparisonOf(config.field, comparison), found);
  if (config.mode !== "multi") return { branch: isTrue(config) ? "yes" : "no", found };
  return { branch: config.branches.find(isTrue)?.id ?? "default", found };
}

/** Addresses are compared in their stored form. */
function comparisonOf(field: string, { operator, value }: Comparison): Comparison {
  const isAddress = field === "contact.email" && typeof value === "string";
  return { operator, value: isAddress ? soughtAddress(operator, value) : value };
}
