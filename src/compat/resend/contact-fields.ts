// A contact in Resend's fields: its names and properties are data of ours (docs/compat.md).
import type { contactShape } from "../../contacts/record.ts";
import { ignoredIn, nameIgnored, objectIn, type Fields, type Known } from "../fields.ts";
import type { Asked } from "../own-calls.ts";

export type Shown = typeof contactShape.static;

const NAMES = ["first_name", "last_name"] as const;
const CHANGE: Known = {
  taken: ["unsubscribed", "properties", ...NAMES],
  refused: { topics: "Posthorn has no topics: put the contact in a segment." },
};

/** What PATCH /contacts/{id} takes. `more`: the fields that the call reads besides. */
export function contactFrom({ body, set }: Asked, more: readonly string[] = []) {
  const given = objectIn("request", body);
  nameIgnored(set.headers, ignoredIn(given, { ...CHANGE, taken: [...CHANGE.taken, ...more] }));
  const { unsubscribed, properties } = given;
  const names = Object.fromEntries(NAMES.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])));
  const data = { ...(properties == null ? {} : objectIn("properties", properties)), ...names };
  return { subscribed: typeof unsubscribed === "boolean" ? !unsubscribed : unsubscribed, data };
}

/** A contact that has yet to confirm gets as little marketing email as one that has unsubscribed. */
export function contactRecord({ id, email, subscribed, status, data, createdAt }: Omit<Shown, "projectId">) {
  const nameIn = (name: string) => (typeof data[name] === "string" ? data[name] : null);
  return {
    id,
    email,
    first_name: nameIn("first_name"),
    last_name: nameIn("last_name"),
    created_at: createdAt,
    unsubscribed: !subscribed || status === "PENDING",
  };
}

/** Its properties are texts and numbers: lists and objects are left out. */
export function propertiesIn(data: Fields): Fields {
  const named = Object.entries(data).filter(([name]) => !(NAMES as readonly string[]).includes(name));
  const simple = named.filter(([, value]) => ["string", "number", "boolean"].includes(typeof value));
  return Object.fromEntries(simple.map(([name, value]) => [name, propertyOf(value)]));
}

function propertyOf(value: unknown) {
  return typeof value === "number" ? { type: "number", value } : { type: "string", value: String(value) };
}
