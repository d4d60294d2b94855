// The PostgreSQL database that a copy of a store goes into.
import { SQL } from "bun";
import type { CopiedTable, CopyColumnKind, CopyRow, TargetColumn } from "./plan.ts";
import { insertRows, refusedRow } from "./insert.ts";
import { dropRecord, moveRecord, readRecord, type CopyStage } from "./record.ts";
import { MIGRATIONS } from "../migrations.ts";
import {
  isLostConnection,
  isRefusedRow,
  onServer,
  translated,
  type PostgresConnection,
} from "../postgres/connection.ts";
import { migratePostgres, postgresVersion } from "../postgres/migrations.ts";
import { refusePooledTransactions } from "../postgres/sessions.ts";

const KINDS: Readonly<Record<string, CopyColumnKind>> = { json: "json", bytea: "bytes", text: "text" };

/** Connects, and migrates an empty database. @throws Error if a store of another version is there, NewerStoreError */
export async function openTarget(url: string, now: string): Promise<CopyTarget> {
  // The copy does one thing at a time; the second connection shows whether sessions stay.
  const sql = new SQL(url, { max: 2, bigint: true, connectionTimeout: 10 });
  try {
    await refusePooledTransactions(sql);
    const version = await postgresVersion(sql);
    if (version === 0) await makeTables(sql, now);
    else if (version < MIGRATIONS.length) throw olderTarget(version);
    return new CopyTarget(sql);
  } catch (error) {
    await sql.close({ timeout: 0 });
    throw onServer(error, url);
  }
}

async function makeTables(sql: SQL, now: string): Promise<void> {
  try {
    await migratePostgres(sql, { now });
  } catch (error) {
    if (isLostConnection(error)) throw error;
    throw new Error(`The tables cannot be created in the target: ${(error as Error).message}. Name an empty database.`);
  }
}

/** A migration would change a store that may be another installation's. */
function olderTarget(version: number): Error {
  return new Error(
    `The target contains a store of version ${version}, this Posthorn works with ${MIGRATIONS.length}. Nothing was changed. Name an empty database.`,
  );
}

export class CopyTarget implements AsyncDisposable {
  constructor(readonly sql: SQL) {}

  columns(): Promise<readonly TargetColumn[]> {
    return columnsIn(this.sql);
  }

  record(): Promise<ReadonlyMap<string, CopyStage> | null> {
    return readRecord(this.sql);
  }

  /** @throws Error naming the row that PostgreSQL refuses, if a row is at fault */
  async append(table: CopiedTable, rows: readonly CopyRow[], from: number, to: CopyStage): Promise<void> {
    try {
      await this.sql.begin(async (tx) => {
        await moveRecord(tx, table, from, to);
        await insertRows(tx, table, rows);
      });
    } catch (error) {
      throw isRefusedRow(error) ? await refusedRow(this.sql, table, rows) : translated(error);
    }
  }

  /** Numbers go on after the last ones of the source. The copy is over: servers may use the database. */
  async finish(tables: readonly CopiedTable[], lastNumber: (table: CopiedTable) => number): Promise<void> {
    await this.sql.begin(async (tx) => {
      for (const table of tables) {
        const last = table.serial === null ? 0 : lastNumber(table);
        if (last > 0)
          await tx.unsafe("select setval(pg_get_serial_sequence($1, $2), $3)", [table.name, table.serial, last]);
      }
      await dropRecord(tx);
    });
    // Before the first statistics, statements on large tables would be planned as if they were empty.
    await this.sql.unsafe(`analyze ${tables.map(({ name }) => `"${name}"`).join(", ")}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.sql.close({ timeout: 5 });
  }
}

/** The content of the columns of all tables. */
export async function columnsIn(sql: PostgresConnection): Promise<readonly TargetColumn[]> {
  const rows = await sql.unsafe(`
    select table_name, column_name, data_type, is_identity from information_schema.columns
    where table_schema = current_schema() and is_generated = 'NEVER' order by table_name, ordinal_position`);
  return rows.map((row: Record<string, string>) => ({
    table: row["table_name"],
    name: row["column_name"],
    type: row["data_type"],
    kind: KINDS[row["data_type"] as string] ?? "number",
    isSerial: row["is_identity"] === "YES",
  }));
}
