// The SQL of emptying a workspace, table by table.
import { literal } from "../../store/sql.ts";
import type { Tx } from "../../store/store.ts";
import { allTables, type Table } from "../../store/table.ts";
import { setMarketingStopped } from "../../tenant/workspaces/queries.ts";

/**
 * Empties the small tables of a workspace, but for its keys, domains, settings and people; its large ones are empty
 * already.
 */
export async function emptySmallTables(tx: Tx, workspace: number): Promise<void> {
  for (const one of allTables()) if (one.onReset === "goes") await emptyTable(tx, one, workspace);
  await setMarketingStopped(tx, workspace, null);
}

/** Deletes the rows that no foreign key deletes with their workspace. */
export async function emptyLooseTables(tx: Tx, workspace: number): Promise<void> {
  for (const one of allTables()) if (one.isLoose) await emptyTable(tx, one, workspace);
}

function emptyTable(tx: Tx, { name }: Table, workspace: number): Promise<number> {
  return tx.run`delete from ${literal(name)} where workspace = ${workspace}`;
}
