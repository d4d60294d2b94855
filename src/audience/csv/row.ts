// One row of a file of contacts, as it is stored until its columns have types; or its error.
import { parseAddress } from "../../base/addresses.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import { requiredAddress } from "../../http/body/address-field.ts";
import { unguarded, valueIn, type CsvColumnType } from "./cell.ts";
import type { ColumnTypes } from "./typing.ts";
import type { CsvColumns } from "./columns.ts";
import { flagIn, standingIn, stateIn, worse, type ConsentStatus } from "./consent.ts";
import { isTime } from "./proof.ts";
import type { CsvRecord } from "./syntax.ts";
import type { TopicChoices } from "../topics/queries.ts";
import type { TopicChoice } from "../topics/queries.ts";
import { readData, type Variables } from "../contacts/data.ts";

/** `row`: a spreadsheet's row number. `standing`: of the person in the file; null = none. */
export type CsvContact = {
  readonly row: number;
  readonly email: string;
  readonly standing: ConsentStatus | null;
  /** By key of topics; only choices that the row makes. */
  readonly topics?: TopicChoices;
  /** By key of data; only filled cells. */
  readonly cells: Readonly<Record<string, string>>;
  /** Proof of consent by key of its column; only filled cells. */
  readonly proof?: Readonly<Record<string, string>>;
  /** The cell of the column `data`. */
  readonly more: string;
};
/** A cell that does not fit the chosen type of its column: it is left out. */
export type SkippedCell = { readonly field: string; readonly type: CsvColumnType; readonly cell: string };
export type CsvRowError = { readonly row: number; readonly email: string; readonly error: string };
export type CsvRow = CsvContact | CsvRowError;

const MAX_SHOWN_CHARS = 320;
const MAX_CELL_CHARS = 100;

/** Never throws for the content of a row. */
export function readRow(columns: CsvColumns, record: CsvRecord): CsvRow {
  try {
    return goodRow(columns, record);
  } catch (error) {
    return badRow(record.row, record.cells[columns.email] ?? "", error);
  }
}

/** @throws `error` unless it is an AppError */
export function badRow(row: number, email: string, error: unknown): CsvRowError {
  if (!(error instanceof AppError)) throw error;
  // The address in its stored form, by which an erasure finds it.
  const shown =
    parseAddress(unguarded(email.trim())) ?? email.trim().slice(0, MAX_SHOWN_CHARS).replaceAll("\0", "").toWellFormed();
  return { row, email: shown, error: error.details.errors?.[0]?.message ?? error.message };
}

function goodRow(
  columns: CsvColumns,
  { cells, row, fault, standing: ofAll = columns.standing }: CsvRecord,
): CsvContact {
  if (fault === "open") throw rowFault("A quote in this row is never closed.");
  if (fault === "tail") throw rowFault("There is text after the closing quote of a cell.");
  if (fault === "long") throw rowFault("The row has more cells than the first line of its file.");
  if (cells.length > columns.count)
    throw rowFault(`The row has ${cells.length} cells, the first line ${columns.count}.`);
  const email = requiredAddress("email", unguarded((cells[columns.email] ?? "").trim()));
  const said = worse(saidIn(cells[columns.subscribed] ?? ""), standingIn(columns.consent, cells));
  const filled = columns.keys.flatMap(([index, key]): [string, string][] =>
    cells[index] ? [[key, cells[index]]] : [],
  );
  const topics = columns.topics.flatMap(([index, key]): [string, TopicChoice][] => {
    const choice = choiceIn(cells[index] ?? "", key);
    return choice === null ? [] : [[key, choice]];
  });
  const proof = columns.proof.flatMap(({ index, key }): [string, string][] =>
    cells[index] ? [[key, cells[index].slice(0, MAX_CELL_CHARS)]] : [],
  );
  const proven = proof.length === 0 ? {} : { proof: Object.fromEntries(proof) };
  const chosen = topics.length === 0 ? {} : { topics: Object.fromEntries(topics) };
  return {
    row,
    email,
    standing: worse(said, ofAll),
    ...chosen,
    ...proven,
    cells: Object.fromEntries(filled),
    more: cells[columns.more] ?? "",
  };
}

/** The standing in the column `subscribed`. */
function saidIn(cell: string): ConsentStatus | null {
  if (cell.trim() === "") return null;
  const said = flagIn(cell) ?? stateIn(cell);
  if (said === null && isTime(cell)) return "subscribed";
  if (said === null) throw rowFault("subscribed is neither true nor false.");
  return said;
}

/** The choice in a column of a topic. */
function choiceIn(cell: string, key: string): TopicChoice | null {
  const word = cell.trim().toLowerCase();
  if (word === "") return null;
  if (word === "in" || word === "out") return word;
  const said = flagIn(cell) ?? stateIn(cell);
  if (said !== "subscribed" && said !== "unsubscribed") throw rowFault(`topic:${key} is neither yes nor no.`);
  return said === "subscribed" ? "in" : "out";
}

/**
 * The data of the row, in columns of these types.
 * @throws AppError VALIDATION_ERROR for a value that contacts cannot hold
 */
export function dataOf(
  { cells, more }: CsvContact,
  types: ColumnTypes,
): { readonly data: Variables; readonly skipped: readonly SkippedCell[] } {
  const data: Record<string, unknown> = { ...moreIn(more) };
  const skipped: SkippedCell[] = [];
  for (const key in cells) {
    const cell = cells[key] ?? "";
    const type = types[key] ?? "text";
    const value = valueIn(cell, type);
    if (value !== undefined) data[key] = value;
    else if (cell.trim() !== "") skipped.push({ field: `data.${key}`, type, cell: shortened(cell) });
  }
  return { data: readData(data).stored, skipped };
}

function shortened(cell: string): string {
  return cell.trim().slice(0, MAX_CELL_CHARS).replaceAll("\0", "").toWellFormed();
}

function moreIn(cell: string): Variables {
  if (cell.trim() === "") return {};
  const value = valueIn(cell, "json");
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw rowFault("data is not a JSON object.");
  return value as Variables;
}

function rowFault(message: string): AppError {
  return invalidField("row", message);
}
