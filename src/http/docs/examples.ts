// Examples of answers, made from their schemas: the value of a field follows from its format or its name.
import type { SchemaJson } from "./document.ts";

const ID = "0199a3b4-6a2b-7c3d-8e4f-5a6b7c8d9e0f";
const TIME = "2026-03-01T09:00:00.000Z";

/** By the name of the field; a nullable field that is missing here is null. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  body: "<p>Hello {{ name }}, thank you.</p>",
  branch: "yes",
  config: {},
  contactId: ID,
  contentType: "application/pdf",
  context: { plan: "pro" },
  cursor: null,
  data: { name: "Ada", plan: "pro" },
  domain: "example.com",
  email: "ada@example.com",
  event: { plan: "pro" },
  eventName: "order.placed",
  field: "data.plan",
  filename: "invoice.pdf",
  from: "shop@example.com",
  fromName: "Shop",
  hasMore: false,
  html: "<p>Hello Ada, thank you.</p>",
  isUpdate: false,
  language: "en",
  message: "The campaign is cancelled.",
  messageId: "<0199a3b4@example.com>",
  name: "Spring news",
  number: 1,
  page: 1,
  pageSize: 20,
  paused: false,
  progress: 0,
  public: "pk_…",
  returnPath: "b+0199a3b4@bounces.example.com",
  secret: "sk_…",
  selector: "ph1",
  slug: "pro-users",
  status: "ok",
  subject: "Your order",
  text: "Hello Ada, thank you.",
  to: "ada@example.com",
  total: 1,
  totalPages: 1,
  totalRows: 1,
  value: "pro",
  what: "sent",
};

/** Lists that are mostly empty. */
const EMPTY: ReadonlySet<string> = new Set(
  "attempts errors incomingTransitions missing outgoingTransitions reasons stops warnings".split(" "),
);

const BY_FORMAT: Readonly<Record<string, string>> = {
  uuid: ID,
  "date-time": TIME,
  email: "ada@example.com",
  "idn-email": "ada@example.com",
};

const TEXTS: Readonly<Record<string, string>> = {
  "text/csv": "email,subscribed,plan\nada@example.com,true,pro\n",
  "text/html": "<!doctype html><title>Your choices</title>",
  "text/plain": "This link is not valid.\n",
  "message/rfc822": "From: shop@example.com\r\nTo: ada@example.com\r\nSubject: Your order\r\n\r\nThank you.\r\n",
  "image/gif": "GIF89a…",
  "application/octet-stream": "%PDF-1.7…",
};

export function exampleText(type: string): string {
  return TEXTS[type] ?? "…";
}

type NamedSchemas = Readonly<Record<string, SchemaJson>>;

/** `named`: the targets of references. */
export function exampleOf(schema: SchemaJson, named: NamedSchemas, name = ""): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.$ref) return exampleOf(named[schema.$ref.split("/").at(-1) ?? ""] ?? {}, named, name);
  if (schema.const !== undefined) return schema.const;
  const choices = schema.anyOf ?? schema.oneOf;
  if (canBeNull(schema)) return valueFor(schema, name, null);
  if (schema.format) return BY_FORMAT[schema.format] ?? "…";
  if (choices) return exampleOf(choices[0] ?? {}, named, name);
  if (schema.enum) return schema.enum[0];
  if (schema.items) return EMPTY.has(name) ? [] : [exampleOf(schema.items, named, name)];
  if (schema.properties) return objectOf(schema, named);
  return valueFor(schema, name, otherwise(schema));
}

function objectOf({ properties = {} }: SchemaJson, named: NamedSchemas): object {
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field, named, name)]));
}

function canBeNull({ type, anyOf = [] }: SchemaJson): boolean {
  return [type].flat().includes("null") || anyOf.some((choice) => choice.type === "null");
}

/** The value for the field's name, if it has the field's type. */
function valueFor(schema: SchemaJson, name: string, otherwise: unknown): unknown {
  const value = BY_NAME[name];
  const types = [schema.type ?? []].flat();
  const type = typeof value === "number" ? "integer" : typeof value;
  return value !== undefined && types.includes(type) ? value : otherwise;
}

function otherwise({ type, minimum }: SchemaJson): unknown {
  if (type === "integer" || type === "number") return minimum ?? 1;
  if (type === "boolean") return true;
  if (type === "object") return {};
  return type === "string" ? "…" : null;
}
