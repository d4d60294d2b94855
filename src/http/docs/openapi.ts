// The interface as an OpenAPI 3.1 document, made from the routes themselves: the shapes that check requests, and the
// declarations.
import type { TSchema } from "elysia";
import { STATUS_OF, type ErrorCode } from "../../base/errors.ts";
import { exampleOf, exampleText } from "./examples.ts";
import { errorShape } from "../answer-shapes.ts";
import { warningsShape } from "../body/unknown-fields.ts";
import {
  isAnsweredOnce,
  isInWorkspace,
  operations,
  refusedBy,
  type AnswerShape,
  type ContentShape,
  type Declaration,
  type ApiOperation,
  type Route,
  type OutgoingRequest,
} from "../answers.ts";
import { JsonSchemas } from "./json-schema.ts";
import type {
  ContentJson,
  OpenApiDocument,
  OperationJson,
  ParameterJson,
  Reference,
  ResponseJson,
  SchemaJson,
} from "./document.ts";
import {
  HEADERS,
  IN_PATH,
  ID_IN_PATH,
  INFO,
  PARAMETERS,
  SECURITY,
  SIGNATURE,
  STATUS_TEXT,
  tagOf,
  TAGS,
  WEBHOOKS,
} from "./words.ts";

type ApiServer = { readonly version: string; /** Where the server is reached. */ readonly baseUrl: string };

/** Every route that declares itself, in the order of `routes`. */
export function openApi(routes: readonly Route[], { version, baseUrl }: ApiServer): OpenApiDocument {
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
    tags: TAGS,
    paths,
    webhooks: webhooksOf(routes, schemas),
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

const SESSION = { session: [] };
const KEYS = {
  none: [],
  any: [{ secretKey: [] }, { publicKey: [] }, SESSION],
  secret: [{ secretKey: [] }, SESSION],
  person: [SESSION],
};

function written(
  operation: ApiOperation,
  schemas: JsonSchemas,
  responses: Record<string, ResponseJson>,
): OperationJson {
  const { path, declared } = operation;
  const parameters = parametersOf(operation, schemas);
  const body = bodyOf(operation, schemas);
  return {
    operationId: declared.name,
    tags: [tagOf(path)],
    summary: declared.summary,
    ...descriptionOf(declared),
    ...(declared.permission ? { "x-permission": declared.permission } : {}),
    ...(declared.proof ? { "x-proof": true } : {}),
    security: KEYS[declared.key ?? "secret"],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: { ...answersOf(operation, schemas), ...refusalsOf(operation, schemas, responses) },
  };
}

/** Ends with the needs of people: tools do not show the fields that have them for programs. */
function descriptionOf({ description, permission, proof }: Declaration): { readonly description?: string } {
  const needs = permission ? [`People need the permission \`${permission}\`${proof ? " and a fresh proof" : ""}.`] : [];
  const sentences = [...(description ? [description] : []), ...needs];
  return sentences.length > 0 ? { description: sentences.join(" ") } : {};
}

function webhooksOf(routes: readonly Route[], schemas: JsonSchemas): OpenApiDocument["webhooks"] {
  const sent = operations(routes).flatMap(({ declared }) => declared.sends ?? []);
  return Object.fromEntries(sent.map((one) => [one.name, { post: webhook(one, schemas) }]));
}

function webhook({ name, summary, description, body }: OutgoingRequest, schemas: JsonSchemas): OperationJson {
  return {
    operationId: name,
    tags: [WEBHOOKS],
    summary,
    description,
    security: [],
    parameters: SIGNATURE,
    requestBody: { required: true, content: json(body, schemas) },
    responses: {
      "2XX": { description: "Success, whatever the body says." },
      "4XX": { description: "Final, but for 408 and 429: those are tried again." },
      "5XX": { description: "Tried again." },
    },
  };
}

function parametersOf(operation: ApiOperation, schemas: JsonSchemas): (ParameterJson | Reference)[] {
  const inPath = [...operation.path.matchAll(/:(\w+)/g)].map((match) => match[1] as string);
  const query = schemaOf(operation.hooks.query);
  const inQuery = Object.entries<TSchema>(query?.properties ?? {});
  return [
    ...inPath.map((name) => ({ name, in: "path" as const, required: true, ...(IN_PATH[name] ?? ID_IN_PATH) })),
    ...inQuery.map(([name, shape]) => {
      const { description = shape.description, ...schema } = schemas.of(shape);
      const required = (query?.required ?? []).includes(name);
      const style = schema.type === "object" ? { style: "deepObject", explode: true } : {};
      return { name, in: "query" as const, required, ...style, schema, ...(description ? { description } : {}) };
    }),
    ...(isAnsweredOnce(operation) ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ...(isInWorkspace(operation.declared) ? [{ $ref: "#/components/parameters/Workspace" }] : []),
  ];
}

function bodyOf({ declared }: ApiOperation, schemas: JsonSchemas): OperationJson["requestBody"] | null {
  const { type, schema } = declared.takes ?? { type: "application/json", schema: declared.body };
  if (!schema) return null;
  const { examples, ...shape } = schema;
  const example = examples?.[0] as unknown;
  const content = {
    schema: schemas.of(requestSchema(declared.name, shape)),
    ...(example === undefined ? {} : { example }),
  };
  return { required: (schema.required ?? []).length > 0, content: { [type]: content } };
}

/** A body is named after its operation: `SendEmailRequest`. */
function requestSchema(operation: string, { shown, ...shape }: Omit<TSchema, "examples">): TSchema {
  const title = `${operation.replace(/^./, (letter) => letter.toUpperCase())}Request`;
  return { ...(shown ?? shape), title } as unknown as TSchema;
}

/** The schema that `asBody` or `asQuery` checks with. */
function schemaOf(hook: unknown): TSchema | undefined {
  return (hook as { readonly schema?: TSchema } | undefined)?.schema;
}

function answersOf(operation: ApiOperation, schemas: JsonSchemas): Record<string, ResponseJson> {
  const headers = headersOf(operation, isAnsweredOnce(operation) ? ["Idempotent-Replayed"] : []);
  return Object.fromEntries(
    Object.entries(operation.declared.answers).map(([status, answer]) => [
      status,
      {
        description: STATUS_TEXT[Number(status)] ?? status,
        headers,
        ...contentJson(answer, schemas, operation.hooks.body !== undefined),
      },
    ]),
  );
}

function contentJson(answer: AnswerShape, schemas: JsonSchemas, isToBody: boolean): { readonly content?: ContentJson } {
  if (answer === null) return {};
  if (!isContent(answer)) return { content: isToBody ? warned(answer, schemas) : json(answer, schemas) };
  const { type, schema } = answer;
  return { content: { [type]: { schema: schemas.of(schema), example: exampleText(type) } } };
}

function json(shape: TSchema, schemas: JsonSchemas): ContentJson {
  const schema = schemas.of(shape);
  return { "application/json": { schema, example: exampleOf(schema, schemas.named) } };
}

/** The answer to a body may name fields that were ignored. */
function warned(answer: TSchema, schemas: JsonSchemas): ContentJson {
  const schema = schemas.of(answer);
  const example = exampleOf(schema, schemas.named);
  return { "application/json": { schema: { allOf: [schema, schemas.of(warningsShape)] }, example } };
}

function isContent(answer: TSchema | ContentShape): answer is ContentShape {
  return "schema" in answer;
}

function headersOf({ declared }: ApiOperation, more: readonly string[]): Record<string, Reference> {
  const limits = declared.key === "none" ? [] : ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"];
  const names = ["X-Request-Id", ...limits, ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One response for each status, kept under its codes: most routes share their refusals. */
function refusalsOf(
  operation: ApiOperation,
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

function refusal(
  codes: readonly ErrorCode[],
  headers: Readonly<Record<string, Reference>>,
  schemas: JsonSchemas,
): ResponseJson {
  const narrowed: SchemaJson = { properties: { error: { properties: { code: { enum: codes } } } } };
  const schema = { ...schemas.of(errorShape), ...narrowed };
  return { description: codes.join(", "), headers, content: { "application/json": { schema } } };
}
