// From the shapes that check to JSON Schema as OpenAPI 3.1 has it: named shapes apart, each kind of value in its usual spelling.
import type { TSchema } from "elysia";

export type Json = { readonly [name: string]: unknown };

/** Collects the shapes that have a `title` while it writes; each stands once, under its title. */
export class JsonSchemas {
  readonly named: Record<string, Json> = {};
  readonly #written = new Map<string, TSchema>();
  readonly #titles = new Map<string, string>();

  /** `schema` as JSON Schema, or a reference to where it stands. Throws if two shapes have one title. */
  of(schema: TSchema): Json {
    const name = schema.title;
    if (name === undefined) return this.#body(schema);
    const written = this.#written.get(name);
    if (written && written !== schema && JSON.stringify(written) !== JSON.stringify(schema))
      throw new Error(`Two shapes have the title ${name}.`);
    if (!written) this.#name(name, schema);
    return reference(name);
  }

  #name(name: string, schema: TSchema): void {
    this.#written.set(name, schema);
    if (schema.$id) this.#titles.set(schema.$id, name);
    this.named[name] = this.#body(schema);
  }

  #body(schema: TSchema): Json {
    const { title: _, $id: __, ...plain } = schema;
    if (plain.$ref) return reference(this.#titles.get(plain.$ref) ?? plain.$ref);
    if (plain.anyOf) return this.#choice(flat(plain.anyOf), plain);
    if (plain.multipleOf === 1) return { ...without(plain, "multipleOf"), type: "integer" };
    if (plain.patternProperties) return { type: "object", additionalProperties: this.#first(plain.patternProperties) };
    if (plain.items) return { ...plain, items: this.of(plain.items) };
    if (plain.properties) return { ...plain, properties: this.#each(plain.properties) };
    return { ...plain };
  }

  /** Words become an enum, and null another type, where that says the same. */
  #choice(choices: readonly TSchema[], { anyOf: _, ...rest }: Json): Json {
    const words = choices.filter(isWord).map((choice) => choice.const as string);
    const others = choices.filter((choice) => !isWord(choice) && choice.type !== "null");
    const canBeNull = choices.some(({ type }) => type === "null");
    const written = others.map((choice) => this.of(choice));
    if (words.length > 0) written.unshift({ type: "string", enum: words });
    const [only] = written;
    if (only && written.length === 1) return { ...rest, ...(canBeNull ? orNull(only) : only) };
    return { ...rest, anyOf: canBeNull ? [...written, { type: "null" }] : written };
  }

  #first(shapes: Readonly<Record<string, TSchema>>): Json {
    return this.of(Object.values(shapes)[0] as TSchema);
  }

  #each(shapes: Readonly<Record<string, TSchema>>): Json {
    return Object.fromEntries(Object.entries(shapes).map(([name, shape]) => [name, this.of(shape)]));
  }
}

function reference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function flat(choices: readonly TSchema[]): TSchema[] {
  return choices.flatMap((choice) => (choice.anyOf && !choice.title ? flat(choice.anyOf) : [choice]));
}

function isWord({ const: word }: TSchema): boolean {
  return typeof word === "string";
}

function orNull(schema: Json): Json {
  if (typeof schema.type !== "string") return { anyOf: [schema, { type: "null" }] };
  const words = schema.enum ? { enum: [...(schema.enum as string[]), null] } : {};
  return { ...schema, type: [schema.type, "null"], ...words };
}

function without(schema: Json, name: string): Json {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name));
}
