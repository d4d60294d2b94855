// /templates: stored mails (docs/templates.md).
import { t } from "elysia";
import { idShape, nullable, pageShapeOf } from "../../http/answer-shapes.ts";
import { pageFrom } from "../../store/page.ts";
import type { Reader } from "../../store/store.ts";
import type { Access } from "../../tenant/access/auth.ts";
import type { Caller } from "../../tenant/access/caller.ts";
import { alias, get, patch, post, remove, routes } from "../../tenant/access/route-table.ts";
import { change, creation, listing } from "./input-shape.ts";
import { nextPageToken, pageByAnyName } from "./page-token.ts";
import { countTemplates, type Template } from "./queries.ts";
import { currentTemplateShape, templateRecord, templateShape } from "./record.ts";
import {
  changeTemplate,
  createTemplate,
  duplicateTemplate,
  findTemplate,
  publishTemplate,
  removeTemplate,
  restoreTemplate,
  templatesOnPage,
} from "./template.ts";
import { MOST_STEPS, workflowsSending } from "./uses.ts";
import { restoreShape, versionRoutes } from "./versions/routes.ts";
import { currentVersion } from "./versions/version.ts";
import { noted } from "./written.ts";

const page = t.Object(
  { ...pageShapeOf(templateShape).properties, cursor: nullable(t.String()) },
  { title: "TemplatePage" },
);
const found = ["TEMPLATE_NOT_FOUND"] as const;

export function templateRoutes(access: Access) {
  const uses = get(
    "/templates/:id/uses",
    {
      name: "getTemplateUses",
      summary: "List what uses a template",
      answers: {
        200: t.Object(
          {
            workflows: t.Array(
              t.Object({
                id: idShape,
                name: t.String(),
                enabled: t.Boolean(),
                steps: t.Array(t.String(), { description: "The names of its steps that send the template." }),
              }),
            ),
          },
          { title: "TemplateUses" },
        ),
      },
      permission: "read",
      refuses: found,
      description: `The newest ${MOST_STEPS} steps of workflows that send it.`,
    },
    async (reader, { params, caller }) => ({
      workflows: await workflowsSending(reader, (await findTemplate(reader, caller.workspace, params.id)).seq),
    }),
  );
  return routes(access, [
    post(
      "/templates",
      {
        name: "createTemplate",
        summary: "Create a template",
        answers: { 201: currentTemplateShape },
        permission: "templates.write",
        body: creation,
        refuses: ["DOMAIN_NOT_ALLOWED", "CONFLICT"],
      },
      async (tx, { body, caller }) => current(tx, caller, await createTemplate(tx, caller, noted(body))),
    ),
    get(
      "/templates",
      {
        name: "listTemplates",
        summary: "List templates, newest first",
        answers: { 200: page },
        permission: "read",
        query: listing,
      },
      async (reader, { query, caller }) => {
        const filter = { workspace: caller.workspace, type: query.type ?? null, search: query.search ?? null };
        const page = await pageFrom(pageByAnyName(query), {
          total: () => countTemplates(reader, filter),
          items: async (...piece) =>
            (await templatesOnPage(reader, filter, ...piece)).map((one) => templateRecord(one, caller.workspaceId)),
        });
        return { ...page, cursor: nextPageToken(page) };
      },
    ),
    get(
      "/templates/:id",
      {
        name: "getTemplate",
        summary: "Get a template",
        answers: { 200: currentTemplateShape },
        permission: "read",
        refuses: found,
      },
      async (reader, { params, caller }) =>
        current(reader, caller, await findTemplate(reader, caller.workspace, params.id)),
    ),
    uses,
    alias(uses, "GET", "/templates/:id/usage", "getTemplateUsage"),
    post(
      "/templates/:id/duplicate",
      {
        name: "duplicateTemplate",
        summary: "Copy a template",
        answers: { 201: currentTemplateShape },
        permission: "templates.write",
        refuses: [...found, "DOMAIN_NOT_ALLOWED"],
      },
      async (tx, { params, caller }) => current(tx, caller, await duplicateTemplate(tx, caller, params.id)),
    ),
    patch(
      "/templates/:id",
      {
        name: "updateTemplate",
        summary: "Update a template",
        answers: { 200: currentTemplateShape },
        permission: "templates.write",
        body: change,
        refuses: [...found, "DOMAIN_NOT_ALLOWED", "CONFLICT"],
      },
      async (tx, { params, body, caller }) =>
        current(tx, caller, await changeTemplate(tx, caller, params.id, noted(body))),
    ),
    post(
      "/templates/:id/publish",
      {
        name: "publishTemplate",
        summary: "Send what a template says now",
        answers: { 200: currentTemplateShape },
        permission: "templates.write",
        refuses: [...found, "DOMAIN_NOT_ALLOWED"],
        description: "Until then a template with `publishManually` is sent as it was when it was published last.",
      },
      async (tx, { params, caller }) => current(tx, caller, await publishTemplate(tx, caller, params.id)),
    ),
    post(
      "/templates/:id/versions/:versionId/restore",
      {
        name: "restoreTemplateVersion",
        summary: "Have a template say again what it said in a version",
        answers: { 200: currentTemplateShape },
        permission: "templates.write",
        body: restoreShape,
        refuses: [...found, "VERSION_NOT_FOUND", "DOMAIN_NOT_ALLOWED", "CONFLICT"],
        description: "Its name, description and type stay.",
      },
      async (tx, { params, body, caller }) => current(tx, caller, await restoreTemplate(tx, caller, params, body)),
    ),
    ...versionRoutes({ path: "/templates", noun: "Template", refuses: found, ownerOf }),
    remove(
      "/templates/:id",
      {
        name: "deleteTemplate",
        summary: "Delete a template",
        answers: { 204: null },
        permission: "templates.write",
        refuses: [...found, "DOMAIN_NOT_ALLOWED", "CONFLICT"],
      },
      (tx, { params, caller }) => removeTemplate(tx, caller, params.id),
    ),
  ]);
}

async function current(reader: Reader, { workspaceId }: Caller, template: Template) {
  return {
    ...templateRecord(template, workspaceId),
    version: await currentVersion(reader, { template: template.seq }),
  };
}

async function ownerOf(reader: Reader, { workspace }: Caller, id: string) {
  return { template: (await findTemplate(reader, workspace, id)).seq };
}
