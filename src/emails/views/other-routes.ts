// /views: filters of the lists of people, campaigns and events under names.
import { t } from "elysia";
import { answers } from "../../http/answers.ts";
import type { Access } from "../../workspaces/auth.ts";
import { get, post, routes } from "../../workspaces/route-table.ts";
import { otherInputShape, otherListShape, otherShape, type OtherInput } from "./record.ts";
import { listViews, saveView } from "./view.ts";

const listed = answers(
  "listViews",
  "List saved views of a list",
  { 200: t.Object({ views: t.Array(otherShape) }, { title: "ListViews" }) },
  {
    permission: "read",
    query: t.Object({ list: otherListShape }),
    description: "Those of the whole workspace, and a person's own. Views of the list of mails are at `/mail-views`.",
  },
);
const saved = answers(
  "saveView",
  "Save a view of a list",
  { 201: otherShape },
  {
    permission: "read",
    body: otherInputShape,
    refuses: ["CONFLICT", "FORBIDDEN"],
    description:
      "Of each list up to 50 for the whole workspace, which need `mail.send` of a person, and 50 of each person. `DELETE /mail-views/{id}` removes it.",
  },
);

export function otherViewRoutes(access: Access) {
  return routes(access, [
    get("/views", listed, async (reader, { query: { list }, caller }) => ({
      views: (await listViews<OtherInput["filter"]>(reader, caller, list)).map((view) => ({ ...view, list })),
    })),
    post("/views", saved, async (tx, { body: { list, ...view }, caller }) => ({
      ...(await saveView(tx, caller, view, list)),
      list,
    })),
  ]);
}
