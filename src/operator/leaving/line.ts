// A row as a line of JSON: names as in the API, flags as true and false, JSON as JSON, bytes as base64, no nulls.
import type { Value } from "../../store/sql.ts";
import type { FileColumn, FileTable } from "./plan.ts";
import type { LeavingRow } from "./departure-queries.ts";
import { UnreadableFile } from "./unreadable.ts";

/** References by column: the place of a row that has no public id, or a list of ids. */
type RowReferences = Readonly<Record<string, number | readonly string[] | null>>;

export function lineOf({ columns }: FileTable, row: LeavingRow, references: RowReferences): string {
  const record: Record<string, unknown> = {};
  for (const column of columns) {
    const value = references[column.name] === undefined ? (row[column.name] ?? null) : references[column.name];
    if (value !== null && value !== undefined) record[column.field] = fileValue(column, value);
  }
  return `${JSON.stringify(record)}\n`;
}

function fileValue({ type, means }: FileColumn, value: unknown): unknown {
  if (means !== null) return value;
  if (type === "flag") return value === 1;
  if (type === "bytes") return Buffer.from(value as Uint8Array).toString("base64");
  return type === "json" ? asJson(value as string) : value;
}

/** A text that JSON would write in another way stays a text, since digests are made of some. */
function asJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null && JSON.stringify(value) === text ? value : text;
}

/** A line: its values by column, and its references as they are written. */
export type ReadLine = {
  readonly values: Readonly<Record<string, Value>>;
  readonly references: ReadonlyMap<FileColumn, unknown>;
};

/** @throws UnreadableFile for a line that no export writes */
export function readLine(table: FileTable, text: string): ReadLine {
  const record = recordIn(text);
  const values: Record<string, Value> = {};
  const references = new Map<FileColumn, unknown>();
  let fields = 0;
  for (const column of table.columns) {
    const given = record[column.field];
    if (given === undefined) continue;
    fields++;
    if (column.means === null) values[column.name] = valueOf(column, given);
    else references.set(column, given);
  }
  if (fields === Object.keys(record).length) return { values, references };
  const known = table.columns.map(({ field }) => field);
  const unknown = Object.keys(record).find((field) => !known.includes(field));
  throw new UnreadableFile(`it has a field that is not known here: ${JSON.stringify(unknown?.slice(0, 100))}`);
}

function recordIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const record: unknown = JSON.parse(text);
    if (typeof record === "object" && record !== null && !Array.isArray(record))
      return record as Readonly<Record<string, unknown>>;
  } catch {
    // Said below.
  }
  throw new UnreadableFile("it is no JSON object");
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

function valueOf(column: FileColumn, given: unknown): Value {
  const value = read(column, given);
  if (value === null) throw new UnreadableFile(`its ${column.field} is no value for that field`);
  return value;
}

/** Null = it does not fit. */
function read({ name, type, isText }: FileColumn, given: unknown): Value {
  if (type === "number") return Number.isSafeInteger(given) ? (given as number) : null;
  if (type === "flag") return typeof given === "boolean" ? Number(given) : null;
  if (type === "json") return jsonText(given, isText);
  if (typeof given !== "string") return null;
  if (type === "bytes") return BASE64.test(given) ? Buffer.from(given, "base64") : null;
  if (name === "id") return ID.test(given) ? given : null;
  return /_at$/.test(name) && !MOMENT.test(given) ? null : given;
}

function jsonText(given: unknown, mayBeNull: boolean): string | null {
  if (typeof given === "object" && given !== null) return JSON.stringify(given);
  if (typeof given !== "string") return null;
  try {
    const value: unknown = JSON.parse(given);
    return value === null && !mayBeNull ? null : given;
  } catch {
    return null;
  }
}
