// From what the schema check found to the field errors that a caller reads.
import type { FieldError } from "../errors.ts";

/** What TypeBox says of one fault; a union's fault carries those of its branches. */
export type SchemaFault = {
  readonly path: string;
  readonly message: string;
  readonly value: unknown;
  readonly errors?: readonly Iterable<SchemaFault>[];
};

/** At most this many are listed: a body of a million wrong items is one mistake. */
const MOST_ERRORS = 100;

/** One error a field, in the order of the body; `field` is a dot path such as `to.0.email` (interface-gaps.md §1). */
export function fieldErrors(faults: Iterable<SchemaFault>): FieldError[] {
  const byField = new Map<string, FieldError>();
  for (const fault of faults) {
    for (const leaf of meant(fault)) {
      const field = leaf.path.slice(1).replaceAll("/", ".") || "body";
      if (!byField.has(field)) byField.set(field, { field, message: message(leaf), code: code(leaf) });
    }
    if (byField.size >= MOST_ERRORS) break;
  }
  return [...byField.values()];
}

/** Of a union, the branch that was meant: the one whose faults lie deepest. */
function meant(fault: SchemaFault): SchemaFault[] {
  const branches = (fault.errors ?? []).map((branch) => [...branch].flatMap(meant));
  const depth = (faults: SchemaFault[]) => Math.max(...faults.map((one) => one.path.split("/").length), 0);
  const deepest = branches.reduce<SchemaFault[]>((best, next) => (depth(next) > depth(best) ? next : best), []);
  return depth(deepest) > depth([fault]) ? deepest : [fault];
}

function code({ message, value }: SchemaFault): string {
  if (value === undefined) return "required";
  if (message.includes("less or equal")) return "too_big";
  if (message.includes("greater or equal")) return "too_small";
  if (/^Expected (string|number|integer|boolean|object|array|union value|null)$/.test(message)) return "invalid_type";
  return "invalid";
}

function message({ message, value }: SchemaFault): string {
  if (value === undefined) return "This field is required.";
  if (message === "Expected union value") return "The value has none of the forms that this field takes.";
  return `${message}.`;
}
