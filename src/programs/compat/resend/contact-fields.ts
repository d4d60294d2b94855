// A contact in Resend's fields: its properties are data of ours (docs/compat/resend.md).
import { nameFieldIn, namePart } from "../../../audience/contacts/search/name-fields.ts";
import type { Contact } from "../../../audience/contacts/queries.ts";
import { ignoredIn, nameIgnored, objectIn, type JsonFields, type FieldSupport } from "../fields.ts";
import type { CompatRequest } from "../own-calls.ts";

/** Its parts of a name, as ours know them. */
const NAMES = { first_name: "first", last_name: "last" } as const;
const NAME_FIELDS = Object.entries(NAMES);

const CHANGE: FieldSupport = {
  taken: ["unsubscribed", "properties", "topics", ...Object.keys(NAMES)],
  refused: {},
};

/** The change of a contact whose data is `before`. `more`: the fields that the call reads besides. */
export function contactFrom({ body, set }: CompatRequest, before: JsonFields, more: readonly string[] = []) {
  const given = objectIn("request", body);
  nameIgnored(set.headers, ignoredIn(given, { ...CHANGE, taken: [...CHANGE.taken, ...more] }));
  const { unsubscribed, properties } = given;
  // A name is written where the contact has one.
  const names = NAME_FIELDS.flatMap(([name, kind]) =>
    given[name] === undefined ? [] : [[nameFieldIn(before, kind) ?? name, given[name]] as const],
  );
  const data = { ...(properties == null ? {} : objectIn("properties", properties)), ...Object.fromEntries(names) };
  return { subscribed: typeof unsubscribed === "boolean" ? !unsubscribed : unsubscribed, data };
}

/** A contact that has yet to confirm gets as little marketing email as one that has unsubscribed. */
type ContactSummary = Pick<Contact, "id" | "email" | "subscribed" | "status" | "data" | "createdAt">;

export function contactRecord({ id, email, subscribed, status, data, createdAt }: ContactSummary) {
  return {
    id,
    email,
    first_name: namePart(data, NAMES.first_name),
    last_name: namePart(data, NAMES.last_name),
    created_at: createdAt,
    unsubscribed: !subscribed || status === "PENDING",
  };
}

/** Its properties are texts and numbers: lists and objects are left out. */
export function propertiesIn(data: JsonFields): JsonFields {
  const names = NAME_FIELDS.map(([, kind]) => nameFieldIn(data, kind));
  const others = Object.entries(data).filter(([name]) => !names.includes(name));
  const simple = others.filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  return Object.fromEntries(simple.map(([name, value]) => [name, propertyOf(value)]));
}

function propertyOf(value: unknown) {
  return typeof value === "number" ? { type: "number", value } : { type: "string", value: String(value) };
}
