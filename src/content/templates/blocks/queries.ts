// The SQL of blocks.
import { column, TableRows, type RowOf } from "../../../store/columns.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { ChangeAuthor } from "../../../tenant/access/caller.ts";
import { timeOfSaving } from "../../../tenant/access/saving.ts";
import type { Design } from "../design/design-shape.ts";

const ROWS = new TableRows("blocks", {
  seq: column.number(),
  id: column.text(),
  name: column.text(),
  body: column.text(),
  design: column.orNull(column.json<Design>()),
  updatedBy: column.orNull(column.json<ChangeAuthor>()),
  createdAt: column.text(),
  updatedAt: column.text(),
});

export type Block = RowOf<typeof ROWS>;
/** The columns that a save changes. */
export type BlockFields = Omit<Block, "seq" | "id" | "createdAt" | "updatedAt">;

export function insertBlock(tx: Tx, workspace: number, id: string, fields: BlockFields): Promise<Block> {
  return ROWS.insert(tx, { id, ...fields, createdAt: tx.now, updatedAt: tx.now }, { workspace });
}

export function updateBlock(tx: Tx, { seq, updatedAt }: Block, fields: BlockFields): Promise<Block> {
  return ROWS.update(tx, seq, { ...fields, updatedAt: timeOfSaving(tx, { updatedAt }) });
}

export function blockById(reader: Reader, workspace: number, id: string): Promise<Block | null> {
  return ROWS.get(reader, sql`where workspace = ${workspace} and id = ${id}`);
}

/** Locks the block until this transaction ends. */
export function lockBlock(tx: Tx, workspace: number, id: string): Promise<Block | null> {
  return ROWS.get(tx, sql`where workspace = ${workspace} and id = ${id}${tx.dialect.forUpdate}`);
}

/** Newest first. */
export function blocksPage(reader: Reader, workspace: number, limit: number, offset: number): Promise<Block[]> {
  return ROWS.all(reader, sql`where workspace = ${workspace} order by seq desc limit ${limit} offset ${offset}`);
}

export function countBlocks(reader: Reader, workspace: number): Promise<number> {
  return ROWS.count(reader, sql`where workspace = ${workspace}`);
}

export function deleteBlock(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from blocks where seq = ${seq}`;
}
