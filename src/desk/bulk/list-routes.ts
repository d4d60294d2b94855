// GET /contacts: contacts as a list, also those of a segment.
import { t } from "elysia";
import { listContacts, type ListInput } from "../../audience/contacts/list/list.ts";
import { contactPageShape } from "../../audience/contacts/list/page-shape.ts";
import type { SegmentFilter } from "../../audience/contacts/list/queries.ts";
import { importedShape, standingShape } from "../../audience/contacts/record.ts";
import { contactsIn, keptSegment } from "../../audience/segments/members.ts";
import { sayingOf } from "../../audience/topics/choice.ts";
import { sayingShape, topicKeyShape } from "../../audience/topics/record.ts";
import { oneOf } from "../../http/answer-shapes.ts";
import { jsonAnswer } from "../../http/json-answer.ts";
import { momentIn } from "../../http/body/moment-in.ts";
import { idInputShape, parameter, timeInputShape, wholeNumber } from "../../http/schemas.ts";
import type { Access } from "../../tenant/access/auth.ts";
import { route, routes } from "../../tenant/access/route-table.ts";
import type { CatchUp } from "../../tenant/events/dispatch.ts";

const DEFAULT_LIMIT = 20;
const DEFAULT_SORT = "createdAt";

const listing = t.Object({
  limit: parameter(wholeNumber(1, 100, DEFAULT_LIMIT), "How many contacts a page has at most."),
  cursor: parameter(
    t.String({ maxLength: 1000 }),
    "The `cursor` of the page before; `sort` and `dir` must be the same as there.",
  ),
  subscribed: parameter(t.Boolean(), "Only contacts that are subscribed, or only those that are not."),
  status: parameter(
    standingShape,
    "Only those who are subscribed, have unsubscribed (or never were), have yet to confirm, or have bounced or complained. Each contact has one of these.",
  ),
  segmentId: parameter(idInputShape, "Only members of this segment."),
  since: parameter(timeInputShape, "Only contacts that were created then or later."),
  importId: parameter(idInputShape, "Only contacts that this import added or found, as long as it can be undone."),
  imported: parameter(importedShape, "With `importId`: only those that it added, or only those that it found."),
  topic: parameter(topicKeyShape, "With `choice`: only those who say so of the topic with this key."),
  choice: parameter(sayingShape, "With `topic`: `unsaid` are those who have said nothing of it."),
  search: parameter(
    t.String({ maxLength: 320 }),
    "Parts of the address, of the names or of the fields that the workspace searches (`searchFields`), in any case; each word has to be found.",
  ),
  sort: parameter({ ...oneOf("createdAt", "email"), default: DEFAULT_SORT }, "What the list is ordered by."),
  dir: parameter(oneOf("asc", "desc"), "Unless given, `asc` by `email` and `desc` by `createdAt`."),
});

export function contactListRoutes(access: Access, catchUp: CatchUp) {
  const { store, clock } = access;
  const segment = async (workspace: number, id: string | undefined) => {
    if (id === undefined) return null;
    await catchUp(workspace);
    return store.read(async (reader): Promise<SegmentFilter> => {
      const nowMs = clock.nowMs();
      const kept = await keptSegment(reader, workspace, id, nowMs);
      return kept === null ? { condition: await contactsIn(reader, workspace, id, nowMs) } : { kept };
    });
  };
  return routes(access, [
    route(
      "GET",
      "/contacts",
      {
        name: "listContacts",
        summary: "List contacts, newest first",
        answers: { 200: contactPageShape },
        permission: "read",
        query: listing,
        refuses: ["SEGMENT_NOT_FOUND"],
      },
      async ({ query, caller, set }) => {
        const saying = sayingOf(query, caller.topics);
        const input = { ...inputOf(query), saying, inSegment: await segment(caller.workspace, query.segmentId) };
        const { contacts, cursor, total, isLeast } = await listContacts(store, caller, input);
        const counted = total === null ? "" : `,"total":${total}${isLeast ? `,"totalIsLeast":true` : ""}`;
        const rest = `],"cursor":${JSON.stringify(cursor)},"hasMore":${cursor !== null}${counted}}`;
        return jsonAnswer([`{"data":[`, contacts, rest], set);
      },
    ),
  ]);
}

function inputOf({ sort = DEFAULT_SORT, ...query }: typeof listing.static): Omit<ListInput, "inSegment" | "saying"> {
  return {
    limit: query.limit ?? DEFAULT_LIMIT,
    cursor: query.cursor ?? null,
    subscribed: query.subscribed ?? null,
    status: query.status ?? null,
    sinceMs: query.since === undefined ? null : momentIn("since", query.since),
    byImport: byImportOf(query),
    search: query.search ?? "",
    sort,
    dir: query.dir ?? (sort === "email" ? "asc" : "desc"),
  };
}

/** An `imported` without an import matches no contact. */
function byImportOf({ importId, imported }: typeof listing.static): ListInput["byImport"] {
  if (importId === undefined && imported === undefined) return null;
  return { id: importId ?? "", imported: imported ?? null };
}
