// What the interface says of itself: each operation of /openapi.json, and each field of its body.
import type { Json, Posthorn } from "./posthorn.ts";
import { ask } from "./scenario.ts";

export type Operation = {
  /** `POST /contacts/{id}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
  readonly document: Json;
};

export async function documentOf(posthorn: Posthorn): Promise<Json> {
  return (await ask(posthorn, "GET /openapi.json", { key: "none" })).body;
}

export function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, verbs]) =>
    Object.entries<Json>(verbs).map(([verb, operation]) => {
      const method = verb.toUpperCase();
      return { name: `${method} ${path}`, method, path, operation, document };
    }),
  );
}

/** The example of an operation's JSON body; undefined if it takes none. */
export function exampleOf({ operation }: Operation): Json {
  return operation.requestBody?.content["application/json"]?.example;
}

/** A field of a body, as far as objects reach: `filter.search`. What is in lists is theirs. */
export type Field = { readonly path: readonly string[]; readonly schema: Json; readonly isRequired: boolean };

export function fieldsOf(one: Operation): Field[] {
  const schema = one.operation.requestBody?.content["application/json"]?.schema;
  return schema ? within(one.document, schema, { path: [], example: exampleOf(one) }) : [];
}

/** References that are nested, such as conditions, are theirs as lists are. */
function within(
  document: Json,
  given: Json,
  { path, example }: { readonly path: readonly string[]; readonly example: Json },
): Field[] {
  const schema = path.length === 0 ? meant(document, given, example) : given;
  return Object.entries<Json>(schema.properties ?? {}).flatMap(([name, inner]) => {
    const own = resolved(document, inner);
    const shown = inner.anyOf
      ? { ...inner, anyOf: inner.anyOf.map((choice: Json) => resolved(document, choice)) }
      : own;
    const field = { path: [...path, name], schema: shown, isRequired: (schema.required ?? []).includes(name) };
    return [field, ...within(document, inner, { path: field.path, example: example?.[name] })];
  });
}

/** Of several schemas, told apart by the word in a field, the one that the example has. */
function meant(document: Json, given: Json, example: Json): Json {
  const schema = resolved(document, given);
  return schema.oneOf?.find((choice: Json) => choice.properties.type.const === example.type) ?? schema;
}

/** What a reference leads to. */
export function resolved(document: Json, schema: Json): Json {
  return schema.$ref ? document.components.schemas[schema.$ref.split("/").at(-1)] : schema;
}

/** Which kinds of value the field takes; null = any. */
export function kindsOf({ schema }: Field): string[] | null {
  const kinds = (schema.anyOf ?? [schema]).flatMap((one: Json) => one.type ?? []);
  return kinds.length === 0 ? null : kinds;
}

/** The example with another value in one place. */
export function withValue(example: Json, [name = "", ...rest]: readonly string[], value: unknown): Json {
  const body = { ...example };
  body[name] = rest.length === 0 ? value : withValue(body[name] ?? {}, rest, value);
  return body;
}
