// /views: named filters of lists.
import { t } from "elysia";
import type { Access } from "../../tenant/access/auth.ts";
import { get, post, remove, routes } from "../../tenant/access/route-table.ts";
import { listShape, viewInputShape, viewShape } from "./record.ts";
import { listViews, removeView, saveView } from "./view.ts";

export function viewRoutes(access: Access) {
  return routes(access, [
    get(
      "/views",
      {
        name: "listViews",
        summary: "List saved views of a list",
        answers: { 200: t.Object({ views: t.Array(viewShape) }, { title: "Views" }) },
        permission: "read",
        query: t.Object({ list: listShape }),
        description: "Those of the whole workspace, and a person's own.",
      },
      async (reader, { query: { list }, caller }) => ({
        views: await listViews(reader, caller, list),
      }),
    ),
    post(
      "/views",
      {
        name: "createView",
        summary: "Create a saved view of a list",
        answers: { 201: viewShape },
        permission: "read",
        body: viewInputShape,
        refuses: ["CONFLICT", "FORBIDDEN"],
        description:
          "Of each list up to 50 for the whole workspace, which need `mail.send` of a person, and 50 of each person. A name is used once.",
      },
      (tx, { body, caller }) => saveView(tx, caller, body),
    ),
    remove(
      "/views/:id",
      {
        name: "deleteView",
        summary: "Delete a saved view",
        answers: { 204: null },
        permission: "read",
        refuses: ["VIEW_NOT_FOUND", "FORBIDDEN"],
      },
      (tx, { params, caller }) => removeView(tx, caller, params.id),
    ),
  ]);
}
