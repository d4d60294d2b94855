// Whether a copy may go into a database: nothing of another installation may be mixed with it or lost.
import type { SQL } from "bun";
import { canonical } from "./canonical.ts";
import type { CopiedTable } from "./plan.ts";
import { makeRecord, type CopyStage } from "./record.ts";
import { openRows } from "./rows.ts";
import type { PostgresConnection } from "../postgres/connection.ts";
import type { SqliteSource } from "./sqlite-source.ts";

/**
 * Begins a copy if the target holds the same rows as `fresh`, a store that has not been used yet. The rows that
 * migrations have put into its tables are deleted, since the source has them as they are now. Answers whether it began.
 */
export async function beginCopy(sql: SQL, tables: readonly CopiedTable[], fresh: SqliteSource): Promise<boolean> {
  const names = tables.map(({ name }) => `"${name}"`);
  return sql.begin(async (tx) => {
    // No server may begin to use the store between the check and the deletion.
    await tx.unsafe(`lock table ${names.join(", ")} in share row exclusive mode`);
    for (const table of tables) if (!(await isAsFresh(tx, table, fresh))) return false;
    for (const name of names.toReversed()) await tx.unsafe(`delete from ${name}`);
    await makeRecord(tx, tables);
    return true;
  });
}

async function isAsFresh(tx: PostgresConnection, table: CopiedTable, fresh: SqliteSource): Promise<boolean> {
  const ours = [...fresh.rows(table)].map((row) => canonical(table, row));
  const rows = await openRows(tx, table);
  const theirs = (await rows.next(ours.length + 1)).map((row) => canonical(table, row));
  await rows.close();
  return ours.join("\n") === theirs.join("\n");
}

/** @throws Error if a table holds rows other than those that the copy has put there */
export async function refuseForeignRows(
  sql: PostgresConnection,
  tables: readonly CopiedTable[],
  record: ReadonlyMap<string, CopyStage>,
): Promise<void> {
  for (const { name } of tables) {
    const [row] = await sql.unsafe(`select count(*) as n from "${name}"`);
    if (Number(row.n) === record.get(name)?.copied) continue;
    throw new Error(
      `The table ${name} of the target contains rows that did not come from this copy. Nothing was changed. Name an empty database.`,
    );
  }
}
