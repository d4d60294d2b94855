// Segments, which Resend once called audiences: STATIC segments of ours.
import { segmentsOf, type Segment } from "../../../audience/segments/queries.ts";
import { findSegment } from "../../../audience/segments/segment.ts";
import { ignoredIn, nameIgnored, objectIn, type FieldSupport } from "../fields.ts";
import type { CompatCall, CompatRequest } from "../own-calls.ts";
import { deletion, type CallDeps } from "./call.ts";
import { listOf, pieceIn, pieceOf } from "./lists.ts";

const FIELDS: FieldSupport = {
  taken: ["name"],
  refused: { filter: "Posthorn writes conditions in another way: create a DYNAMIC segment with POST /segments." },
};

export function segmentSummary({ id, name, createdAt }: Pick<Segment, "id" | "name" | "createdAt">) {
  return { id, name, created_at: createdAt };
}

function nameIn({ body, set }: CompatRequest) {
  const given = objectIn("request", body);
  nameIgnored(set.headers, ignoredIn(given, FIELDS));
  return { name: given["name"] };
}

export function segmentCalls({ ours, store }: CallDeps): readonly CompatCall[] {
  const at = (path: string, object: string): readonly CompatCall[] => [
    {
      method: "POST",
      path,
      own: "createSegment",
      work: async (asked) => {
        const { id, name } = await ours.ask("createSegment", asked, {
          body: { ...nameIn(asked), type: "STATIC" },
        });
        return { object, id, name };
      },
    },
    {
      method: "GET",
      path,
      own: "listSegments",
      work: async ({ caller, request }) => {
        const all = await store.read((reader) => segmentsOf(reader, caller.workspace));
        const { items, hasMore } = pieceOf(all, pieceIn(request));
        return listOf(items.map(segmentSummary), hasMore);
      },
    },
    {
      method: "GET",
      path: `${path}/:id`,
      own: "getSegment",
      work: async ({ caller, params }) => {
        const segment = await store.read((reader) => findSegment(reader, caller.workspace, params["id"] ?? ""));
        return { object, ...segmentSummary(segment) };
      },
    },
    {
      method: "PATCH",
      path: `${path}/:id`,
      own: "updateSegment",
      work: async (asked) => {
        await ours.ask("updateSegment", asked, { params: asked.params, body: nameIn(asked) });
        return { object, id: asked.params["id"] };
      },
    },
    deletion(ours, { object, path: `${path}/:id`, own: "deleteSegment" }),
  ];
  return [...at("/segments", "segment"), ...at("/audiences", "audience")];
}
