// The fields of data on the page of a recipient's choices, each under a name by language.
import { invalidField } from "../../base/errors.ts";
import { dataKeyIn, fieldOf } from "./search-fields.ts";

/** `label`: by language; without one, the key is shown. */
export type PageField = { readonly key: string; readonly label: Readonly<Record<string, string>> };

/** More would not be a page any more. */
export const MAX_PAGE_FIELDS = 20;

export type PageFieldInput = {
  readonly field: string;
  readonly label?: Readonly<Record<string, string | null>> | null | undefined;
};

/** @throws AppError VALIDATION_ERROR on keys that are not fields of data, or occur twice */
export function pageFields(given: readonly PageFieldInput[]): readonly PageField[] {
  const fields: PageField[] = [];
  for (const [index, { field, label }] of given.entries()) {
    const at = `preferencePage.data.${index}.field`;
    const key = dataKeyIn(field);
    if (key === null) throw invalidField(at, "Expected a field of data, such as data.city.");
    if (fields.some((one) => one.key === key)) throw invalidField(at, "This field is shown already.", "duplicate");
    const named = Object.entries(label ?? {}).flatMap(([language, text]) => {
      const words = text?.trim() ?? "";
      return words === "" ? [] : [[language, words] as const];
    });
    fields.push({ key, label: Object.fromEntries(named) });
  }
  return fields;
}

export function pageFieldRecords(fields: readonly PageField[]) {
  return fields.map(({ key, label }) => ({ field: fieldOf(key), label: { ...label } }));
}
