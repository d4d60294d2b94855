// Lists of values as PostgreSQL reads an array: one parameter for any number of them.
import type { Value } from "../sql.ts";

/** Of texts, bytes, numbers and nulls. */
export function arrayOf(values: readonly Value[]): string {
  return `{${values.map(elementOf).join()}}`;
}

/** Half a pair of surrogates is no character: a text that is bound by itself would lose it as well. */
function elementOf(value: Value): string {
  if (value === null) return "NULL";
  if (value instanceof Uint8Array) return `"\\\\x${value.toHex()}"`;
  return typeof value === "string" ? `"${value.toWellFormed().replace(/["\\]/g, "\\$&")}"` : String(value);
}

/** An array for each column of the rows. */
export function columnsOf(rows: readonly (readonly Value[])[]): string[] {
  return (rows[0] ?? []).map((_, column) => arrayOf(rows.map((row) => row[column] as Value)));
}
