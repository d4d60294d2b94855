// /audit: who changed what, in a workspace or in the installation.
import { t } from "elysia";
import { AppError } from "../../base/errors.ts";
import { idShape, nullable, oneOf, pageShapeOf, timeShape } from "../../http/answer-shapes.ts";
import { pageShape, parameter } from "../../http/schemas.ts";
import { page, routes } from "../../tenant/access/route-table.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import type { Reader } from "../../store/store.ts";
import { hasNames, namesOf } from "./audit/naming-queries.ts";
import { countEntries, entriesPage, type AuditEntry, type AuditList } from "./audit/audit-queries.ts";
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
    targetKind: nullable(t.String({ description: "The first part of the path of the call, such as `campaigns`." })),
    targetName: nullable(t.String({ description: "As it was then." })),
    targetExists: nullable(t.Boolean({ description: "Null where it is no record with a page of its own." })),
    fields: t.Array(t.String(), { description: "The fields that the change named." }),
    reason: nullable(
      t.String({
        description:
          "As entered, such as for `skipDomainWarmup`. Of `updateConfiguration`, the values before and after; of `settingsWentBack`, the key.",
      }),
    ),
    times: t.Number({
      minimum: 1,
      multipleOf: 1,
      description: "Changes of one record by one person that follow each other within ten minutes are one entry.",
    }),
    lastAt: timeShape,
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
          target: parameter(idShape, "Only changes of this record."),
          search: parameter(
            t.String({ minLength: 1, maxLength: 200 }),
            "Only changes of records that have this in their names, as they were then.",
          ),
        }),
        description:
          "Everything that people change, and what keys change of keys, domains and settings. Of sign-ins that fail, the first in an hour for each user is listed (`signInFailed`), and the first for an unknown address.",
      },
      async (reader, { query, caller }) => {
        const workspace = listOf(caller, query.of ?? "workspace");
        const { by: actor = null, kind = null, target = null, search = null } = query;
        return pagesOf(reader, { workspace, actor, kind, target, search });
      },
    ),
    page(
      "/audit/changes",
      {
        name: "listChanges",
        summary: "List who changed templates, campaigns, workflows and segments, newest first",
        answers: { 200: pageShapeOf(entryShape) },
        permission: "read",
        managers: true,
        query: t.Object({ ...pageShape, target: parameter(idShape, "Only changes of this record.") }),
        description: "As `GET /audit`, of the records that everybody in the workspace may read.",
      },
      async (reader, { query: { target = null }, caller: { workspace } }) =>
        pagesOf(reader, { workspace, actor: null, kind: null, target, search: null, kinds: OPEN_KINDS }),
    ),
  ]);
}

const OPEN_KINDS = ["templates", "campaigns", "workflows", "segments"];

function pagesOf(reader: Reader, list: AuditList) {
  return {
    total: () => countEntries(reader, list),
    items: async (limit: number, offset: number) =>
      recordsOf(reader, list, await entriesPage(reader, list, limit, offset)),
  };
}

async function recordsOf(reader: Reader, { workspace }: AuditList, entries: readonly AuditEntry[]) {
  const existing = new Map<string | null, ReadonlyMap<string, string>>();
  for (const [kind, some] of Map.groupBy(entries, ({ targetKind }) => targetKind)) {
    const ids = [...new Set(some.flatMap(({ target }) => target ?? []))];
    if (hasNames(kind)) existing.set(kind, await namesOf(reader, { workspace: workspace ?? 0, kind }, ids));
  }
  return entries.map((entry) => {
    const names = existing.get(entry.targetKind);
    return entryRecord(entry, names && entry.target !== null ? names.has(entry.target) : null);
  });
}

/** Null = that of the installation. @throws AppError FORBIDDEN */
function listOf({ workspace, person }: Caller, of: "workspace" | "installation"): number | null {
  if (of === "workspace") return workspace;
  if (!person?.isOwner) throw new AppError("FORBIDDEN", "Only owners see the list of the installation.");
  return null;
}

function entryRecord(
  { kind, actor, actorName, ...entry }: AuditEntry,
  targetExists: boolean | null,
): typeof entryShape.static {
  return { ...entry, fields: [...entry.fields], targetExists, by: { kind, id: actor, name: actorName } };
}
