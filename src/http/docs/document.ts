// The parts of an OpenAPI 3.1 document that our document has.
import type { Permission } from "../../base/roles.ts";

/** JSON Schema, draft 2020-12. */
export type SchemaJson = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly examples?: readonly unknown[];
  readonly description?: string;
  readonly const?: unknown;
  /** The meaning of an absent value. */
  readonly default?: unknown;
  readonly enum?: readonly (string | null)[];
  readonly anyOf?: readonly SchemaJson[];
  readonly allOf?: readonly SchemaJson[];
  readonly oneOf?: readonly SchemaJson[];
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> };
  readonly items?: SchemaJson;
  readonly properties?: Readonly<Record<string, SchemaJson>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
};

export type Reference = { readonly $ref: string };

export type ParameterJson = {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  /** For an object in a query: `name[key]=value`. */
  readonly style?: string;
  readonly explode?: boolean;
  readonly required: boolean;
  readonly schema: SchemaJson;
  readonly description?: string;
};

/** By media type. */
export type ContentJson = Readonly<Record<string, { readonly schema: SchemaJson; readonly example?: unknown }>>;

export type ResponseJson = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: ContentJson;
};

export type OperationJson = {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** The permission that a person needs to call it. */
  readonly "x-permission"?: Permission;
  /** The person must have proved who they are within ten minutes. */
  readonly "x-proof"?: true;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (ParameterJson | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: ContentJson };
  readonly responses: Readonly<Record<string, ResponseJson | Reference>>;
};

export type OpenApiDocument = {
  readonly openapi: "3.1.0";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  /** By path, then by method in lower case. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationJson>>>>;
  /** By name, then by method in lower case. */
  readonly webhooks: Readonly<Record<string, Readonly<Record<string, OperationJson>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaJson>>;
    readonly responses: Readonly<Record<string, ResponseJson>>;
    readonly parameters: Readonly<Record<string, ParameterJson>>;
    readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: SchemaJson }>>;
    readonly securitySchemes: Readonly<
      Record<string, { readonly type: string; readonly description: string; readonly [more: string]: string }>
    >;
  };
};
