// The fields that a search for contacts covers, besides addresses and names: keys of data that the workspace chose.
import { invalidField } from "../../base/errors.ts";

/** More would make the searched text much longer than names. */
export const MAX_SEARCH_FIELDS = 5;
/** Signalled when a workspace has chosen other fields. */
export const SEARCH_FIELDS = "search fields";

/** The prefix of a key of data, where fields are named. */
const PREFIX = "data.";
const KEY = /^[^."\\\p{Cc}]+$/u;

/**
 * The keys of fields such as `data.customerId`. @throws AppError VALIDATION_ERROR on names that are not fields of data
 */
export function searchKeys(fields: readonly string[]): readonly string[] {
  return [...new Set(fields)].map((field, index) => {
    const key = dataKeyIn(field);
    if (key !== null) return key;
    throw invalidField(`searchFields.${index}`, "Expected a field of data, such as data.customerId.");
  });
}

export function searchFieldNames(keys: readonly string[]): string[] {
  return keys.map(fieldOf);
}

/** The key of `data.customerId`; null = it is not a field of data. */
export function dataKeyIn(field: string): string | null {
  const key = field.slice(PREFIX.length);
  return field.startsWith(PREFIX) && KEY.test(key) ? key : null;
}

export function fieldOf(key: string): string {
  return PREFIX + key;
}
