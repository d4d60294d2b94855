// Turns shapes into the JSON Schema of OpenAPI 3.1: named shapes become components, each kind of value has its usual
// spelling.
import type { TSchema } from "elysia";
import { described } from "../schemas.ts";
import type { SchemaJson } from "./document.ts";

/** Collects the shapes that have a `title` (or an `$id`) while it writes; each is kept once, under that name. */
export class JsonSchemas {
  readonly named: Record<string, SchemaJson> = {};
  readonly #written = new Map<string, TSchema>();
  readonly #names = new Map<string, string>();

  /** `schema` as JSON Schema, or a reference to it. Throws if two shapes have one name. */
  of(given: TSchema): SchemaJson {
    const schema = described(given);
    const name = schema.title ?? schema.$id;
    if (name === undefined) return this.#body(schema);
    const written = this.#written.get(name);
    if (written && written !== schema && JSON.stringify(written) !== JSON.stringify(schema))
      throw new Error(`Two shapes are called ${name}.`);
    if (!written) this.#name(name, schema);
    return reference(name);
  }

  #name(name: string, schema: TSchema): void {
    this.#written.set(name, schema);
    if (schema.$id) this.#names.set(schema.$id, name);
    this.named[name] = this.#body(schema);
  }

  #body(schema: TSchema): SchemaJson {
    const { title: _, $id: __, spellings: ___, ...plain } = schema;
    if (plain.$ref) return reference(this.#names.get(plain.$ref) ?? plain.$ref);
    if (plain.anyOf && plain["discriminator"]) return this.#byWord(plain.anyOf, plain["discriminator"]);
    if (plain.anyOf) return this.#choice(flat(plain.anyOf), without(plain, "anyOf"));
    if (plain.multipleOf === 1) return { ...without(plain, "multipleOf"), type: "integer" };
    if (plain.patternProperties) return this.#record(plain.patternProperties);
    if (plain.items) return { ...plain, items: this.of(plain.items) };
    if (plain.properties) return { ...plain, properties: this.#each(plain.properties) };
    return { ...plain };
  }

  /** Words become an enum, and null another type, where that is equivalent. */
  #choice(choices: readonly TSchema[], rest: SchemaJson): SchemaJson {
    const words = choices.filter(isWord).map((choice) => choice.const as string);
    const others = choices.filter((choice) => !isWord(choice) && !isNull(choice));
    const written = others.map((choice) => this.of(choice));
    if (words.length > 0) written.unshift({ type: "string", enum: words });
    const [only] = written;
    const canBeNull = choices.some(isNull);
    if (only && written.length === 1) return { ...rest, ...(canBeNull ? orNull(only) : only) };
    return { ...rest, anyOf: canBeNull ? [...written, { type: "null" }] : written };
  }

  /** One of several objects, told apart by the word in one of their fields. */
  #byWord(choices: readonly TSchema[], field: string): SchemaJson {
    const oneOf = choices.map((choice) => this.of(choice));
    const words = choices.map((choice) => choice["properties"][field].const as string);
    const mapping = Object.fromEntries(words.map((word, at) => [word, oneOf[at]?.$ref ?? ""]));
    return { oneOf, ...(oneOf[0]?.$ref ? { discriminator: { propertyName: field, mapping } } : {}) };
  }

  #record(byPattern: Readonly<Record<string, TSchema>>): SchemaJson {
    return { type: "object", additionalProperties: this.of(Object.values(byPattern)[0] as TSchema) };
  }

  #each(shapes: Readonly<Record<string, TSchema>>): Record<string, SchemaJson> {
    return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, this.of(shape)]));
  }
}

function reference(name: string): SchemaJson {
  return { $ref: `#/components/schemas/${name}` };
}

function flat(choices: readonly TSchema[]): TSchema[] {
  const isPlain = ({ anyOf, title, discriminator }: TSchema) => anyOf && !title && !discriminator;
  return choices.map(described).flatMap((choice) => (isPlain(choice) ? flat(choice.anyOf) : [choice]));
}

function isWord({ const: word }: TSchema): boolean {
  return typeof word === "string";
}

function isNull({ type }: TSchema): boolean {
  return type === "null";
}

function orNull(schema: SchemaJson): SchemaJson {
  if (typeof schema.type !== "string") return { anyOf: [schema, { type: "null" }] };
  const words = schema.enum ? { enum: [...schema.enum, null] } : {};
  return { ...schema, type: [schema.type, "null"], ...words };
}

function without(schema: object, name: string): SchemaJson {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name));
}
