// Rows into PostgreSQL, many in one statement.
import type { SQL } from "bun";
import { keyText, type CopyColumn, type CopiedTable, type CopyRow } from "./plan.ts";
import { isRefusedRow, translated, type PostgresConnection } from "../postgres/connection.ts";

/** One JSON text for all of them: a bound value for each would be slower, and there may be 65,535 at most. */
export async function insertRows(tx: PostgresConnection, table: CopiedTable, rows: readonly CopyRow[]): Promise<void> {
  const { name, columns } = table;
  const names = columns.map((column) => `"${column.name}"`).join(", ");
  const values = columns.map(asItsType).join(", ");
  const types = columns.map((column) => `"${column.name}" ${typeInJson(column)}`).join(", ");
  await tx.unsafe(
    `insert into "${name}" (${names}) select ${values} from json_to_recordset($1::text::json) as rows (${types})`,
    columns.some(({ kind }) => kind === "bytes") ? withBytes(rows) : [JSON.stringify(rows)],
  );
}

/** The error that names the first of `rows` that PostgreSQL refuses; the search leaves nothing behind. */
export async function refusedRow(sql: SQL, table: CopiedTable, rows: readonly CopyRow[]): Promise<unknown> {
  for (const row of rows) {
    const error = await faultOf(sql, table, row);
    if (error === null) continue;
    if (!isRefusedRow(error)) return translated(error);
    return new Error(`${table.name}, ${keyText(table, row)}: PostgreSQL refuses the row: ${(error as Error).message}.`);
  }
  return new Error(`${table.name}: PostgreSQL refuses rows from ${keyText(table, rows[0] as CopyRow)} on.`);
}

const TAKEN = Symbol("taken");

async function faultOf(sql: SQL, table: CopiedTable, row: CopyRow): Promise<unknown> {
  try {
    return await sql.begin(async (tx) => {
      await insertRows(tx, table, [row]);
      throw TAKEN;
    });
  } catch (error) {
    return error === TAKEN ? null : error;
  }
}

/** JSON inside JSON stays text, so that its numbers are not read on the way. */
function typeInJson({ kind, type }: CopyColumn): string {
  if (kind === "json") return "text";
  return kind === "bytes" ? "integer[]" : type;
}

function asItsType({ name, kind }: CopyColumn): string {
  if (kind === "json") return `checked_json("${name}")`;
  return kind === "bytes" ? `substr($2::bytea, "${name}"[1], "${name}"[2])` : `"${name}"`;
}

/**
 * All bytes go beside the JSON in one piece, which is four times faster; the JSON has where each begins, and its
 * length.
 */
function withBytes(rows: readonly CopyRow[]): [json: string, bytes: Uint8Array] {
  const pieces: Uint8Array[] = [];
  let next = 1;
  const json = JSON.stringify(rows, (_, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value;
    pieces.push(value);
    next += value.length;
    return [next - value.length, value.length];
  });
  return [json, Buffer.concat(pieces)];
}
