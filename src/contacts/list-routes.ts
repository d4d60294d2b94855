// Many contacts at once: GET /contacts, GET /contacts/fields and POST /contacts/lookup (interface.md, interface-gaps.md §3).
import { Elysia, t } from "elysia";
import { countShape, nullable, oneOf } from "../http/answer-shapes.ts";
import { answers } from "../http/answers.ts";
import { jsonAnswer } from "../http/json-answer.ts";
import { addressShape, wholeNumber } from "../http/schemas.ts";
import { asBody, asQuery } from "../http/shape.ts";
import { secretKey, type Access } from "../workspaces/auth.ts";
import { contactFields } from "./fields.ts";
import { listContacts, type ListWish } from "./list.ts";
import { lookUp } from "./lookup.ts";
import { contactRecord, contactShape } from "./record.ts";

const DEFAULT_LIMIT = 20;
const DEFAULT_SORT = "createdAt";

const listing = t.Object({
  limit: t.Optional(wholeNumber(1, 100, DEFAULT_LIMIT)),
  cursor: t.Optional(
    t.String({ maxLength: 1000, description: "From the page before; its sort and dir must be the same." }),
  ),
  subscribed: t.Optional(t.Boolean()),
  search: t.Optional(t.String({ maxLength: 320, description: "Part of the address, in any case." })),
  sort: t.Optional({ ...oneOf("createdAt", "email"), default: DEFAULT_SORT }),
  dir: t.Optional({ ...oneOf("asc", "desc"), description: "Unless given, `asc` by email and `desc` by createdAt." }),
});

const page = t.Object({
  data: t.Array(contactShape),
  cursor: nullable(t.String({ description: "Of the next page; null on the last." })),
  hasMore: t.Boolean(),
  total: t.Optional({ ...countShape, description: "On the first page only." }),
});

const named = t.Object(
  { emails: t.Array(addressShape, { minItems: 1, maxItems: 500 }) },
  { examples: [{ emails: ["ada@example.com", "nobody@example.com"] }] },
);

const fieldShape = t.Object({
  field: t.String({ description: "A field of the record, or `data.` and a key." }),
  type: oneOf("string", "number", "boolean", "date", "object"),
  coverage: t.Number({ minimum: 0, maximum: 100, description: "Percent of the contacts that have it." }),
});

const fieldList = t.Object({ fields: t.Array(fieldShape), count: countShape });

const known = t.Object({ found: t.Array(contactShape), notFound: t.Array(t.String()) });

export function contactListRoutes(access: Access) {
  const { store } = access;
  return new Elysia({ prefix: "/contacts" })
    .use(secretKey(access))
    .get(
      "",
      async ({ query, caller, set }) => {
        const { contacts, cursor, total } = await listContacts(store, caller, wishOf(query));
        const counted = total === null ? "" : `,"total":${total}`;
        const rest = `],"cursor":${JSON.stringify(cursor)},"hasMore":${cursor !== null}${counted}}`;
        return jsonAnswer([`{"data":[`, contacts, rest], set);
      },
      {
        query: asQuery(listing),
        detail: answers("List contacts, newest first", { 200: page }),
      },
    )
    .get(
      "/fields",
      async ({ caller: { workspace } }) => {
        const fields = await contactFields(store, workspace);
        return { fields, count: fields.length };
      },
      {
        detail: answers(
          "What contacts have",
          { 200: fieldList },
          { description: "Of more than 5,000 contacts, as many are looked at, from the oldest to the newest." },
        ),
      },
    )
    .post(
      "/lookup",
      async ({ body, caller: { workspace, workspaceId } }) => {
        const { found, notFound } = await store.read((reader) => lookUp(reader, workspace, body.emails));
        return { found: found.map((contact) => contactRecord(contact, workspaceId)), notFound };
      },
      {
        body: asBody(named),
        detail: answers(
          "Look up to 500 contacts up by their addresses",
          { 200: known },
          { harmless: true, description: "Both lists are in the order asked for, without repetitions." },
        ),
      },
    );
}

function wishOf({ limit, cursor, subscribed, search, sort = DEFAULT_SORT, dir }: typeof listing.static): ListWish {
  return {
    limit: limit ?? DEFAULT_LIMIT,
    cursor: cursor ?? null,
    subscribed: subscribed ?? null,
    search: search ?? "",
    sort,
    dir: dir ?? (sort === "email" ? "asc" : "desc"),
  };
}
