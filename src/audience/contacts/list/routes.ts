// Finding contacts: GET /contacts/by-email/{address}, GET /contacts/fields and POST /contacts/lookup.
import { t } from "elysia";
import { parseAddress } from "../../../base/addresses.ts";
import { AppError } from "../../../base/errors.ts";
import { countShape, idShape, oneOf } from "../../../http/answer-shapes.ts";
import { addressShape } from "../../../http/schemas.ts";
import type { Reader } from "../../../store/store.ts";
import type { Access } from "../../../tenant/access/auth.ts";
import { get, queryPost, route, routes } from "../../../tenant/access/route-table.ts";
import { contactByAddress, type Contact } from "../queries.ts";
import { isMerged } from "../past/former-queries.ts";
import { contactRecord, contactShape } from "../record.ts";
import { fieldsAndKeys, valuesOf } from "./fields.ts";
import { lookUp } from "./list.ts";

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

export function lookupRoutes(access: Access) {
  const { store } = access;
  return routes(access, [
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
