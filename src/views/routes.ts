// /views: filters of lists under names.
import { t } from "elysia";
import { answers } from "../http/answers.ts";
import type { Access } from "../access/auth.ts";
import { get, post, remove, routes } from "../access/route-table.ts";
import { listShape, viewInputShape, viewShape } from "./record.ts";
import { listViews, removeView, saveView } from "./view.ts";

const listed = answers(
  "listViews",
  "List saved views of a list",
  { 200: t.Object({ views: t.Array(viewShape) }, { title: "Views" }) },
  {
    permission: "read",
    query: t.Object({ list: listShape }),
    description: "Those of the whole workspace, and a person's own.",
  },
);
const saved = answers(
  "saveView",
  "Save a view of a list",
  { 201: viewShape },
  {
    permission: "read",
    body: viewInputShape,
    refuses: ["CONFLICT", "FORBIDDEN"],
    description:
      "Of each list up to 50 for the whole workspace, which need `mail.send` of a person, and 50 of each person. A name is used once.",
  },
);
const removed = answers(
  "removeView",
  "Remove a saved view",
  { 204: null },
  { permission: "read", refuses: ["VIEW_NOT_FOUND", "FORBIDDEN"] },
);

export function viewRoutes(access: Access) {
  return routes(access, [
    get("/views", listed, async (reader, { query: { list }, caller }) => ({
      views: await listViews(reader, caller, list),
    })),
    post("/views", saved, (tx, { body, caller }) => saveView(tx, caller, body)),
    remove("/views/:id", removed, (tx, { params, caller }) => removeView(tx, caller, params.id)),
  ]);
}
