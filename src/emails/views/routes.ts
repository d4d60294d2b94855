// /mail-views: filters of the list of mails under names.
import { t } from "elysia";
import { answers } from "../../http/answers.ts";
import type { Access } from "../../workspaces/auth.ts";
import { get, post, remove, routes } from "../../workspaces/route-table.ts";
import { viewInputShape, viewShape } from "./record.ts";
import { listViews, removeView, saveView } from "./view.ts";

const listed = answers(
  "listMailViews",
  "List saved views of the list of mails",
  { 200: t.Object({ views: t.Array(viewShape) }, { title: "MailViews" }) },
  { permission: "read", description: "Those of the whole workspace, and a person's own." },
);
const saved = answers(
  "saveMailView",
  "Save a view of the list of mails",
  { 201: viewShape },
  {
    permission: "read",
    body: viewInputShape,
    refuses: ["CONFLICT", "FORBIDDEN"],
    description:
      "Up to 50 for the whole workspace, which need `mail.send` of a person, and 50 of each person. A name is used once.",
  },
);
const removed = answers(
  "removeMailView",
  "Remove a saved view",
  { 204: null },
  { permission: "read", refuses: ["VIEW_NOT_FOUND", "FORBIDDEN"] },
);

export function viewRoutes(access: Access) {
  return routes(access, [
    get("/mail-views", listed, async (reader, { caller }) => ({ views: await listViews(reader, caller) })),
    post("/mail-views", saved, (tx, { body, caller }) => saveView(tx, caller, body)),
    remove("/mail-views/:id", removed, (tx, { params, caller }) => removeView(tx, caller, params.id)),
  ]);
}
