// Evaluates a CONDITION: which branch an execution leaves it by (interface-gaps.md §6 "CONDITION").
import type { Comparison } from "../comparisons/comparison.ts";
import { holds } from "../comparisons/holds.ts";
import { soughtAddress } from "../segments/filter.ts";
import type { ConditionConfig } from "./definition.ts";
import type { Subject } from "./subject.ts";

type Decision = {
  readonly branch: string;
  /** What stood in the field; undefined = nothing. */ readonly found: unknown;
};

/** `yes` or `no`; of several branches the first that holds, or `default`. */
export function decide(config: ConditionConfig, subject: Subject): Decision {
  const found = lookUp(subject, config.field);
  const isTrue = (comparison: Comparison) => holds(comparisonOf(config.field, comparison), found);
  if (config.mode !== "multi") return { branch: isTrue(config) ? "yes" : "no", found };
  return { branch: config.branches.find(isTrue)?.id ?? "default", found };
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

/** Addresses are looked for as they are stored. */
function comparisonOf(field: string, { operator, value }: Comparison): Comparison {
  const isAddress = field === "contact.email" && typeof value === "string";
  return { operator, value: isAddress ? soughtAddress(operator, value) : value };
}
