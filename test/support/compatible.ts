// Whether callers of an older interface are at home in a newer one: both as OpenAPI documents. What is asked for may
// only become less, and what is answered only more (docs/operate/upgrade.md#what-is-promised). The rules are those of
// oasdiff, which is a program of Go; no maintained package for npm has them.
import type { Json } from "./posthorn.ts";

/** What a caller of `before` would trip over in `after`, each with its place. */
export function breaksIn(before: Json, after: Json): string[] {
  return new Comparison(before, after).breaks();
}

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
/** Of a request: a larger minimum, or a smaller maximum, refuses what was taken. */
const LEAST = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"] as const;
const MOST = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"] as const;

class Comparison {
  readonly #found: string[] = [];
  /** Schemas that refer to themselves are followed once in each direction. */
  readonly #seen = { request: new Map<Json, Set<Json>>(), answer: new Map<Json, Set<Json>>() };

  constructor(
    private readonly before: Json,
    private readonly after: Json,
  ) {}

  breaks(): string[] {
    for (const [path, calls] of Object.entries<Json>(this.before.paths))
      for (const method of METHODS) if (calls[method]) this.#call(`${method.toUpperCase()} ${path}`, path, method);
    return this.#found;
  }

  #call(place: string, path: string, method: string): void {
    const [was, is] = [this.before.paths[path][method], this.after.paths[path]?.[method]];
    if (!is) return this.#say(place, "is gone");
    this.#parameters(place, was, is);
    const taken = resolved(this.before, was.requestBody) ?? {};
    const takenNow = resolved(this.after, is.requestBody) ?? {};
    if (!taken.required && takenNow.required) this.#say(`${place} body`, "has become required");
    for (const [type, { schema }] of Object.entries<Json>(taken.content ?? {})) {
      const now = takenNow.content?.[type];
      if (!now) this.#say(`${place} body`, `is no longer taken as ${type}`);
      else this.#request(`${place} body`, schema, now.schema);
    }
    for (const [status, answer] of Object.entries<Json>(was.responses)) {
      if (!status.startsWith("2")) continue;
      const now = resolved(this.after, is.responses[status]);
      if (!now) this.#say(place, `no longer answers ${status}`);
      for (const [type, { schema }] of Object.entries<Json>(resolved(this.before, answer).content ?? {})) {
        if (!now?.content?.[type]) this.#say(`${place} ${status}`, `is no longer answered as ${type}`);
        else this.#answer(`${place} ${status}`, schema, now.content[type].schema);
      }
    }
  }

  #parameters(place: string, was: Json, is: Json): void {
    const of = (document: Json, operation: Json): Json[] =>
      (operation.parameters ?? []).map((one: Json) => resolved(document, one));
    const [old, now] = [of(this.before, was), of(this.after, is)];
    const same = (one: Json, list: Json[]) => list.find(({ name, in: where }) => name === one.name && where === one.in);
    for (const one of old) {
      const found = same(one, now);
      if (!found) this.#say(`${place} ${one.in} ${one.name}`, "is gone");
      else this.#request(`${place} ${one.in} ${one.name}`, one.schema, found.schema);
      if (found?.required && !one.required) this.#say(`${place} ${one.in} ${one.name}`, "has become required");
    }
    for (const one of now)
      if (one.required && !same(one, old)) this.#say(`${place} ${one.in} ${one.name}`, "is new and required");
  }

  /** What was taken is taken. */
  #request(place: string, old: Json, now: Json): void {
    const [was, is] = this.#pair("request", old, now);
    if (!was || !is) return;
    const lost = typesOf(this.before, was).filter((type) => !accepts(typesOf(this.after, is), type));
    if (lost.length > 0) this.#say(place, `no longer takes ${lost.join(", ")}`);
    const refused = valuesOf(this.before, was).filter((value) => {
      const known = valuesOf(this.after, is);
      return known.length > 0 && !known.includes(value);
    });
    if (refused.length > 0) this.#say(place, `no longer takes ${refused.join(", ")}`);
    for (const word of LEAST)
      if ((is[word] ?? -Infinity) > (was[word] ?? -Infinity)) this.#say(place, `has a larger ${word}`);
    for (const word of MOST)
      if ((is[word] ?? Infinity) < (was[word] ?? Infinity)) this.#say(place, `has a smaller ${word}`);
    for (const [name, field] of Object.entries<Json>(was.properties ?? {})) {
      const found = is.properties?.[name];
      if (found) this.#request(`${place}.${name}`, field, found);
      else if (is.properties || is.additionalProperties === false) this.#say(`${place}.${name}`, "is gone");
    }
    for (const name of is.required ?? [])
      if (!(was.required ?? []).includes(name)) this.#say(`${place}.${name}`, "has become required");
    if (was.items && is.items) this.#request(`${place}[]`, was.items, is.items);
  }

  /** What was answered is answered. */
  #answer(place: string, old: Json, now: Json): void {
    const [was, is] = this.#pair("answer", old, now);
    if (!was || !is) return;
    const fresh = typesOf(this.after, is).filter((type) => !accepts(typesOf(this.before, was), type));
    if (fresh.length > 0) this.#say(place, `may be ${fresh.join(", ")}`);
    for (const [name, field] of Object.entries<Json>(was.properties ?? {})) {
      const found = is.properties?.[name];
      if (!found) this.#say(`${place}.${name}`, "is gone");
      else this.#answer(`${place}.${name}`, field, found);
      if (found && (was.required ?? []).includes(name) && !(is.required ?? []).includes(name))
        this.#say(`${place}.${name}`, "may be missing");
    }
    if (was.items && is.items) this.#answer(`${place}[]`, was.items, is.items);
  }

  #pair(kind: "request" | "answer", old: Json, now: Json): readonly [Json, Json] | readonly [null, null] {
    const [was, is] = [objectOf(this.before, old), objectOf(this.after, now)];
    const others = this.#seen[kind].get(was.schema) ?? new Set();
    if (others.has(is.schema)) return [null, null];
    this.#seen[kind].set(was.schema, others.add(is.schema));
    return [
      { ...was.schema, isNullable: was.isNullable },
      { ...is.schema, isNullable: is.isNullable },
    ];
  }

  #say(place: string, what: string): void {
    this.#found.push(`${place} ${what}`);
  }
}

function resolved(document: Json, value: Json): Json {
  if (typeof value?.$ref !== "string") return value;
  return resolved(
    document,
    value.$ref
      .slice(2)
      .split("/")
      .reduce((at: Json, part: string) => at[part], document),
  );
}

/** Of a choice with null, what is not null. */
function objectOf(document: Json, schema: Json): { readonly schema: Json; readonly isNullable: boolean } {
  const whole = resolved(document, schema);
  const choices = (whole?.anyOf ?? whole?.oneOf ?? []).map((one: Json) => resolved(document, one));
  const some = choices.filter((one: Json) => one.type !== "null");
  return some.length === 1 && choices.length > 1
    ? { schema: some[0], isNullable: true }
    : { schema: whole ?? {}, isNullable: false };
}

function choicesOf(document: Json, schema: Json): Json[] {
  const whole = resolved(document, schema) ?? {};
  const choices: Json[] | undefined = whole.anyOf ?? whole.oneOf;
  return choices ? choices.flatMap((one) => choicesOf(document, one)) : [whole];
}

function typesOf(document: Json, schema: Json): string[] {
  const nullable = schema.isNullable ? ["null"] : [];
  const types = choicesOf(document, schema).flatMap(
    (one) => one.type ?? (one.const === undefined ? "any" : typeof one.const),
  );
  return [...new Set<string>([...types, ...nullable])];
}

function accepts(types: readonly string[], type: string): boolean {
  return types.includes(type) || types.includes("any") || (type === "integer" && types.includes("number"));
}

function valuesOf(document: Json, schema: Json): unknown[] {
  return choicesOf(document, schema).flatMap((one) => one.enum ?? (one.const === undefined ? [] : [one.const]));
}
