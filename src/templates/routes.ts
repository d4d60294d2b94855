// /templates (interface.md "GET /templates", interface-gaps.md §4).
import { Elysia, t } from "elysia";
import { nullable, pageShapeOf } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { answerOnce } from "../http/idempotency.ts";
import {
  idParams,
  nameShape,
  optional,
  recordNameShape,
  pageShape,
  subjectShape,
  wholeNumber,
} from "../http/schemas.ts";
import { asBody, asQuery } from "../http/shape.ts";
import { pageFrom } from "../store/page.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { nextPageToken, pageByAnyName } from "./page-token.ts";
import { countTemplates } from "./queries.ts";
import { MAX_SOURCE_CHARS } from "./render.ts";
import { templateRecord, templateShape, templateTypeShape } from "./record.ts";
import {
  changeTemplate,
  createTemplate,
  duplicateTemplate,
  findTemplate,
  removeTemplate,
  templatesOnPage,
} from "./template.ts";

const body = t.String({ minLength: 1, maxLength: MAX_SOURCE_CHARS });
const options = {
  description: optional(t.String({ maxLength: 500 })),
  text: optional(t.String({ maxLength: MAX_SOURCE_CHARS })),
  from: optional(t.String({ maxLength: 1000 }), "An address, or `Name <address>`."),
  fromName: optional(nameShape),
  replyTo: optional(t.String({ maxLength: 1000 }), "An address, or `Name <address>`."),
};
const example = {
  name: "Receipt",
  subject: "Your order {{ order.number }}",
  body: '<p>Hello {{ name ?? "there" }}, thank you for your order.</p>',
  type: "TRANSACTIONAL",
  from: "shop@example.test",
};
const creation = t.Object(
  { name: recordNameShape, subject: subjectShape, body, type: templateTypeShape, ...options },
  { examples: [example] },
);
const change = t.Object(
  {
    name: optional(recordNameShape),
    subject: optional(subjectShape),
    body: optional(body),
    type: optional(templateTypeShape),
    ...options,
  },
  { examples: [{ subject: "Order {{ order.number }}" }] },
);
const listing = t.Object({
  ...pageShape,
  limit: t.Optional({ ...wholeNumber(1, 100), description: "Another name for `pageSize`." }),
  cursor: t.Optional(
    t.String({ maxLength: 100, description: "From the page before; pages go on in its size, and `page` is left out." }),
  ),
  type: t.Optional(templateTypeShape),
  search: t.Optional(t.String({ maxLength: 200 })),
});

const page = t.Object({ ...pageShapeOf(templateShape).properties, cursor: nullable(t.String()) });
const notFound = { refuses: ["TEMPLATE_NOT_FOUND"] } as const;
/** A key that is scoped to domains keeps out of what is sent from others. */
const kept = { refuses: ["TEMPLATE_NOT_FOUND", "DOMAIN_NOT_ALLOWED"] } as const;

export function templateRoutes(access: Access) {
  const { store } = access;
  return new Elysia({ prefix: "/templates" })
    .use(secretKey(access))
    .post(
      "",
      ({ body, caller, request, set }) =>
        answerOnce(
          store,
          { body, caller, request, set },
          async (tx) => templateRecord(await createTemplate(tx, caller, body), caller.workspaceId),
          201,
        ),
      {
        body: asBody(creation),
        detail: answers("Store a template", { 201: templateShape }, { refuses: ["DOMAIN_NOT_ALLOWED"] }),
      },
    )
    .get(
      "",
      async ({ query, caller }) => {
        const filter = { workspace: caller.workspace, type: query.type ?? null, search: query.search ?? null };
        return store.read(async (reader) => {
          const page = await pageFrom(pageByAnyName(query), {
            total: () => countTemplates(reader, filter),
            items: async (...piece) =>
              (await templatesOnPage(reader, filter, ...piece)).map((row) => templateRecord(row, caller.workspaceId)),
          });
          return { ...page, cursor: nextPageToken(page) };
        });
      },
      { query: asQuery(listing), detail: answers("List templates, newest first", { 200: page }) },
    )
    .get(
      "/:id",
      async ({ params, caller }) =>
        templateRecord(
          await store.read((reader) => findTemplate(reader, caller.workspace, params.id)),
          caller.workspaceId,
        ),
      { params: idParams, detail: answers("Look at a template", { 200: templateShape }, notFound) },
    )
    .post(
      "/:id/duplicate",
      ({ params, body, caller, request, set }) =>
        answerOnce(
          store,
          { body, caller, request, set },
          async (tx) => templateRecord(await duplicateTemplate(tx, caller, params.id), caller.workspaceId),
          201,
        ),
      { params: idParams, detail: answers("Copy a template", { 201: templateShape }, kept) },
    )
    .patch(
      "/:id",
      async ({ params, body, caller }) =>
        templateRecord(await store.write((tx) => changeTemplate(tx, caller, params.id, body)), caller.workspaceId),
      {
        params: idParams,
        body: asBody(change),
        detail: answers("Change fields of a template", { 200: templateShape }, kept),
      },
    )
    .delete(
      "/:id",
      async ({ params, caller, set }) => {
        await store.write((tx) => removeTemplate(tx, caller, params.id));
        set.status = 204;
      },
      {
        params: idParams,
        detail: answers("Delete a template", { 204: null }, { refuses: [...kept.refuses, "CONFLICT"] }),
      },
    );
}
