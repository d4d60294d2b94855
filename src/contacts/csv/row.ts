// One row of a file of contacts: the contact, or what is wrong with the row.
import { parseAddress } from "../../addresses.ts";
import { AppError, invalidField } from "../../errors.ts";
import { requiredAddress } from "../../http/address-field.ts";
import { unguarded, valueOf } from "./cell.ts";
import type { Columns } from "./columns.ts";
import type { CsvRecord } from "./syntax.ts";
import { readData, type Variables } from "../data.ts";

/** `row`: as a spreadsheet counts. `subscribed`: null = left as it is. */
export type GoodRow = {
  readonly row: number;
  readonly email: string;
  readonly subscribed: boolean | null;
  readonly data: Variables;
};
type BadRow = { readonly row: number; readonly email: string; readonly error: string };
export type Row = GoodRow | BadRow;

const MAX_SHOWN_CHARS = 320;
const FLAGS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  "1": true,
  ja: true,
  false: false,
  no: false,
  nein: false,
  "0": false,
};

/** Never throws for the content of a row. */
export function readRow(columns: Columns, record: CsvRecord): Row {
  try {
    return goodRow(columns, record);
  } catch (error) {
    return badRow(record.row, record.cells[columns.email] ?? "", error);
  }
}

/** @throws `error` unless it is an AppError */
export function badRow(row: number, email: string, error: unknown): BadRow {
  if (!(error instanceof AppError)) throw error;
  // An address in its stored form, by which it is found when the person is erased.
  const shown =
    parseAddress(unguarded(email.trim())) ?? email.trim().slice(0, MAX_SHOWN_CHARS).replaceAll("\0", "").toWellFormed();
  return { row, email: shown, error: error.details.errors?.[0]?.message ?? error.message };
}

function goodRow(columns: Columns, { cells, row, isBroken }: CsvRecord): GoodRow {
  if (isBroken) throw refused("There is text after the closing quote of a cell.");
  if (cells.length > columns.count)
    throw refused(`The row has ${cells.length} cells, the first line ${columns.count}.`);
  const email = requiredAddress("email", unguarded((cells[columns.email] ?? "").trim()));
  const subscribed = flagIn(cells[columns.subscribed] ?? "");
  return { row, email, subscribed, data: readData(dataIn(columns, cells)).stored };
}

/** Null = left as it is. */
function flagIn(cell: string): boolean | null {
  const word = cell.trim().toLowerCase();
  if (word === "") return null;
  const flag = FLAGS[word];
  if (flag === undefined) throw refused("subscribed is neither true nor false.");
  return flag;
}

function dataIn({ keys, more }: Columns, cells: readonly string[]): Variables {
  const data = new Map(Object.entries(moreIn(cells[more] ?? "")));
  for (const [index, key] of keys) {
    const cell = cells[index];
    if (cell) data.set(key, valueOf(cell));
  }
  return Object.fromEntries(data);
}

function moreIn(cell: string): Variables {
  if (cell.trim() === "") return {};
  const value = valueOf(cell);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refused("data is not a JSON object.");
  return value as Variables;
}

function refused(message: string): AppError {
  return invalidField("row", message);
}
