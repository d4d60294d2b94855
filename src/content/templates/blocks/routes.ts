// /blocks: named pieces of mails.
import { t } from "elysia";
import { idShape, pageShapeOf, timeShape } from "../../../http/answer-shapes.ts";
import { optional, pageShape, recordNameShape } from "../../../http/schemas.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { get, page, post, put, remove, routes } from "../../../tenant/access/route-table.ts";
import { ifUpdatedAtShape, updatedByShape } from "../../../tenant/access/saving-shape.ts";
import { designInputShape, designShape } from "../design/design-shape.ts";
import { changeBlock, createBlock, findBlock, MAX_BLOCK_CHARS, MOST_BLOCKS, removeBlock } from "./block.ts";
import { blocksPage, countBlocks, type Block } from "./queries.ts";
import { noted } from "../written.ts";

const blockShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    body: t.String(),
    design: designShape,
    projectId: idShape,
    createdAt: timeShape,
    updatedAt: timeShape,
    updatedBy: updatedByShape,
  },
  { title: "Block" },
);
const body = t.String({ maxLength: MAX_BLOCK_CHARS });
export const creation = t.Object(
  { name: recordNameShape, body: optional(body, "HTML."), design: designInputShape },
  { examples: [{ name: "Signature", body: "<p>Yours, {{ sender ?? 'Ada' }}</p>" }] },
);
const change = t.Object(
  { name: optional(recordNameShape), body: optional(body), design: designInputShape, ifUpdatedAt: ifUpdatedAtShape },
  { examples: [{ name: "Our signature" }] },
);

const found = ["BLOCK_NOT_FOUND"] as const;

export function blockRoutes(access: Access) {
  return routes(access, [
    page(
      "/blocks",
      {
        name: "listBlocks",
        summary: "List saved blocks, newest first",
        answers: { 200: pageShapeOf(blockShape) },
        permission: "read",
        query: t.Object(pageShape),
      },
      async (reader, { caller: { workspace, workspaceId } }) => ({
        total: () => countBlocks(reader, workspace),
        items: async (...piece) =>
          (await blocksPage(reader, workspace, ...piece)).map((one) => blockRecord(one, workspaceId)),
      }),
    ),
    post(
      "/blocks",
      {
        name: "createBlock",
        summary: "Save a block",
        answers: { 201: blockShape },
        permission: "templates.write",
        body: creation,
        refuses: ["CONFLICT"],
        description: `A named piece of an email, for editors: a body has a copy of it. A workspace has up to ${MOST_BLOCKS}.`,
      },
      async (tx, { body, caller }) => blockRecord(await createBlock(tx, caller, noted(body)), caller.workspaceId),
    ),
    get(
      "/blocks/:id",
      {
        name: "getBlock",
        summary: "Get a saved block",
        answers: { 200: blockShape },
        permission: "read",
        refuses: found,
      },
      async (reader, { params, caller }) =>
        blockRecord(await findBlock(reader, caller.workspace, params.id), caller.workspaceId),
    ),
    put(
      "/blocks/:id",
      {
        name: "updateBlock",
        summary: "Change a saved block",
        answers: { 200: blockShape },
        permission: "templates.write",
        body: change,
        refuses: [...found, "CONFLICT"],
      },
      async (tx, { params, body, caller }) =>
        blockRecord(await changeBlock(tx, caller, params.id, noted(body)), caller.workspaceId),
    ),
    remove(
      "/blocks/:id",
      {
        name: "deleteBlock",
        summary: "Delete a saved block",
        answers: { 204: null },
        permission: "templates.write",
        refuses: found,
      },
      (tx, { params, caller }) => removeBlock(tx, caller.workspace, params.id),
    ),
  ]);
}

function blockRecord(block: Block, workspaceId: string): typeof blockShape.static {
  const { id, name, body, design, createdAt, updatedAt, updatedBy } = block;
  return { id, name, body, design, projectId: workspaceId, createdAt, updatedAt, updatedBy };
}
