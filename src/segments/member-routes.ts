// /segments/{id}/contacts, /members and /compute (interface.md "POST /segments/{id}/members", interface-gaps.md §4).
import { Elysia, t } from "elysia";
import { contactRecord, contactShape } from "../contacts/record.ts";
import { countShape, pageShapeOf } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { answerOnce } from "../http/idempotency.ts";
import { addressShape, idParams, pageShape } from "../http/schemas.ts";
import { asBody, asQuery } from "../http/shape.ts";
import { pageFrom } from "../store/page.ts";
import type { Tx } from "../store/store.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { addMembers, memberCount, members, removeMembers } from "./members.ts";
import type { CatchUp } from "../events/dispatch.ts";
import { findSegment } from "./segment.ts";
import { sweepNow } from "./sweep.ts";

const addresses = t.Object(
  { emails: t.Array(addressShape, { minItems: 1, maxItems: 500 }) },
  { examples: [{ emails: ["ada@example.com"] }] },
);
const listing = t.Object(pageShape);
const added = t.Object({ added: countShape, notFound: t.Array(t.String()) });
const computed = t.Object({ added: countShape, removed: countShape, total: countShape });
const notFound = { refuses: ["SEGMENT_NOT_FOUND"] } as const;
const notStatic = { refuses: ["SEGMENT_NOT_FOUND", "SEGMENT_NOT_STATIC"] } as const;

export function segmentMemberRoutes(access: Access, catchUp: CatchUp) {
  const { store, clock } = access;
  const find = async (workspace: number, id: string) => {
    await catchUp(workspace);
    return store.read((reader) => findSegment(reader, workspace, id));
  };
  return new Elysia({ prefix: "/segments" })
    .use(secretKey(access))
    .get(
      "/:id/contacts",
      async ({ params, query, caller }) => {
        const segment = await find(caller.workspace, params.id);
        return pageFrom(query, {
          total: () => memberCount(store, clock, segment),
          items: async (limit, offset) => {
            const rows = await members(store, clock, segment, { limit, offset });
            return rows.map((row) => contactRecord(row, caller.workspaceId));
          },
        });
      },
      {
        params: idParams,
        query: asQuery(listing),
        detail: answers("List the contacts in a segment", { 200: pageShapeOf(contactShape) }, notFound),
      },
    )
    .post(
      "/:id/members",
      ({ params, body, caller, request, set }) => {
        const work = (tx: Tx) => addMembers(tx, caller.workspace, params.id, body.emails);
        return answerOnce(store, { body, caller, request, set }, work, 200);
      },
      {
        params: idParams,
        body: asBody(addresses),
        detail: answers("Put contacts into a STATIC segment", { 200: added }, notStatic),
      },
    )
    .delete(
      "/:id/members",
      ({ params, body, caller }) => store.write((tx) => removeMembers(tx, caller.workspace, params.id, body.emails)),
      {
        params: idParams,
        body: asBody(addresses),
        detail: answers("Take contacts out of a STATIC segment", { 200: t.Object({ removed: countShape }) }, notStatic),
      },
    )
    .post(
      "/:id/compute",
      async ({ params, caller, set }) => {
        const segment = await find(caller.workspace, params.id);
        const moved = segment.type === "STATIC" ? { added: 0, removed: 0 } : await sweepNow(store, clock, segment);
        set.status = 200;
        return { ...moved, total: await memberCount(store, clock, await find(caller.workspace, params.id)) };
      },
      {
        params: idParams,
        detail: answers("Look at all contacts again", { 200: computed }, { ...notFound, harmless: true }),
      },
    );
}
