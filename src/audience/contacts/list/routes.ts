// Finding contacts: GET /contacts, GET /contacts/by-email/{address}, GET /contacts/fields and POST /contacts/lookup.
import { t } from "elysia";
import { parseAddress } from "../../../base/addresses.ts";
import { AppError } from "../../../base/errors.ts";
import { countShape, idShape, nullable, oneOf } from "../../../http/answer-shapes.ts";
import { jsonAnswer } from "../../../http/json-answer.ts";
import { momentIn } from "../../../http/moment-in.ts";
import { addressShape, idInputShape, parameter, timeInputShape, wholeNumber } from "../../../http/schemas.ts";

import type { Reader } from "../../../store/store.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { get, queryPost, route, routes } from "../../../tenant/access/route-table.ts";
import { sayingOf } from "../../topics/choice.ts";
import { sayingShape, topicKeyShape } from "../../topics/record.ts";
import { contactByAddress, type Contact } from "../queries.ts";
import { isMerged } from "../former-queries.ts";
import { contactRecord, contactShape, importedShape, standingShape } from "../record.ts";
import type { SegmentHooks } from "../selection-queries.ts";
import { fieldsAndKeys, valuesOf } from "./fields.ts";
import { listContacts, lookUp, MOST_COUNTED, type ListInput } from "./list.ts";
import type { InSegment } from "./queries.ts";

const DEFAULT_LIMIT = 20;
const DEFAULT_SORT = "createdAt";

const listing = t.Object({
  limit: parameter(wholeNumber(1, 100, DEFAULT_LIMIT), "How many contacts a page has at most."),
  cursor: parameter(
    t.String({ maxLength: 1000 }),
    "The `cursor` of the page before; `sort` and `dir` must be the same as there.",
  ),
  subscribed: parameter(t.Boolean(), "Only contacts that are subscribed, or only those that are not."),
  status: parameter(
    standingShape,
    "Only those who are subscribed, have unsubscribed (or never were), have yet to confirm, or have bounced or complained. Each contact has one of these.",
  ),
  segmentId: parameter(idInputShape, "Only members of this segment."),
  since: parameter(timeInputShape, "Only contacts that were created then or later."),
  importId: parameter(idInputShape, "Only contacts that this import added or found, as long as it can be undone."),
  imported: parameter(importedShape, "With `importId`: only those that it added, or only those that it found."),
  topic: parameter(topicKeyShape, "With `choice`: only those who say so of the topic with this key."),
  choice: parameter(sayingShape, "With `topic`: `unsaid` are those who have said nothing of it."),
  search: parameter(
    t.String({ maxLength: 320 }),
    "Parts of the address, of the names or of the fields that the workspace searches (`searchFields`), in any case; each word has to be found.",
  ),
  sort: parameter({ ...oneOf("createdAt", "email"), default: DEFAULT_SORT }, "What the list is ordered by."),
  dir: parameter(oneOf("asc", "desc"), "Unless given, `asc` by `email` and `desc` by `createdAt`."),
});

const pageShape = t.Object(
  {
    data: t.Array(contactShape),
    cursor: nullable(t.String({ description: "Of the next page; null on the last." })),
    hasMore: t.Boolean(),
    total: t.Optional({ ...countShape, description: "On the first page only." }),
    totalIsLeast: t.Optional(
      t.Boolean({ description: `True: a search finds more than the ${MOST_COUNTED} that \`total\` has.` }),
    ),
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

const awkwardShape = t.Object(
  {
    key: t.String(),
    plain: t.String({ description: "What it could be called." }),
    coverage: fieldShape.properties.coverage,
  },
  { description: "A key that segments, conditions and emails cannot name, or only in quotes." },
);

export type ListHooks = SegmentHooks & {
  /** The number of a segment with stored members; null = its condition decides. @throws AppError SEGMENT_NOT_FOUND */
  readonly keptSegment: (reader: Reader, workspace: number, id: string) => Promise<number | null>;
};

export function contactListRoutes(access: Access, { segmentCondition, keptSegment, catchUp }: ListHooks) {
  const { store } = access;
  const segment = async (workspace: number, id: string | undefined) => {
    if (id === undefined) return null;
    await catchUp(workspace);
    return store.read(async (reader): Promise<InSegment> => {
      const kept = await keptSegment(reader, workspace, id);
      return kept === null ? { condition: await segmentCondition(reader, workspace, id) } : { kept };
    });
  };
  return routes(access, [
    route(
      "GET",
      "/contacts",
      {
        name: "listContacts",
        summary: "List contacts, newest first",
        answers: { 200: pageShape },
        permission: "read",
        query: listing,
        refuses: ["SEGMENT_NOT_FOUND"],
      },
      async ({ query, caller, set }) => {
        const saying = sayingOf(query, caller.topics);
        const input = { ...inputOf(query), saying, inSegment: await segment(caller.workspace, query.segmentId) };
        const { contacts, cursor, total, isLeast } = await listContacts(store, caller, input);
        const counted = total === null ? "" : `,"total":${total}${isLeast ? `,"totalIsLeast":true` : ""}`;
        const rest = `],"cursor":${JSON.stringify(cursor)},"hasMore":${cursor !== null}${counted}}`;
        return jsonAnswer([`{"data":[`, contacts, rest], set);
      },
    ),
    get(
      "/contacts/by-email/:address",
      {
        name: "getContactByEmail",
        summary: "Get a contact by its address",
        answers: { 200: contactShape },
        permission: "read",
        refuses: ["CONTACT_NOT_FOUND"],
      },
      async (reader, { params, caller }) => {
        const address = parseAddress(params.address);
        return contactRecord(await presentAt(reader, caller.workspace, address), caller);
      },
    ),
    route(
      "GET",
      "/contacts/fields",
      {
        name: "listContactFields",
        summary: "List the fields that contacts have",
        answers: {
          200: t.Object({
            fields: t.Array(fieldShape),
            count: countShape,
            notPlain: t.Optional(t.Array(awkwardShape)),
          }),
        },
        permission: "read",
        description:
          "If there are more than 5,000 contacts, a sample of 5,000 from the oldest to the newest is examined.",
      },
      async ({ caller }) => {
        const { fields, notPlain } = await fieldsAndKeys(store, caller.workspace);
        // Like warnings: absent if there are none.
        return { fields, count: fields.length, ...(notPlain.length > 0 ? { notPlain } : {}) };
      },
    ),
    get(
      "/contacts/fields/values",
      {
        name: "listContactFieldValues",
        summary: "List the most frequent texts in a field of data",
        answers: { 200: t.Object({ values: t.Array(t.Object({ value: t.String(), contacts: countShape })) }) },
        permission: "read",
        query: t.Object({ field: t.String({ maxLength: 300, description: "Such as `data.plan`." }) }),
        description: "Up to 20 texts of up to 200 characters, among the newest 5,000 contacts.",
      },
      async (reader, { query, caller }) => ({ values: await valuesOf(reader, caller.workspace, query.field) }),
      "long",
    ),
    queryPost(
      "/contacts/lookup",
      {
        name: "lookupContacts",
        summary: "Find up to 500 contacts by address",
        answers: {
          200: t.Object({
            found: t.Array(contactShape),
            notFound: t.Array(t.String()),
            former: t.Optional(
              t.Array(t.Object({ email: t.String(), contactId: idShape }), {
                description:
                  "Former addresses among those, and which of the contacts had each; absent if there are none.",
              }),
            ),
          }),
        },
        permission: "read",
        body: named,
        harmless: true,
        description:
          "The lists keep the order of the request, without duplicates. A former address finds the contact that had it.",
      },
      async (reader, { body, caller }) => {
        const { found, notFound, former } = await lookUp(reader, caller.workspace, body.emails);
        const records = found.map((contact) => contactRecord(contact, caller));
        return { found: records, notFound, ...(former.length > 0 ? { former } : {}) };
      },
    ),
  ]);
}

function inputOf({ sort = DEFAULT_SORT, ...query }: typeof listing.static): Omit<ListInput, "inSegment" | "saying"> {
  return {
    limit: query.limit ?? DEFAULT_LIMIT,
    cursor: query.cursor ?? null,
    subscribed: query.subscribed ?? null,
    status: query.status ?? null,
    sinceMs: query.since === undefined ? null : momentIn("since", query.since),
    byImport: byImportOf(query),
    search: query.search ?? "",
    sort,
    dir: query.dir ?? (sort === "email" ? "asc" : "desc"),
  };
}

/** An `imported` without an import matches no contact. */
function byImportOf({ importId, imported }: typeof listing.static): ListInput["byImport"] {
  if (importId === undefined && imported === undefined) return null;
  return { id: importId ?? "", imported: imported ?? null };
}

/** @throws AppError CONTACT_NOT_FOUND; for a former address it names the current contact */
async function presentAt(reader: Reader, workspace: number, address: string | null): Promise<Contact> {
  const contact = address === null ? null : await contactByAddress(reader, workspace, address);
  if (contact === null || address === null)
    throw new AppError("CONTACT_NOT_FOUND", "There is no contact with this address.");
  if (contact.email === address) return contact;
  const merged = await isMerged(reader, { workspace, contact: contact.seq, address });
  const { id } = contact;
  const message = merged
    ? `The contact with this address was merged into ${id}.`
    : `The contact ${id} had this address, and has another one now.`;
  throw new AppError("CONTACT_NOT_FOUND", message, {
    reason: merged ? "merged" : "former_address",
    values: merged ? { mergedInto: id, contactId: id } : { contactId: id },
    suggestion: "Use the id of the contact that it is now: GET /contacts/{id}.",
  });
}
