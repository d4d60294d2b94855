// The operators that a step offers for a field, by its type: without those that can never match.
import { isTime } from "../../condition/subjects.ts";
import type { workflows } from "../../texts/en/workflows.ts";

type KnownFields = { readonly fields: readonly { readonly field: string; readonly type: string }[] };

const TYPES: Readonly<Record<string, string>> = {
  ...{ "contact.createdAt": "date", "contact.updatedAt": "date" },
  ...{ "contact.subscribed": "boolean", "contact.status": "boolean" },
};
/** Operators that never match, by type. Texts and unknown types have all operators. */
const NEVER: Readonly<Record<string, RegExp>> = {
  ...{ number: /contains/i, date: /contains/i, boolean: /contains|than/i },
  // Usually a list.
  object: /equals|than/i,
};

/** A bare name is a data key. */
function typeOf(field: string, { fields }: KnownFields): string | undefined {
  const key = field.replace(/^contact\./, "").replace(/^data\./, "");
  return TYPES[field] ?? fields.find((one) => one.field === `data.${key}`)?.type;
}

/** A date of a contact: its form points to conditions by filters, which can also use its age. */
export function isDateOfContact(field: string, known: KnownFields): boolean {
  return !field.startsWith("event.") && typeOf(field, known) === "date";
}

/** With their names. `operator`: a chosen one stays in the list even if it never matches. */
export function comparisonsOf(
  field: string,
  { operator, value }: { readonly operator: string; readonly value?: unknown },
  known: KnownFields,
  { form }: typeof workflows,
): readonly { readonly id: string; readonly name: string }[] {
  const type = typeOf(field, known);
  const isOfTime = type === "date" || isTime(value as string);
  const ofTime: Readonly<Record<string, string>> = isOfTime ? form.timeOperators : {};
  return Object.entries(form.operators)
    .filter(([id]) => id === operator || !NEVER[type ?? ""]?.test(id))
    .map(([id, name]) => ({ id, name: ofTime[id] ?? name }));
}
