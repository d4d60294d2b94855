// /audit: who changed what, in a workspace or in the installation.
import { t } from "elysia";
import { AppError } from "../errors.ts";
import { idShape, nullable, oneOf, pageShapeOf, timeShape } from "../http/answer-shapes.ts";
import { pageShape, parameter } from "../http/schemas.ts";
import { page, routes } from "../access/route-table.ts";
import type { Caller } from "../access/caller.ts";
import { countEntries, entriesPage, type AuditEntry } from "./audit-queries.ts";
import type { AuthDeps } from "./start-session.ts";

const entryShape = t.Object(
  {
    id: idShape,
    at: timeShape,
    action: t.String({
      description: "The name of the call (`operationId`), a verb of the command line, or `signInFailed`.",
    }),
    by: t.Object({
      kind: oneOf("PERSON", "KEY", "COMMAND_LINE"),
      id: nullable(idShape),
      name: nullable(t.String({ description: "As it was then." })),
    }),
    target: nullable({ ...idShape, description: "What was changed." }),
    requestId: nullable(t.String()),
  },
  { title: "AuditEntry" },
);

export function auditRoutes(deps: AuthDeps) {
  return routes(deps, [
    page(
      "/audit",
      {
        name: "listAudit",
        summary: "List who changed what, newest first",
        answers: { 200: pageShapeOf(entryShape) },
        permission: "workspace",
        managers: true,
        query: t.Object({
          ...pageShape,
          of: parameter(
            oneOf("workspace", "installation"),
            "`installation`: signing in, users and the command line; for owners. Unless given, `workspace`.",
          ),
          by: parameter(idShape, "The id of a person or key set: only what they changed."),
          kind: parameter(
            oneOf("PERSON", "KEY", "COMMAND_LINE"),
            "Only what people, keys or the command line changed.",
          ),
        }),
        description:
          "Everything that people change, and what keys change of keys, domains and settings. Of sign-ins that fail, the first in an hour for each user is listed (`signInFailed`), and the first for an unknown address.",
      },
      async (reader, { query, caller }) => {
        const workspace = listOf(caller, query.of ?? "workspace");
        const list = { workspace, actor: query.by ?? null, kind: query.kind ?? null };
        return {
          total: () => countEntries(reader, list),
          items: async (...piece) => (await entriesPage(reader, list, ...piece)).map(entryRecord),
        };
      },
    ),
  ]);
}

/** Null = that of the installation. @throws AppError FORBIDDEN */
function listOf({ workspace, person }: Caller, of: "workspace" | "installation"): number | null {
  if (of === "workspace") return workspace;
  if (!person?.isOwner) throw new AppError("FORBIDDEN", "Only owners see the list of the installation.");
  return null;
}

function entryRecord(entry: AuditEntry): typeof entryShape.static {
  const { id, at, action, kind, actor, actorName, target, requestId } = entry;
  return { id, at, action, by: { kind, id: actor, name: actorName }, target, requestId };
}
