// Values of a schema of /openapi.json: most of them right, some of them wrong in one place, some of them anything.
import fc from "fast-check";
import { resolved } from "../support/operations.ts";
import type { Json } from "../support/posthorn.ts";
import { anything, hostileNumber, hostileText } from "./hostile.ts";

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  "idn-email": ["ada@example.com", "bob@example.com", "grüße@bücher.example"],
  email: ["ada@example.com", "bob@example.com"],
  "date-time": ["2026-03-01T10:00:00Z", "2026-03-01T10:00:00+01:00", "2030-01-01T00:00:00.000Z"],
  date: ["2026-03-01"],
  uuid: ["$0", "$1", "$2", "$3", "$4", "$5", "$6", "$7"],
  uri: ["https://example.com/x"],
};
const WORDS = [
  "Ada",
  "pro",
  "plan",
  "signup",
  "ada@example.com",
  "hello@example.test",
  "{{ name }}",
  "<p>Hi</p>",
  "$0",
  "$3",
];
const MOST_DEEP = 5;

export function valueOf(document: Json, given: Json, depth = 0): fc.Arbitrary<unknown> {
  const right = rightOf(document, resolved(document, given), depth);
  return fc.oneof({ weight: 14, arbitrary: right }, { weight: 1, arbitrary: anything });
}

function rightOf(document: Json, schema: Json, depth: number): fc.Arbitrary<unknown> {
  if (depth > MOST_DEEP) return fc.constant(null);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((one: Json) => valueOf(document, one, depth)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object") return objectOf(document, schema, depth);
  if (type === "array")
    return fc.array(schema.items ? valueOf(document, schema.items, depth + 1) : anything, { maxLength: 4 });
  return scalarOf(schema, type);
}

function scalarOf(schema: Json, type: string | undefined): fc.Arbitrary<unknown> {
  if (type === "boolean") return fc.boolean();
  if (type === "null") return fc.constant(null);
  if (type === "integer" || type === "number") {
    const edges = [schema.minimum, schema.maximum].filter((edge) => typeof edge === "number");
    const near = edges.flatMap((edge: number) => [edge - 1, edge, edge + 1]);
    return fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(1, ...near), hostileNumber);
  }
  if (type !== "string") return anything;
  const known = FORMATS[schema.format] ?? WORDS;
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: hostileText });
}

function objectOf(document: Json, schema: Json, depth: number): fc.Arbitrary<unknown> {
  const properties = Object.entries<Json>(schema.properties ?? {});
  if (properties.length === 0) return fc.dictionary(fc.constantFrom(...WORDS), anything, { maxKeys: 3 });
  const required: readonly string[] = schema.required ?? [];
  const fields = properties.map(([name, inner]) => {
    const value = valueOf(document, inner, depth + 1);
    const isThere = required.includes(name) ? 0.97 : 0.3;
    return fc
      .tuple(fc.double({ min: 0, max: 1, noNaN: true }), value)
      .map(([chance, found]): [string, unknown][] => (chance < isThere ? [[name, found]] : []));
  });
  const more = fc.oneof(
    { weight: 20, arbitrary: fc.constant<[string, unknown][]>([]) },
    { weight: 1, arbitrary: fc.tuple(hostileText, anything).map((entry): [string, unknown][] => [entry]) },
  );
  return fc.tuple(more, ...fields).map((entries) => Object.fromEntries(entries.flat()));
}
