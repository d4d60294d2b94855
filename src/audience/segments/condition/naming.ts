// Removes the addresses of erased people from a condition.
import { namesOneOf } from "../../../base/addresses.ts";

/** Equal to no address, and contained in hardly any data. */
const ERASED = "(erased)";
/** The keys of comparison values and of names given by people. */
const SAID: ReadonlySet<string> = new Set(["value", "name"]);

/** `condition`: of a segment, an audience or a step, in its stored form. */
export function withoutAddresses<Condition>(condition: Condition, emails: readonly string[]): Condition {
  return JSON.parse(JSON.stringify(condition), (key, value: unknown) =>
    SAID.has(key) ? without(value, emails) : value,
  ) as Condition;
}

function without(value: unknown, emails: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, emails));
  return typeof value === "string" && namesOneOf(value, emails) ? ERASED : value;
}
