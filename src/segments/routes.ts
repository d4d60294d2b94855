// /segments (interface.md "Segment", interface-gaps.md §4).
import { Elysia, t } from "elysia";
import type { CatchUp } from "../events/dispatch.ts";
import { answers } from "../http/answers.ts";
import { answerOnce, foundBefore } from "../http/idempotency.ts";
import { idParams, optional, recordNameShape } from "../http/schemas.ts";
import { asBody } from "../http/shape.ts";
import type { Tx } from "../store/store.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { foreseenCount, memberCount } from "./members.ts";
import { segmentsOf, type SegmentRow } from "./queries.ts";
import { segmentRecord, segmentShape, segmentTypeShape } from "./record.ts";
import { changeSegment, createSegment, findSegment, removeSegment } from "./segment.ts";

const example = {
  name: "Pro users",
  condition: { groups: [{ filters: [{ field: "plan", operator: "equals", value: "pro" }] }] },
  trackMembership: true,
};
const condition = optional(
  t.Record(t.String(), t.Unknown()),
  "Required for DYNAMIC segments: { logic: AND | OR, groups: [{ filters: [{ field, operator, value, unit }], conditions }] }.",
);
const options = {
  description: optional(t.String({ maxLength: 500 })),
  type: optional(segmentTypeShape),
  condition,
  trackMembership: optional(t.Boolean()),
};
const creation = t.Object({ name: recordNameShape, ...options }, { examples: [example] });
const change = t.Object(
  { name: optional(recordNameShape), ...options },
  { examples: [{ description: "Everybody who pays" }] },
);
const notFound = { refuses: ["SEGMENT_NOT_FOUND"] } as const;
const conflict = { refuses: ["SEGMENT_NOT_FOUND", "CONFLICT"] } as const;

export function segmentRoutes(access: Access, catchUp: CatchUp) {
  const { store, clock } = access;
  const shown = async (segment: SegmentRow, workspaceId: string) =>
    segmentRecord(segment, await memberCount(store, clock, segment), workspaceId);
  return new Elysia({ prefix: "/segments" })
    .use(secretKey(access))
    .get(
      "",
      async ({ caller }) => {
        await catchUp(caller.workspace);
        const rows = await store.read((reader) => segmentsOf(reader, caller.workspace));
        const segments = [];
        // One after the other: long counts wait in one line, and are refused when it is long.
        for (const row of rows) segments.push(await shown(row, caller.workspaceId));
        return segments;
      },
      { detail: answers("List segments, newest first", { 200: t.Array(segmentShape) }) },
    )
    .post(
      "",
      async ({ body, caller, request, set }) => {
        const { workspace, workspaceId } = caller;
        const foreseen = await foundBefore(async () =>
          body.type === "STATIC" ? 0 : foreseenCount(store, clock, workspace, body.condition),
        );
        const work = async (tx: Tx) => {
          const segment = await createSegment(tx, workspace, body);
          return segmentRecord(segment, segment.state === "NEW" ? foreseen() : segment.member_count, workspaceId);
        };
        return answerOnce(store, { body, caller, request, set }, work, 201);
      },
      {
        body: asBody(creation),
        detail: answers("Make a segment", { 201: segmentShape }, { refuses: ["CONFLICT"] }),
      },
    )
    .get(
      "/:id",
      async ({ params, caller }) => {
        await catchUp(caller.workspace);
        const row = await store.read((reader) => findSegment(reader, caller.workspace, params.id));
        return shown(row, caller.workspaceId);
      },
      { params: idParams, detail: answers("Look at a segment", { 200: segmentShape }, notFound) },
    )
    .patch(
      "/:id",
      async ({ params, body, caller }) => {
        await catchUp(caller.workspace);
        const row = await store.write((tx) => changeSegment(tx, caller.workspace, params.id, body));
        return shown(row, caller.workspaceId);
      },
      {
        params: idParams,
        body: asBody(change),
        detail: answers("Change fields of a segment", { 200: segmentShape }, conflict),
      },
    )
    .delete(
      "/:id",
      async ({ params, caller, set }) => {
        await store.write((tx) => removeSegment(tx, caller.workspace, params.id));
        set.status = 204;
      },
      { params: idParams, detail: answers("Delete a segment", { 204: null }, conflict) },
    );
}
