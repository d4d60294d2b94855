// The interface as an OpenAPI 3.1 document, made from the routes themselves: the shapes that check them and what they declare.
import type { TSchema } from "elysia";
import { STATUS_OF, type ErrorCode } from "../../errors.ts";
import { errorShape } from "../answer-shapes.ts";
import { isAnsweredOnce, operations, type Answer, type Content, type Operation, type Route } from "../answers.ts";
import { JsonSchemas } from "../json-schema.ts";
import type { ContentJson, OpenApiDocument, OperationJson, ParameterJson } from "./document.ts";
import type { Reference, ResponseJson, SchemaJson } from "./document.ts";
import { HEADERS, INFO, PARAMETERS, SECURITY, STATUS_TEXT, tagOf } from "./words.ts";
import { refusedBy } from "../refusals.ts";

type Place = { readonly version: string; /** Where the server is reached. */ readonly baseUrl: string };

/** Every route that declares itself, in the order of `routes`. */
export function openApi(routes: readonly Route[], { version, baseUrl }: Place): OpenApiDocument {
  const schemas = new JsonSchemas();
  const responses: Record<string, ResponseJson> = {};
  const paths: Record<string, Record<string, OperationJson>> = {};
  for (const operation of operations(routes)) {
    const verbs = (paths[pathTemplate(operation.path)] ??= {});
    verbs[operation.method.toLowerCase()] = written(operation, schemas, responses);
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
function pathTemplate(path: string): string {
  return path.replace(/:(\w+)/g, "{$1}");
}

const KEYS = { none: [], any: [{ secretKey: [] }, { publicKey: [] }], secret: [{ secretKey: [] }] };

function written(operation: Operation, schemas: JsonSchemas, responses: Record<string, ResponseJson>): OperationJson {
  const { method, path, declared } = operation;
  const parameters = parametersOf(operation, schemas);
  const body = bodyOf(operation, schemas);
  return {
    operationId: nameOf(method, path),
    tags: [tagOf(path)],
    summary: declared.summary,
    ...(declared.description ? { description: declared.description } : {}),
    security: KEYS[declared.key ?? "secret"],
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

function parametersOf(operation: Operation, schemas: JsonSchemas): (ParameterJson | Reference)[] {
  const inPath = [...operation.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
  const query = schemaOf(operation.hooks.query);
  const inQuery = Object.entries<TSchema>(query?.properties ?? {});
  return [
    ...inPath.map((name) => ({ name, in: "path" as const, required: true, schema: { type: "string" } })),
    ...inQuery.map(([name, shape]) => {
      const { description, ...schema } = schemas.of(shape);
      const required = (query?.required ?? []).includes(name);
      return { name, in: "query" as const, required, schema, ...(description ? { description } : {}) };
    }),
    ...(isAnsweredOnce(operation) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
  ];
}

function bodyOf({ hooks, declared }: Operation, schemas: JsonSchemas): OperationJson["requestBody"] | null {
  const { type, schema } = declared.takes ?? { type: "application/json", schema: schemaOf(hooks.body) };
  if (!schema) return null;
  const { examples, ...shape } = schema;
  const example = examples?.[0] as unknown;
  const content = { schema: schemas.of(shape as TSchema), ...(example === undefined ? {} : { example }) };
  return { required: (schema.required ?? []).length > 0, content: { [type]: content } };
}

/** The schema that `asBody` or `asQuery` checks with. */
function schemaOf(hook: unknown): TSchema | undefined {
  return (hook as { readonly schema?: TSchema } | undefined)?.schema;
}

function answersOf(operation: Operation, schemas: JsonSchemas): Record<string, ResponseJson> {
  const headers = headersOf(operation, isAnsweredOnce(operation) ? ["Idempotent-Replayed"] : []);
  return Object.fromEntries(
    Object.entries(operation.declared.answers).map(([status, answer]) => [
      status,
      { description: STATUS_TEXT[Number(status)] ?? status, headers, ...contentOf(answer, schemas) },
    ]),
  );
}

function contentOf(answer: Answer, schemas: JsonSchemas): { readonly content?: ContentJson } {
  if (answer === null) return {};
  const { type, schema } = isContent(answer) ? answer : { type: "application/json", schema: answer };
  return { content: { [type]: { schema: schemas.of(schema) } } };
}

function isContent(answer: TSchema | Content): answer is Content {
  return "schema" in answer;
}

function headersOf({ declared }: Operation, more: readonly string[]): Record<string, Reference> {
  const limits = declared.key === "none" ? [] : ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
  const names = ["X-Request-Id", ...limits, ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One response for each status, kept under its codes: most routes refuse alike. */
function refusalsOf(
  operation: Operation,
  schemas: JsonSchemas,
  responses: Record<string, ResponseJson>,
): Record<string, Reference> {
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

function refusal(codes: readonly ErrorCode[], headers: ResponseJson["headers"], schemas: JsonSchemas): ResponseJson {
  const narrowed: SchemaJson = { properties: { error: { properties: { code: { enum: codes } } } } };
  const schema = { ...schemas.of(errorShape), ...narrowed };
  return { description: codes.join(", "), headers, content: { "application/json": { schema } } };
}
