// Holds every answer to what /openapi.json says of its route: the status, the kind of content, each field and no other;
// and to the headers that keep browsers and caches from making something else of it.
import { expect } from "bun:test";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { note } from "./notes.ts";

type Json = ReturnType<typeof JSON.parse>;
export type Answered = { readonly status: number; readonly headers: Headers; readonly body: Json };
type Documented = {
  readonly types: readonly string[];
  readonly check: (type: string) => ValidateFunction;
  /** Its schema and the example of its JSON. */
  readonly shown: { readonly schema: Json; readonly example?: Json };
};

let book: Promise<Book> | undefined;

/** `url` is a running server's: the document is the same for all and read once. */
export async function expectDocumented(url: string, method: string, path: string, reply: Answered): Promise<void> {
  if (method === "OPTIONS") return;
  book ??= readBook(url);
  (await book).check(method, path, reply);
}

async function readBook(url: string): Promise<Book> {
  return new Book((await (await fetch(`${url}/openapi.json`)).json()) as Json);
}

class Book {
  readonly #ajv = addFormats
    .default(new Ajv2020({ strict: false, allErrors: true }))
    .addFormat("idn-email", /^\S+@\S+$/);
  readonly #templates: readonly (readonly [template: string, pattern: RegExp])[];
  readonly #documented = new Map<string, Documented>();

  constructor(readonly document: Json) {
    this.#ajv.addSchema({ ...closed(document), $id: "book" });
    const templates = Object.keys(document.paths).sort((one, other) => variables(one) - variables(other));
    this.#templates = templates.map((template) => [template, patternOf(template)]);
  }

  check(method: string, path: string, { status, headers, body }: Answered): void {
    const verb = method === "HEAD" ? "get" : method.toLowerCase();
    const template = this.#templateOf(path, verb);
    const ofKey = template !== undefined && this.document.paths[template][verb].security.length > 0 && status !== 401;
    expect([method, path, headers.get("x-content-type-options")]).toEqual([method, path, "nosniff"]);
    if (ofKey) expect([method, path, headers.get("cache-control")]).toEqual([method, path, "no-store"]);
    if (template === undefined) {
      const refused = status === 405 ? [405, "METHOD_NOT_ALLOWED"] : [404, "ROUTE_NOT_FOUND"];
      expect([method, path, status, body.error?.code]).toEqual([method, path, ...refused]);
      return;
    }
    const { types, check, shown } = this.#answer(template, verb, status);
    if (status < 400) note(`${verb.toUpperCase()} ${template}`);
    const [type = ""] = (headers.get("content-type") ?? "").split(";");
    const said = types.map((one) => (one === type.replace(/\/.*/, "/*") ? type : one));
    expect([method, template, status, said]).toEqual([method, template, status, type === "" ? [] : [type]]);
    if (type !== "application/json" || method === "HEAD") return;
    const validate = check(type);
    const { warnings, ...rest } = body ?? {};
    const isWarned = this.#mayWarn(template, verb, status) && Array.isArray(warnings);
    if (validate(isWarned ? rest : body)) {
      const hidden =
        shown.example === undefined ? [] : this.#hidden(shown.schema, shown.example, isWarned ? rest : body);
      expect([method, template, status, hidden]).toEqual([method, template, status, []]);
      return;
    }
    const faults = this.#ajv.errorsText(validate.errors);
    throw new Error(`${method} ${template} ${status}: ${faults} in ${JSON.stringify(body).slice(0, 1000)}`);
  }

  /** The answer to a body has fields beside those of its record. */
  #mayWarn(template: string, verb: string, status: number): boolean {
    const direct = ["paths", template, verb, "responses", String(status), "content", "application/json", "schema"];
    return JSON.stringify(at(this.document, direct)?.allOf ?? []).includes("/Warned");
  }

  /** Fields of the answer that the example of it does not show; of lists, the first items are compared. */
  #hidden(given: Json, example: Json, body: Json): string[] {
    const schema = given?.$ref ? at(this.document, given.$ref.slice(2).split("/")) : given;
    if (schema?.allOf) return this.#hidden(schema.allOf[0], example, body);
    const [first, second] = [example, body].map((one) => (Array.isArray(one) ? one[0] : one));
    if (schema?.items) return this.#hidden(schema.items, first, second);
    const isObject = (one: Json) => typeof one === "object" && one !== null;
    if (!schema?.properties || !isObject(example) || !isObject(body)) return [];
    return Object.keys(body).flatMap((name) =>
      name in example
        ? this.#hidden(schema.properties[name], example[name], body[name]).map((inner) => `${name}.${inner}`)
        : [name],
    );
  }

  #templateOf(path: string, verb: string): string | undefined {
    const [plain = ""] = path.split("?");
    return this.#templates.find(
      ([template, pattern]) => verb in this.document.paths[template] && pattern.test(plain),
    )?.[0];
  }

  #answer(template: string, verb: string, status: number): Documented {
    const key = `${verb} ${template} ${status}`;
    const known = this.#documented.get(key) ?? this.#read(template, verb, status);
    this.#documented.set(key, known);
    return known;
  }

  #read(template: string, verb: string, status: number): Documented {
    const direct = ["paths", template, verb, "responses", String(status)];
    const response = at(this.document, direct);
    if (!response) throw new Error(`${verb.toUpperCase()} ${template} answers ${status}, which it does not declare`);
    const place = response.$ref ? response.$ref.slice(2).split("/") : direct;
    const contents = at(this.document, place).content ?? {};
    const types = Object.keys(contents);
    const check = (type: string) =>
      this.#ajv.getSchema(pointer([...place, "content", type, "schema"])) as ValidateFunction;
    return { types, check, shown: contents["application/json"] ?? {} };
  }
}

/** The document with no room for fields that it does not name: clients may see new ones, tests may not. */
function closed(value: Json): Json {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  // A record and its warnings, which are looked at apart.
  if (value.allOf) return closed(value.allOf[0]);
  const inner = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]));
  return inner.type === "object" && inner.properties ? { ...inner, additionalProperties: false } : inner;
}

function variables(template: string): number {
  return template.split("{").length;
}

/** Of the paths that a template such as `/contacts/{id}` stands for. */
function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
}

function at(value: Json, path: readonly string[]): Json {
  return path.reduce((part, name) => part?.[name], value);
}

function pointer(path: readonly string[]): string {
  return `book#/${path.map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
}
