// Copies a PostgreSQL store, as it is at one moment, into a new SQLite file. Servers go on working.
import { SQL } from "bun";
import { onServer, type PostgresConnection } from "../postgres/connection.ts";
import { refuseUnfit } from "../schema.ts";
import { MIGRATIONS } from "../migrations.ts";
import { postgresVersion } from "../postgres/migrations.ts";
import { inOrder, planned, type CopyColumn, type CopiedTable, type CopyRow } from "./plan.ts";
import { columnsIn } from "./target.ts";
import { SqliteTarget } from "./sqlite-target.ts";

/** `now`: the time of the new file, as ISO text. */
type Copy = { readonly url: string; readonly to: string; readonly now: string };

/** Rows are fetched by their sizes: many small ones together, and of large ones no more than fit into memory. */
const ROWS = 1_000;
const BATCH_BYTES = 8 * 1024 * 1024;

/** @throws Error in plain words if the database cannot be read or is at another schema, NewerStoreError */
export async function copyPostgres({ url, to, now }: Copy): Promise<void> {
  const sql = new SQL(url, { max: 1, bigint: true, connectionTimeout: 10 });
  try {
    refuseUnfit(await postgresVersion(sql), MIGRATIONS.length, "use");
    using target = new SqliteTarget(to, now);
    const tables = planned(inOrder(target.tables()), await columnsIn(sql));
    await sql.begin("isolation level repeatable read read only", async (tx) => {
      for (const table of tables) await copyTable(tx, table, target);
    });
  } catch (error) {
    throw onServer(error, url);
  } finally {
    await sql.close({ timeout: 5 });
  }
}

async function copyTable(tx: PostgresConnection, table: CopiedTable, target: SqliteTarget): Promise<void> {
  const order = table.key.map((column) => `"${column}"`).join(", ");
  await declare(tx, "sizes", `${sizeOf(table)} as bytes from "${table.name}" order by ${order}`);
  await declare(tx, "rows", `${table.columns.map(readable).join(", ")} from "${table.name}" order by ${order}`);
  for (;;) {
    const sizes = (await tx.unsafe(`fetch ${ROWS} from sizes`)).map(({ bytes }: { bytes: bigint }) => Number(bytes));
    if (sizes.length === 0) break;
    for (const count of batches(sizes))
      target.append(table, (await tx.unsafe(`fetch ${count} from rows`)) as CopyRow[]);
  }
  await tx.unsafe("close sizes; close rows");
  if (table.serial !== null) target.numberFrom(table, await lastNumber(tx, table.name, table.serial));
}

function declare(tx: PostgresConnection, name: string, selected: string) {
  return tx.unsafe(`declare ${name} no scroll cursor for select ${selected}`);
}

/** PostgreSQL knows the sizes without reading the values. */
function sizeOf({ columns }: CopiedTable): string {
  const large = columns.filter(({ kind }) => kind !== "number");
  return `cast(${["0", ...large.map(({ name }) => `coalesce(pg_column_size("${name}"), 0)`)].join(" + ")} as bigint)`;
}

function readable({ name, kind }: CopyColumn): string {
  return kind === "json" ? `"${name}"::text as "${name}"` : `"${name}"`;
}

/** The sizes of the batches, one after the other. */
function* batches(sizes: readonly number[]): Generator<number> {
  let [count, bytes] = [0, 0];
  for (const size of sizes) {
    if (count > 0 && bytes + size > BATCH_BYTES) {
      yield count;
      [count, bytes] = [0, 0];
    }
    count++;
    bytes += size;
  }
  yield count;
}

async function lastNumber(tx: PostgresConnection, table: string, serial: string): Promise<number> {
  const [{ sequence }] = await tx.unsafe("select pg_get_serial_sequence($1, $2) as sequence", [table, serial]);
  const [{ last }] = await tx.unsafe(`select case when is_called then last_value else 0 end as last from ${sequence}`);
  return Number(last);
}
