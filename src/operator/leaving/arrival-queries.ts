// The SQL of a workspace that comes in: its rows, and what makes it whole at the end. Until then it is hidden.
import { HELD } from "../../mail/emails/queue/holds.ts";
import { insertion, type RowStatement, type SqlColumnType } from "../../store/row-statement.ts";
import { literal, sql, Sql, type Value } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { FileTable } from "./plan.ts";

/**
 * The numbers of rows of the workspace by their public ids, along these: SQLite would rather read all of the workspace.
 */
export async function numbersOf(
  reader: Reader,
  workspace: number,
  { table, ids }: { readonly table: string; readonly ids: readonly string[] },
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.all<{ id: string; seq: number }>`
    select id, seq from ${literal(table)} where ${reader.dialect.isOneOf(sql`id`, ids)} and +workspace = ${workspace}`;
  return new Map(rows.map(({ id, seq }) => [id, seq]));
}

/** Another workspace that has one of these texts in the column, by its name, and the text; null = none has. */
export function holderOf(
  reader: Reader,
  workspace: number,
  { table, column, texts }: { readonly table: string; readonly column: string; readonly texts: readonly string[] },
): Promise<{ name: string; text: string } | null> {
  const text = sql`x.${literal(quoted(column))}`;
  return reader.get`
    select w.name, ${text} as text from ${literal(table)} x join workspaces w on w.seq = x.workspace
    where x.workspace <> ${workspace} and ${reader.dialect.isOneOf(text, texts)} limit 1`;
}

export type NewRow = Readonly<Record<string, Value>>;

const statements = new Map<string, RowStatement>();

/** Inserts rows with the same columns; answers the numbers by which others refer to them. */
export async function insertRows(tx: Tx, table: FileTable, rows: readonly NewRow[]): Promise<readonly number[]> {
  const names = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => names.map((name) => row[name] as Value));
  const ending = `returning "${table.numberedBy}" as number`;
  if (table.says.isLarge) return insertLarge(tx, `${table.name} (${names.map(quoted).join(", ")})`, { values, ending });
  const key = `${table.name} ${names.join()}`;
  const types = Object.fromEntries(names.map((name) => [quoted(name), typeOf(table, name)]));
  const statement = statements.get(key) ?? insertion(table.name, types, ending);
  statements.set(key, statement);
  return (await tx.runEach<{ number: number }>(statement, values)).map(({ number }) => number);
}

type LargeRows = { readonly values: readonly (readonly Value[])[]; readonly ending: string };

async function insertLarge(tx: Tx, into: string, { values, ending }: LargeRows): Promise<readonly number[]> {
  const numbers: number[] = [];
  for (const row of values) {
    const list = new Sql(["", ...row.slice(1).map(() => ", "), ""], row);
    const made = await tx.get<{ number: number }>`insert into ${literal(into)} values (${list}) ${literal(ending)}`;
    numbers.push(made?.number ?? 0);
  }
  return numbers;
}

function quoted(name: string): string {
  return `"${name}"`;
}

function typeOf({ stored }: FileTable, name: string): SqlColumnType {
  const column = stored.find((one) => one.name === name);
  if (column?.isText) return "text";
  return column?.type === "bytes" || column?.type === "json" ? column.type : "bigint";
}

type WaitingCounts = { readonly emails: number; readonly executions: number; readonly hashes: number };

/** Counts the work that waits until the workspace is enabled, and the hashes of erased people. */
export async function waitingIn(reader: Reader, workspace: number): Promise<WaitingCounts> {
  const row = await reader.get<WaitingCounts>`
    select (select count(*) from emails where workspace = ${workspace} and ${HELD.workspace} and due_at is not null) as emails,
      (select count(*) from executions where workspace = ${workspace} and due_at is not null) as executions,
      (select count(*) from suppressions where workspace = ${workspace} and kind = 'hash') as hashes`;
  return row as WaitingCounts;
}
