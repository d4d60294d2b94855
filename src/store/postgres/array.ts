// Lists of values as PostgreSQL reads an array: one parameter for any number of them.
import type { Value } from "../sql.ts";

/** An array of texts, bytes, numbers and nulls. */
export function arrayOf(values: readonly Value[]): string {
  return `{${values.map(elementOf).join()}}`;
}

/** Half a pair of surrogates is not a character: a text that is bound alone would lose it as well. */
function elementOf(value: Value): string {
  if (value === null) return "NULL";
  if (value instanceof Uint8Array) return `"\\\\x${value.toHex()}"`;
  return typeof value === "string" ? `"${value.toWellFormed().replace(/["\\]/g, "\\$&")}"` : String(value);
}

/** An array for each column of the rows. */
export function columnsOf(rows: readonly (readonly Value[])[]): string[] {
  return (rows[0] ?? []).map((_, column) => arrayOf(rows.map((row) => row[column] as Value)));
}

/**
 * PostgreSQL assumes ten entries for a list of unknown length, and plans anew for each shorter list, which looks
 * cheaper.
 */
const LENGTH_IT_EXPECTS = 10;

/** Lengthens a list by repeating its last entry. */
export function lengthened<One>(list: readonly One[]): readonly One[] {
  const missing = list.length === 0 ? 0 : Math.max(0, LENGTH_IT_EXPECTS + 1 - list.length);
  return [...list, ...Array<One>(missing).fill(list.at(-1) as One)];
}
