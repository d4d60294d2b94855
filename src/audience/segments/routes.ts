// /segments and their members.
import { t } from "elysia";
import { contactRecord, contactShape } from "../contacts/record.ts";
import type { CatchUp } from "../../tenant/events/dispatch.ts";
import { countShape, pageShapeOf } from "../../http/answer-shapes.ts";
import { answerOnce, foundBefore } from "../../http/idempotency.ts";
import {
  dataShape,
  optional,
  pageShape,
  parameter,
  recordNameShape,
  shownAs,
  wholeNumber,
} from "../../http/schemas.ts";
import { pageFrom } from "../../store/page.ts";
import type { Store, Tx } from "../../store/store.ts";
import type { Clock } from "../../base/clock.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { alias, remove, route, routes } from "../../tenant/access/route-table.ts";
import { ifUpdatedAtShape } from "../../tenant/access/saving-shape.ts";
import { conditionInputShape } from "./condition/record.ts";
import { foreseenCount, memberCount, members } from "./members.ts";
import { sweepNow } from "./membership/sweep.ts";
import { pastRoutes } from "./past-routes.ts";
import { segmentsOf, type Segment } from "./queries.ts";
import { questionRoutes } from "./question-routes.ts";
import { segmentRecord, segmentShape, segmentTypeShape } from "./record.ts";
import { changeSegment, createSegment, findSegment, removeSegment } from "./segment.ts";

const example = {
  name: "Pro users",
  condition: { groups: [{ filters: [{ field: "plan", operator: "equals", value: "pro" }] }] },
  trackMembership: true,
};
const options = {
  description: optional(t.String({ maxLength: 500 })),
  type: optional(segmentTypeShape),
  condition: optional(shownAs(dataShape, conditionInputShape), "Required for DYNAMIC segments."),
  trackMembership: optional(t.Boolean()),
};
export const creation = t.Object({ name: recordNameShape, ...options }, { examples: [example] });
const change = t.Object(
  { name: optional(recordNameShape), ...options, ifUpdatedAt: ifUpdatedAtShape },
  { examples: [{ description: "Everybody who pays" }] },
);
const found = ["SEGMENT_NOT_FOUND"] as const;

/** Finds a segment after all events so far have moved contacts. */
type Find = (caller: Caller, id: string) => Promise<Segment>;

export function segmentRoutes(access: Access, catchUp: CatchUp) {
  const find: Find = async ({ workspace }, id) => {
    await catchUp(workspace);
    return access.store.read((reader) => findSegment(reader, workspace, id));
  };
  return routes(access, [
    ...segments(access, catchUp, find),
    ...memberships(access, find),
    ...questionRoutes(access, catchUp),
    ...pastRoutes(access.clock),
  ]);
}

function segments({ store, clock }: Access, catchUp: CatchUp, find: Find) {
  const counted = async (segment: Segment, { workspaceId }: Caller) =>
    segmentRecord(segment, await memberCount(store, clock, segment), workspaceId);
  return [
    route(
      "GET",
      "/segments",
      {
        name: "listSegments",
        summary: "List segments, newest first",
        answers: { 200: t.Array(segmentShape) },
        permission: "read",
        query: t.Object({ limit: parameter(wholeNumber(1, 1000), "How many segments at most; all unless given.") }),
      },
      async ({ caller, query: { limit } }) => {
        await catchUp(caller.workspace);
        const segments = (await store.read((reader) => segmentsOf(reader, caller.workspace))).slice(0, limit);
        // One after the other: long counts wait in one queue, which refuses counts that would wait too long.
        const records = [];
        for (const segment of segments) records.push(await counted(segment, caller));
        return records;
      },
    ),
    route(
      "POST",
      "/segments",
      {
        name: "createSegment",
        summary: "Create a segment",
        answers: { 201: segmentShape },
        permission: "campaigns.write",
        body: creation,
        refuses: ["CONFLICT"],
      },
      async ({ body, caller, request, set }) => {
        const make = await creator(store, clock, caller, body);
        return answerOnce(store, { body, caller, request, set }, make, 201);
      },
    ),
    route(
      "GET",
      "/segments/:id",
      {
        name: "getSegment",
        summary: "Get a segment",
        answers: { 200: segmentShape },
        permission: "read",
        refuses: found,
      },
      async ({ params, caller }) => counted(await find(caller, params.id), caller),
    ),
    route(
      "PATCH",
      "/segments/:id",
      {
        name: "updateSegment",
        summary: "Update a segment",
        answers: { 200: segmentShape },
        permission: "campaigns.write",
        body: change,
        refuses: [...found, "CONFLICT"],
      },
      async ({ params, body, caller }) => {
        await catchUp(caller.workspace);
        const segment = await store.write(async (tx) => {
          const after = await changeSegment(tx, caller, params.id, { ...body, by: caller.by });
          await caller.note?.(tx, after);
          return after;
        });
        return counted(segment, caller);
      },
    ),
    remove(
      "/segments/:id",
      {
        name: "deleteSegment",
        summary: "Delete a segment",
        answers: { 204: null },
        permission: "campaigns.write",
        refuses: [...found, "CONFLICT"],
      },
      (tx, { params, caller }) => removeSegment(tx, caller.workspace, params.id),
    ),
  ];
}

function memberships({ store, clock }: Access, find: Find) {
  const compute = route(
    "POST",
    "/segments/:id/compute",
    {
      name: "computeSegment",
      summary: "Recompute a segment's membership",
      answers: { 200: t.Object({ added: countShape, removed: countShape, total: countShape }) },
      permission: "campaigns.write",
      refuses: found,
      harmless: true,
      description: "The members of a STATIC segment stay as they are.",
    },
    async ({ params, caller }) => {
      const segment = await find(caller, params.id);
      const moved = segment.type === "STATIC" ? { added: 0, removed: 0 } : await sweepNow(store, clock, segment);
      return { ...moved, total: await memberCount(store, clock, await find(caller, params.id)) };
    },
  );
  return [
    route(
      "GET",
      "/segments/:id/contacts",
      {
        name: "listSegmentContacts",
        summary: "List the contacts in a segment",
        answers: { 200: { ...pageShapeOf(contactShape), title: "SegmentContactPage" } },
        permission: "read",
        query: t.Object(pageShape),
        refuses: found,
      },
      async ({ params, query, caller }) => {
        const segment = await find(caller, params.id);
        return pageFrom(query, {
          total: () => memberCount(store, clock, segment),
          items: async (limit, offset) =>
            (await members(store, clock, segment, { limit, offset })).map((one) => contactRecord(one, caller)),
        });
      },
    ),
    compute,
    alias(compute, "POST", "/segments/:id/refresh", "refreshSegmentAlias"),
    alias(compute, "GET", "/segments/:id/refresh", "getRefreshedSegmentAlias"),
  ];
}

/** Counting the members of a large workspace takes long, so it precedes the transaction. */
async function creator(
  store: Store,
  clock: Clock,
  { workspace, workspaceId, by }: Caller,
  input: typeof creation.static,
) {
  const foreseen = await foundBefore(async () =>
    input.type === "STATIC" ? 0 : foreseenCount(store, clock, workspace, input.condition),
  );
  return async (tx: Tx) => {
    const segment = await createSegment(tx, workspace, { ...input, by });
    return segmentRecord(segment, segment.state === "NEW" ? foreseen() : segment.memberCount, workspaceId);
  };
}
