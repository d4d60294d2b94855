// /segments/{id}/members: adding contacts to a STATIC segment and removing them. A filter or another segment may select
// many contacts: a job moves them.
import { t } from "elysia";
import type { Access } from "../../tenant/access/auth.ts";
import { route, routes } from "../../tenant/access/route-table.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { countSelected, openBulkJob, type BulkInput } from "./bulk.ts";
import { comparable, matchingShape } from "./routes.ts";
import { openedShape } from "./jobs/record.ts";
import { invalidField } from "../../base/errors.ts";
import type { CatchUp } from "../../tenant/events/dispatch.ts";
import { notifyChange } from "../../tenant/events/notify.ts";
import { countShape } from "../../http/answer-shapes.ts";
import { answerOnce, foundBefore } from "../../http/idempotency.ts";
import { addressShape, idInputShape, optional } from "../../http/schemas.ts";
import type { Tx } from "../../store/store.ts";
import { addMembers, refuseToMove, removeMembers } from "../../audience/segments/members.ts";

const input = t.Object(
  {
    emails: optional(t.Array(addressShape, { minItems: 1, maxItems: 500 }), "Contacts, by their addresses."),
    segmentId: optional(idInputShape, "Everybody who is in this segment."),
    ...matchingShape,
  },
  { examples: [{ emails: ["ada@example.com"] }, { filter: { search: "@example.com" } }] },
);
type Input = typeof input.static;

const refuses = ["SEGMENT_NOT_FOUND", "SEGMENT_NOT_STATIC", "CONFLICT"] as const;
const description =
  "Give one of `emails`, `filter` and `segmentId`. With `filter` or `segmentId` a job does it: the answer is 202 with its `jobId`, and `GET /contacts/bulk/{jobId}` says how far it is.";

export function memberRoutes(access: Access, catchUp: CatchUp) {
  const { store } = access;
  const counted = (workspace: number, { many }: MemberSelection) =>
    many ? countSelected({ ...access, catchUp }, workspace, many) : Promise.resolve(0);
  const move = async (tx: Tx, caller: Caller, { id, operation, asked, total }: MemberMove) => {
    notifyChange(tx, "segments", caller.workspace);
    if (asked.many) {
      await refuseToMove(tx, caller, id);
      const input = { ...asked.many, segment: id };
      return openBulkJob(tx, caller.workspace, { operation, input, total, madeBy: caller.by });
    }
    return operation === "JOIN"
      ? addMembers(tx, caller, id, asked.emails)
      : removeMembers(tx, caller, id, asked.emails);
  };
  return routes(access, [
    route(
      "POST",
      "/segments/:id/members",
      {
        name: "addSegmentMembers",
        summary: "Add contacts to a STATIC segment",
        answers: { 200: t.Object({ added: countShape, notFound: t.Array(t.String()) }), 202: openedShape },
        permission: "campaigns.write",
        body: input,
        refuses,
        description,
      },
      async ({ params, body, caller, request, set }) => {
        const asked = askedIn(body);
        const total = await foundBefore(() => counted(caller.workspace, asked));
        const joinMembers = (tx: Tx) => move(tx, caller, { id: params.id, operation: "JOIN", asked, total: total() });
        return answerOnce<unknown>(store, { body, caller, request, set }, joinMembers, asked.many ? 202 : 200);
      },
    ),
    route(
      "DELETE",
      "/segments/:id/members",
      {
        name: "removeSegmentMembers",
        summary: "Remove contacts from a STATIC segment",
        answers: { 200: t.Object({ removed: countShape }), 202: openedShape },
        permission: "campaigns.write",
        body: input,
        refuses,
        description,
      },
      async ({ params, body, caller, set }) => {
        const asked = askedIn(body);
        const total = await counted(caller.workspace, asked);
        const answer = await store.write(async (tx) => {
          const done = await move(tx, caller, { id: params.id, operation: "LEAVE", asked, total });
          await caller.note?.(tx, done);
          return done;
        });
        set.status = asked.many ? 202 : 200;
        return answer;
      },
    ),
  ]);
}

/** `many`: moved by a job; null = the addresses are moved immediately. */
type MemberSelection = { readonly many: BulkInput | null; readonly emails: readonly string[] };

type MemberMove = {
  readonly id: string;
  readonly operation: "JOIN" | "LEAVE";
  readonly asked: MemberSelection;
  readonly total: number;
};

/** @throws AppError VALIDATION_ERROR unless the body selects members in exactly one way */
function askedIn({ emails, filter, segmentId, excludeIds }: Input): MemberSelection {
  const given = Object.entries({ emails, filter, segmentId }).filter(([, value]) => value != null);
  if (given.length === 0) throw invalidField("emails", "Give emails, filter or segmentId.", "required");
  if (given.length > 1)
    throw invalidField(given[1]?.[0] ?? "", "Give only one of emails, filter and segmentId.", "conflict");
  if (emails) {
    if (excludeIds?.length) throw invalidField("excludeIds", "Give it only with filter or segmentId.", "conflict");
    return { many: null, emails };
  }
  return {
    many: { ...comparable({ filter: filter ?? { segmentId: segmentId ?? "" } }), excludeIds: excludeIds ?? null },
    emails: [],
  };
}
