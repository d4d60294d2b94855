// A condition without the addresses of erased people.
import { namesOneOf } from "../../../base/addresses.ts";

/** No address and hardly any data is equal to it or contains it. */
const ERASED = "(erased)";
/** What a filter or a branch compares with, and what people call it. */
const SAID: ReadonlySet<string> = new Set(["value", "name"]);

/** `condition`: of a segment, an audience or a step, as it is stored. */
export function withoutAddresses<Condition>(condition: Condition, emails: readonly string[]): Condition {
  return JSON.parse(JSON.stringify(condition), (key, value: unknown) =>
    SAID.has(key) ? without(value, emails) : value,
  ) as Condition;
}

function without(value: unknown, emails: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, emails));
  return typeof value === "string" && namesOneOf(value, emails) ? ERASED : value;
}
