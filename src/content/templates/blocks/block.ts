// Blocks: named pieces of mails, which editors insert into a body as a copy, so a change of a block changes no mail.
import { AppError, limitReached, readAll } from "../../../base/errors.ts";
import { newId } from "../../../base/ids.ts";
import { noteImages } from "../../images/uses.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { refuseSavedSince, type SaveTerms } from "../../../tenant/access/saving.ts";
import { designAfter } from "../design/design.ts";
import type { Design } from "../design/design-shape.ts";
import { readSource, textsOf } from "../written.ts";
import * as queries from "./queries.ts";
import type { Block, BlockFields } from "./queries.ts";

export const MOST_BLOCKS = 500;
/** The limit of its body and of its design: a list answers a hundred blocks. */
export const MAX_BLOCK_CHARS = 100_000;

type BlockInput = SaveTerms & {
  readonly name?: string | null;
  readonly body?: string | null;
  readonly design?: Design | null;
};
type BlockAuthor = Pick<Caller, "workspace" | "by">;

const EMPTY = { name: "", body: "", design: null };

/** @throws AppError VALIDATION_ERROR with line and column of syntax errors, CONFLICT if there are too many blocks */
export async function createBlock(tx: Tx, { workspace, by }: BlockAuthor, input: BlockInput): Promise<Block> {
  if ((await queries.countBlocks(tx, workspace)) >= MOST_BLOCKS)
    throw limitReached(
      "blocks",
      MOST_BLOCKS,
      `A workspace has at most ${MOST_BLOCKS} blocks.`,
      "Delete one that is not used any more.",
    );
  const block = await queries.insertBlock(tx, workspace, newId(tx.nowMs), {
    ...blockAfter(EMPTY, input),
    updatedBy: by,
  });
  await noteImages(tx, { workspace, kind: "block", seq: block.seq, isNew: true }, textsOf(block));
  return block;
}

/** @throws AppError BLOCK_NOT_FOUND, CONFLICT if it was saved since `ifUpdatedAt`, VALIDATION_ERROR */
export async function changeBlock(
  tx: Tx,
  { workspace, by }: BlockAuthor,
  id: string,
  input: BlockInput,
): Promise<Block> {
  const before = await blockToChange(tx, workspace, id);
  refuseSavedSince(tx, before, input);
  const block = await queries.updateBlock(tx, before, { ...blockAfter(before, input), updatedBy: by });
  await noteImages(tx, { workspace, kind: "block", seq: block.seq }, textsOf(block));
  return block;
}

/** Mails keep their copies of the block. @throws AppError BLOCK_NOT_FOUND */
export async function removeBlock(tx: Tx, workspace: number, id: string): Promise<void> {
  await queries.deleteBlock(tx, (await blockToChange(tx, workspace, id)).seq);
}

/** @throws AppError BLOCK_NOT_FOUND, also for another workspace's block */
export async function findBlock(reader: Reader, workspace: number, id: string): Promise<Block> {
  return (await queries.blockById(reader, workspace, id)) ?? notFound(id);
}

async function blockToChange(tx: Tx, workspace: number, id: string): Promise<Block> {
  return (await queries.lockBlock(tx, workspace, id)) ?? notFound(id);
}

function blockAfter(base: Omit<BlockFields, "updatedBy">, input: BlockInput): Omit<BlockFields, "updatedBy"> {
  const { body, design } = readAll({
    body: () => readSource("body", input.body),
    design: () => designAfter(base, input, MAX_BLOCK_CHARS),
  });
  return { name: input.name ?? base.name, body: body ?? base.body, design };
}

function notFound(id: string): never {
  throw new AppError("BLOCK_NOT_FOUND", `There is no block ${id}.`);
}
