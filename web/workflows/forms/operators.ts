// Which comparisons a step offers for a field, by what its values are: none that can never be true.
import { isTime } from "../../condition/subjects.ts";
import type { workflows } from "../../texts/en/workflows.ts";

type KnownFields = { readonly fields: readonly { readonly field: string; readonly type: string }[] };

const TYPES: Readonly<Record<string, string>> = {
  ...{ "contact.createdAt": "date", "contact.updatedAt": "date" },
  ...{ "contact.subscribed": "boolean", "contact.status": "boolean" },
};
/** Of a text, or what is not known, everything may be asked. */
const NEVER: Readonly<Record<string, RegExp>> = {
  ...{ number: /contains/i, date: /contains/i, boolean: /contains|than/i },
  // A list, mostly.
  object: /equals|than/i,
};

/** A bare name is one of the data. */
function typeOf(field: string, { fields }: KnownFields): string | undefined {
  const key = field.replace(/^contact\./, "").replace(/^data\./, "");
  return TYPES[field] ?? fields.find((one) => one.field === `data.${key}`)?.type;
}

/** Of a contact: how long ago it is can be asked by a condition. */
export function isDateOfContact(field: string, known: KnownFields): boolean {
  return !field.startsWith("event.") && typeOf(field, known) === "date";
}

/** With their names. `operator`: one that is chosen already stays to be seen. */
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
