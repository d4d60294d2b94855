// Many contacts at once: GET /contacts, GET /contacts/fields and POST /contacts/lookup.
import { t } from "elysia";
import { countShape, nullable, oneOf } from "../../http/answer-shapes.ts";
import { answers } from "../../http/answers.ts";
import { jsonAnswer } from "../../http/json-answer.ts";
import { addressShape, parameter, wholeNumber } from "../../http/schemas.ts";
import type { Access } from "../../workspaces/auth.ts";
import { look, route, routes } from "../../workspaces/route-table.ts";
import { contactRecord, contactShape } from "../record.ts";
import { contactFields } from "./fields.ts";
import { listContacts, lookUp, type ListInput } from "./list.ts";

const DEFAULT_LIMIT = 20;
const DEFAULT_SORT = "createdAt";

const listing = t.Object({
  limit: parameter(wholeNumber(1, 100, DEFAULT_LIMIT), "How many contacts a page has at most."),
  cursor: parameter(
    t.String({ maxLength: 1000 }),
    "The `cursor` of the page before; `sort` and `dir` must be the same as there.",
  ),
  subscribed: parameter(t.Boolean(), "Only contacts that are subscribed, or only those that are not."),
  search: parameter(t.String({ maxLength: 320 }), "Part of the address, in any case."),
  sort: parameter({ ...oneOf("createdAt", "email"), default: DEFAULT_SORT }, "What the list is ordered by."),
  dir: parameter(oneOf("asc", "desc"), "Unless given, `asc` by `email` and `desc` by `createdAt`."),
});

const pageShape = t.Object(
  {
    data: t.Array(contactShape),
    cursor: nullable(t.String({ description: "Of the next page; null on the last." })),
    hasMore: t.Boolean(),
    total: t.Optional({ ...countShape, description: "On the first page only." }),
  },
  { title: "ContactPage" },
);

const named = t.Object(
  { emails: t.Array(addressShape, { minItems: 1, maxItems: 500 }) },
  { examples: [{ emails: ["ada@example.com", "nobody@example.com"] }] },
);

const fieldShape = t.Object({
  field: t.String({ description: "A field of the record, or `data.` and a key." }),
  type: oneOf("string", "number", "boolean", "date", "object"),
  coverage: t.Number({ minimum: 0, maximum: 100, description: "Percent of the contacts that have it." }),
});

const listed = answers(
  "listContacts",
  "List contacts, newest first",
  { 200: pageShape },
  { permission: "read", query: listing },
);
const fieldsListed = answers(
  "listContactFields",
  "List the fields that contacts have",
  { 200: t.Object({ fields: t.Array(fieldShape), count: countShape }) },
  {
    permission: "read",
    description: "If there are more than 5,000 contacts, a sample of 5,000 from the oldest to the newest is examined.",
  },
);
const lookedUp = answers(
  "lookupContacts",
  "Find up to 500 contacts by address",
  { 200: t.Object({ found: t.Array(contactShape), notFound: t.Array(t.String()) }) },
  {
    permission: "read",
    body: named,
    harmless: true,
    description: "Both lists keep the order of the request, without duplicates.",
  },
);

export function contactListRoutes(access: Access) {
  const { store } = access;
  return routes(access, [
    route("GET", "/contacts", listed, async ({ query, caller, set }) => {
      const { contacts, cursor, total } = await listContacts(store, caller, inputOf(query));
      const counted = total === null ? "" : `,"total":${total}`;
      const rest = `],"cursor":${JSON.stringify(cursor)},"hasMore":${cursor !== null}${counted}}`;
      return jsonAnswer([`{"data":[`, contacts, rest], set);
    }),
    route("GET", "/contacts/fields", fieldsListed, async ({ caller }) => {
      const fields = await contactFields(store, caller.workspace);
      return { fields, count: fields.length };
    }),
    look("/contacts/lookup", lookedUp, async (reader, { body, caller }) => {
      const { found, notFound } = await lookUp(reader, caller.workspace, body.emails);
      return { found: found.map((contact) => contactRecord(contact, caller.workspaceId)), notFound };
    }),
  ]);
}

function inputOf({ limit, cursor, subscribed, search, sort = DEFAULT_SORT, dir }: typeof listing.static): ListInput {
  return {
    limit: limit ?? DEFAULT_LIMIT,
    cursor: cursor ?? null,
    subscribed: subscribed ?? null,
    search: search ?? "",
    sort,
    dir: dir ?? (sort === "email" ? "asc" : "desc"),
  };
}
