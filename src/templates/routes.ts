// /templates: stored mails (docs/templates.md).
import { t } from "elysia";
import { idShape, nullable, pageShapeOf } from "../http/answer-shapes.ts";
import {
  nameShape,
  optional,
  preheaderShape,
  pageShape,
  parameter,
  recordNameShape,
  subjectShape,
  wholeNumber,
} from "../http/schemas.ts";
import { labelFields } from "../http/label-shapes.ts";
import { alsoSpelt, SPELLINGS } from "../http/spellings.ts";
import { pageFrom } from "../store/page.ts";
import type { Reader } from "../store/store.ts";
import type { Access } from "../access/auth.ts";
import type { Caller } from "../access/caller.ts";
import { alias, get, patch, post, remove, routes } from "../access/route-table.ts";
import { ifUpdatedAtShape } from "../access/saving-shape.ts";
import { writtenOptions } from "./written-shape.ts";
import { nextPageToken, pageByAnyName } from "./page-token.ts";
import { countTemplates } from "./queries.ts";
import { templateRecord, templateShape, templateTypeShape } from "./record.ts";
import { MAX_SOURCE_CHARS } from "./render.ts";
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
import { noted } from "./written.ts";

const body = t.String({ minLength: 1, maxLength: MAX_SOURCE_CHARS });
const options = {
  alias: optional(
    t.String({ maxLength: 64, pattern: "^([a-z0-9]([a-z0-9_-]*[a-z0-9])?)?$" }),
    "Lower-case letters, digits, `-` and `_`; taken in place of the id. An empty one is none.",
  ),
  publishManually: optional(
    t.Boolean(),
    "What is sent changes when the template is published, not with each change. Switching it off publishes what it says.",
  ),
  description: optional(t.String({ maxLength: 500 })),
  preheader: optional(preheaderShape, "What lists of emails show beside the subject: hidden, at the start."),
  text: optional(t.String({ maxLength: MAX_SOURCE_CHARS })),
  from: optional(t.String({ maxLength: 1000 }), "An address, or `Name <address>`."),
  fromName: optional(nameShape),
  replyTo: alsoSpelt(optional(t.String({ maxLength: 1000 }), "An address, or `Name <address>`."), SPELLINGS.replyTo),
  ...writtenOptions,
  ...labelFields("For finding its emails, with those of the request"),
};
const example = {
  name: "Receipt",
  subject: "Your order {{ order.number }}",
  body: '<p>Hello {{ name ?? "there" }}, thank you for your order.</p>',
  type: "TRANSACTIONAL",
  from: "shop@example.test",
};
const creation = t.Object(
  {
    name: recordNameShape,
    subject: subjectShape,
    body: alsoSpelt(body, SPELLINGS.body),
    type: templateTypeShape,
    ...options,
  },
  { examples: [example] },
);
const change = t.Object(
  {
    name: optional(recordNameShape),
    subject: optional(subjectShape),
    body: alsoSpelt(optional(body), SPELLINGS.body),
    type: optional(templateTypeShape),
    ...options,
    ifUpdatedAt: ifUpdatedAtShape,
  },
  { examples: [{ subject: "Order {{ order.number }}" }] },
);
const listing = t.Object({
  ...pageShape,
  limit: parameter(wholeNumber(1, 100), "Another name for `pageSize`."),
  cursor: parameter(
    t.String({ maxLength: 100 }),
    "The `cursor` of the page before. Pages go on in its size, and `page` is left out.",
  ),
  type: parameter(templateTypeShape, "Only templates of this type."),
  search: parameter(t.String({ maxLength: 200 }), "Part of the name, in any case."),
});

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
        answers: { 201: templateShape },
        permission: "templates.write",
        body: creation,
        refuses: ["DOMAIN_NOT_ALLOWED", "CONFLICT"],
      },
      async (tx, { body, caller }) => templateRecord(await createTemplate(tx, caller, noted(body)), caller.workspaceId),
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
        answers: { 200: templateShape },
        permission: "read",
        refuses: found,
      },
      async (reader, { params, caller }) =>
        templateRecord(await findTemplate(reader, caller.workspace, params.id), caller.workspaceId),
    ),
    uses,
    alias(uses, "GET", "/templates/:id/usage", "getTemplateUsage"),
    post(
      "/templates/:id/duplicate",
      {
        name: "duplicateTemplate",
        summary: "Copy a template",
        answers: { 201: templateShape },
        permission: "templates.write",
        refuses: [...found, "DOMAIN_NOT_ALLOWED"],
      },
      async (tx, { params, caller }) =>
        templateRecord(await duplicateTemplate(tx, caller, params.id), caller.workspaceId),
    ),
    patch(
      "/templates/:id",
      {
        name: "updateTemplate",
        summary: "Update a template",
        answers: { 200: templateShape },
        permission: "templates.write",
        body: change,
        refuses: [...found, "DOMAIN_NOT_ALLOWED", "CONFLICT"],
      },
      async (tx, { params, body, caller }) =>
        templateRecord(await changeTemplate(tx, caller, params.id, noted(body)), caller.workspaceId),
    ),
    post(
      "/templates/:id/publish",
      {
        name: "publishTemplate",
        summary: "Send what a template says now",
        answers: { 200: templateShape },
        permission: "templates.write",
        refuses: [...found, "DOMAIN_NOT_ALLOWED"],
        description: "Until then a template with `publishManually` is sent as it was when it was published last.",
      },
      async (tx, { params, caller }) =>
        templateRecord(await publishTemplate(tx, caller, params.id), caller.workspaceId),
    ),
    post(
      "/templates/:id/versions/:versionId/restore",
      {
        name: "restoreTemplateVersion",
        summary: "Have a template say again what it said in a version",
        answers: { 200: templateShape },
        permission: "templates.write",
        body: restoreShape,
        refuses: [...found, "VERSION_NOT_FOUND", "DOMAIN_NOT_ALLOWED", "CONFLICT"],
        description: "Its name, description and type stay.",
      },
      async (tx, { params, body, caller }) =>
        templateRecord(await restoreTemplate(tx, caller, params, body), caller.workspaceId),
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

async function ownerOf(reader: Reader, { workspace }: Caller, id: string) {
  return { template: (await findTemplate(reader, workspace, id)).seq };
}
