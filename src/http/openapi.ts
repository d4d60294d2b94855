// The interface as an OpenAPI 3.1 document, made from the routes themselves: the shapes that check them and what they declare.
import type { TSchema } from "elysia";
import { STATUS_OF, type ErrorCode } from "../errors.ts";
import { errorShape } from "./answer-shapes.ts";
import { isAnsweredOnce, operations, type Answer, type Content, type Operation, type Route } from "./answers.ts";
import { JsonSchemas, type Json } from "./json-schema.ts";
import { HEADERS, INFO, PARAMETERS, SECURITY, STATUS_TEXT, tagOf } from "./openapi-words.ts";
import { refusedBy } from "./refusals.ts";

/** Every route that declares itself, as a document for programs. `baseUrl` is where the server is reached. */
export function openApi(routes: readonly Route[], version: string, baseUrl: string): Json {
  const schemas = new JsonSchemas();
  const responses: Record<string, Json> = {};
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations(routes)) {
    const path = pathTemplate(operation.path);
    paths[path] = {
      ...paths[path],
      [operation.method.toLowerCase()]: written(operation, schemas, responses),
    };
  }
  return {
    openapi: "3.1.0",
    info: { ...INFO, version },
    servers: [{ url: baseUrl }],
    paths,
    components: {
      schemas: schemas.named,
      responses,
      parameters: PARAMETERS,
      headers: HEADERS,
      securitySchemes: SECURITY,
    },
  };
}

/** `/contacts/:id` as `/contacts/{id}`. */
export function pathTemplate(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

function written(operation: Operation, schemas: JsonSchemas, responses: Record<string, Json>): Json {
  const { method, path, declared } = operation;
  const { summary, description, key = "secret" } = declared;
  const parameters = parametersOf(operation, schemas);
  const body = bodyOf(operation, schemas);
  return {
    operationId: nameOf(method, path),
    tags: [tagOf(path)],
    summary,
    ...(description ? { description } : {}),
    security: { none: [], any: [{ secretKey: [] }, { publicKey: [] }], secret: [{ secretKey: [] }] }[key],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: { ...answersOf(operation, schemas), ...refusalsOf(operation, schemas, responses) },
  };
}

/** `POST /contacts/:id` → `postContactsId` */
function nameOf(method: string, path: string): string {
  const words = path.split(/\W+/).filter(Boolean);
  return method.toLowerCase() + words.map((word) => word.replace(/^./, (letter) => letter.toUpperCase())).join("");
}

function parametersOf(operation: Operation, schemas: JsonSchemas): Json[] {
  const inPath = [...operation.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
  const query = schemaOf(operation.hooks.query);
  return [
    ...inPath.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
    ...Object.entries(query?.properties ?? {}).map(([name, shape]) => {
      const { description, ...schema } = schemas.of(shape as TSchema);
      const required = (query?.required ?? []).includes(name);
      return { name, in: "query", required, schema, ...(description ? { description } : {}) };
    }),
    ...(isAnsweredOnce(operation) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
  ];
}

function bodyOf({ hooks, declared }: Operation, schemas: JsonSchemas): Json | null {
  const json = schemaOf(hooks.body);
  const { type, schema } = declared.takes ?? { type: "application/json", schema: json };
  if (!schema) return null;
  const { examples, ...shape } = schema;
  const [example] = (examples ?? []) as unknown[];
  const written = schemas.of(shape as TSchema);
  const required = (schema.required ?? []).length > 0;
  return { required, content: { [type]: { schema: written, ...(example === undefined ? {} : { example }) } } };
}

/** The schema that `asBody` or `asQuery` checks with. */
export function schemaOf(hook: unknown): TSchema | undefined {
  return (hook as { readonly schema?: TSchema } | undefined)?.schema;
}

function answersOf(operation: Operation, schemas: JsonSchemas): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(operation.declared.answers).map(([status, answer]) => [
      status,
      {
        description: STATUS_TEXT[Number(status)] ?? status,
        headers: headersOf(operation, isAnsweredOnce(operation) ? ["Idempotent-Replayed"] : []),
        ...contentOf(answer, schemas),
      },
    ]),
  );
}

function contentOf(answer: Answer, schemas: JsonSchemas): Json {
  if (answer === null) return {};
  const { type, schema } = isContent(answer) ? answer : { type: "application/json", schema: answer };
  return { content: { [type]: { schema: schemas.of(schema) } } };
}

function isContent(answer: TSchema | Content): answer is Content {
  return "schema" in answer;
}

function headersOf({ declared }: Operation, more: readonly string[]): Json {
  const limits = declared.key === "none" ? [] : ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
  const names = ["X-Request-Id", ...limits, ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One response for each status, kept under its codes: most routes refuse alike. */
function refusalsOf(operation: Operation, schemas: JsonSchemas, responses: Record<string, Json>): Record<string, Json> {
  const byStatus = Map.groupBy(refusedBy(operation), (code) => STATUS_OF[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const more = status === 429 || status === 503 ? ["Retry-After"] : [];
      const name = [...codes, ...(operation.declared.key === "none" ? ["open"] : [])].join(".");
      responses[name] ??= refusal(codes, headersOf(operation, more), schemas);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function refusal(codes: readonly ErrorCode[], headers: Json, schemas: JsonSchemas): Json {
  const narrowed = { properties: { error: { properties: { code: { enum: codes } } } } };
  const schema = { ...schemas.of(errorShape), ...narrowed };
  return { description: codes.join(", "), headers, content: { "application/json": { schema } } };
}
