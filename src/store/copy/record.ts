// How far a copy has come: a small table in the target, from the first row of the copy to its end.
import type { PostgresConnection } from "../postgres/connection.ts";
import { hasTable } from "../postgres/migrations.ts";
import type { CopiedTable } from "./plan.ts";

/** `checksum`: of the rows so far, as they were read from the source. */
export type CopyStage = { readonly copied: number; readonly checksum: string };

/** One row per table. */
export async function makeRecord(tx: PostgresConnection, tables: readonly CopiedTable[]): Promise<void> {
  await tx.unsafe("create table store_copies (name text primary key, copied bigint not null, checksum text not null)");
  for (const { name } of tables) await tx.unsafe("insert into store_copies values ($1, 0, '')", [name]);
}

/** The record by table; null if no copy is under way. */
export async function readRecord(sql: PostgresConnection): Promise<ReadonlyMap<string, CopyStage> | null> {
  if (!(await hasTable(sql, "store_copies"))) return null;
  const rows = await sql.unsafe("select name, copied, checksum from store_copies");
  return new Map(
    rows.map((row: Record<string, unknown>) => [
      String(row["name"]),
      { copied: Number(row["copied"]), checksum: String(row["checksum"]) },
    ]),
  );
}

/** Runs in the transaction of the batch. @throws Error if another process has moved the record */
export async function moveRecord(
  tx: PostgresConnection,
  { name }: CopiedTable,
  from: number,
  to: CopyStage,
): Promise<void> {
  const moved = await tx.unsafe(
    "update store_copies set copied = $1, checksum = $2 where name = $3 and copied = $4 returning 1",
    [to.copied, to.checksum, name, from],
  );
  if (moved.length === 0) throw new Error("Another migrate-store is filling the same database.");
}

export async function dropRecord(tx: PostgresConnection): Promise<void> {
  await tx.unsafe("drop table store_copies");
}
