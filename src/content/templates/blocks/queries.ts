// The SQL of blocks.
import { jsonOrNull } from "../../../store/columns.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { By } from "../../../tenant/access/caller.ts";
import { timeOfSaving } from "../../../tenant/access/saving.ts";
import type { Design } from "../design/design-shape.ts";

export type BlockFields = {
  readonly name: string;
  readonly body: string;
  readonly design: Design | null;
  readonly updatedBy: By | null;
};

export type Block = BlockFields & {
  readonly seq: number;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

const COLUMNS = sql`seq, id, name, body, design, updated_by as "updatedBy", created_at as "createdAt", updated_at as "updatedAt"`;

type BlockRow = Omit<Block, "design" | "updatedBy"> & {
  readonly design: string | null;
  readonly updatedBy: string | null;
};

function blockOf(row: BlockRow): Block {
  return { ...row, design: jsonOrNull(row.design), updatedBy: jsonOrNull(row.updatedBy) };
}

function text(value: object | null): string | null {
  return value && JSON.stringify(value);
}

export async function insertBlock(tx: Tx, workspace: number, id: string, fields: BlockFields): Promise<Block> {
  const row = await tx.get<BlockRow>`
    insert into blocks (id, workspace, name, body, design, updated_by, created_at, updated_at)
    values (${id}, ${workspace}, ${fields.name}, ${fields.body}, ${text(fields.design)}, ${text(fields.updatedBy)},
      ${tx.now}, ${tx.now})
    returning ${COLUMNS}`;
  return blockOf(row as BlockRow);
}

export async function updateBlock(tx: Tx, { seq, updatedAt }: Block, fields: BlockFields): Promise<Block> {
  const row = await tx.get<BlockRow>`
    update blocks set name = ${fields.name}, body = ${fields.body}, design = ${text(fields.design)},
      updated_by = ${text(fields.updatedBy)}, updated_at = ${timeOfSaving(tx, { updatedAt })}
    where seq = ${seq} returning ${COLUMNS}`;
  return blockOf(row as BlockRow);
}

export async function blockById(reader: Reader, workspace: number, id: string): Promise<Block | null> {
  const row = await reader.get<BlockRow>`select ${COLUMNS} from blocks where workspace = ${workspace} and id = ${id}`;
  return row && blockOf(row);
}

/** Locks the block until this transaction ends. */
export async function lockBlock(tx: Tx, workspace: number, id: string): Promise<Block | null> {
  const row = await tx.get<BlockRow>`
    select ${COLUMNS} from blocks where workspace = ${workspace} and id = ${id}${tx.dialect.forUpdate}`;
  return row && blockOf(row);
}

/** Newest first. */
export async function blocksPage(reader: Reader, workspace: number, limit: number, offset: number): Promise<Block[]> {
  const rows = await reader.all<BlockRow>`
    select ${COLUMNS} from blocks where workspace = ${workspace} order by seq desc limit ${limit} offset ${offset}`;
  return rows.map(blockOf);
}

export async function countBlocks(reader: Reader, workspace: number): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from blocks where workspace = ${workspace}`;
  return row?.total ?? 0;
}

export function deleteBlock(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from blocks where seq = ${seq}`;
}
