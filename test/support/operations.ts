// What the interface says of itself: each operation of /openapi.json, and each field of its body.
import type { Json, Posthorn } from "./posthorn.ts";
import { ask } from "./scenario.ts";

export type Operation = {
  /** `POST /contacts/{id}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
};

export async function documentOf(posthorn: Posthorn): Promise<Json> {
  return (await ask(posthorn, "GET /openapi.json", { key: "none" })).body;
}

export function operationsOf(document: Json): Operation[] {
  return Object.entries<Json>(document.paths).flatMap(([path, verbs]) =>
    Object.entries<Json>(verbs).map(([verb, operation]) => {
      const method = verb.toUpperCase();
      return { name: `${method} ${path}`, method, path, operation };
    }),
  );
}

/** The example of an operation's JSON body; undefined if it takes none. */
export function exampleOf({ operation }: Operation): Json {
  return operation.requestBody?.content["application/json"]?.example;
}

/** A field of a body, as far as objects reach: `filter.search`. What is in lists is theirs. */
export type Field = { readonly path: readonly string[]; readonly schema: Json; readonly isRequired: boolean };

export function fieldsOf({ operation }: Operation): Field[] {
  return within(operation.requestBody?.content["application/json"]?.schema ?? {}, []);
}

function within(schema: Json, path: readonly string[]): Field[] {
  return Object.entries<Json>(schema.properties ?? {}).flatMap(([name, inner]) => {
    const field = { path: [...path, name], schema: inner, isRequired: (schema.required ?? []).includes(name) };
    return [field, ...within(inner, field.path)];
  });
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
