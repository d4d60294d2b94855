// The declaration of a route besides its shapes: summary, answers, refusals. /openapi.json is made from it.
import type { TSchema } from "elysia";
import type { ErrorCode } from "../base/errors.ts";
import type { Permission } from "../base/roles.ts";
import type { ObjectSchema } from "./body/shape.ts";

/** A body that is not JSON. */
export type ContentShape = { readonly type: string; readonly schema: TSchema };

/** The shape of a JSON body, another kind of content, or null for none. */
export type AnswerShape = TSchema | ContentShape | null;

/** The callers of a route: any; people alone; or a workspace's key and those of its people who have the permission. */
type Callable =
  | { readonly key: "none"; readonly permission?: never; readonly proof?: never }
  /** Without a permission: any person who is signed in. */
  | { readonly key: "person"; readonly permission?: Permission; readonly proof?: true }
  | {
      /** Which keys it takes; secret ones unless said otherwise. */
      readonly key?: "any";
      /** The permission that a person needs. Keys need none. */
      readonly permission: Permission;
      /** The person must have proved who they are a moment ago. */
      readonly proof?: true;
    };

/**
 * The declaration of a route, where it is made: `get("/contacts/:id", { name, summary, answers, permission, … },
 * handler)`.
 */
export type Declaration<Body extends TSchema = TSchema, Query extends ObjectSchema = ObjectSchema> = Callable & {
  /** The `operationId`: the name of the method in a generated client. */
  readonly name: string;
  readonly summary: string;
  /** The call that this is an alias of: the audit log names that one. */
  readonly aliasOf?: string;
  readonly answers: Readonly<Record<number, AnswerShape>>;
  /** The shapes of the request. */
  readonly body?: Body;
  readonly query?: Query;
  /** Keys that are scoped to domains are refused. */
  readonly managers?: true;
  /** A call of another service's API (http/dialect.ts): it reads its body itself, and no document describes it. */
  readonly dialect?: true;
  /** Keys that may only send are admitted. */
  readonly forSenders?: true;
  /** Keys for email as code are admitted. */
  readonly forContent?: true;
  /** Codes besides those that follow from its method, its key and its shapes. */
  readonly refuses?: readonly ErrorCode[];
  /** Details that the summary leaves out, in whole sentences. */
  readonly description?: string;
  /** A POST that makes and sends nothing takes no Idempotency-Key. */
  readonly harmless?: true;
  /** The body, where no `asBody` declares it. */
  readonly takes?: ContentShape;
  /** A request that this server sends as a consequence. */
  readonly sends?: OutgoingRequest;
};

/** A request that this server makes, to an address that a caller names. */
export type OutgoingRequest = {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly body: TSchema;
};

/** An answer or a body that is text of some kind. */
export function content(type: string): ContentShape {
  return { type, schema: { type: "string" } as unknown as TSchema };
}

/** A route as the application lists it. */
export type Route = {
  readonly method: string;
  readonly path: string;
  readonly hooks: { readonly detail?: unknown; readonly body?: unknown; readonly query?: unknown };
};

export type ApiOperation = Route & { readonly declared: Declaration };

/** The routes that declare themselves. */
export function operations<Of extends Route>(routes: readonly Of[]): (Of & ApiOperation)[] {
  return routes.flatMap((route) => {
    const declared = route.hooks.detail as Declaration | undefined;
    return declared?.answers && !declared.dialect ? [{ ...route, declared }] : [];
  });
}

/** True for a POST that makes or sends something: it takes an Idempotency-Key. */
export function isAnsweredOnce({ method, declared }: ApiOperation): boolean {
  return method === "POST" && takesKeys(declared) && !declared.harmless;
}

function takesKeys({ key }: Declaration): boolean {
  return key !== "none" && key !== "person";
}

/** A person names the workspace that the call is about. */
export function isInWorkspace({ permission }: Declaration): boolean {
  return permission !== undefined && permission !== "installation";
}

const EVERYWHERE: readonly ErrorCode[] = ["INVALID_PARAMETERS", "INTERNAL_ERROR", "STORE_UNAVAILABLE"];
const OF_PEOPLE: readonly ErrorCode[] = ["SESSION_ENDED", "CROSS_SITE", "FORBIDDEN"];
const WITH_CALLER: readonly ErrorCode[] = ["MISSING_AUTH", "INVALID_API_KEY", ...OF_PEOPLE, "RATE_LIMIT_EXCEEDED"];
const IN_WORKSPACE: readonly ErrorCode[] = ["WORKSPACE_DISABLED", "WORKSPACE_NOT_FOUND"];
export const WITH_BODY: readonly ErrorCode[] = ["INVALID_JSON", "PAYLOAD_TOO_LARGE", "VALIDATION_ERROR", "SERVER_BUSY"];
const ONCE: readonly ErrorCode[] = ["IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_KEY_IN_USE"];

export function refusedBy(operation: ApiOperation): ErrorCode[] {
  const { method, declared } = operation;
  const hasCaller = declared.key !== "none";
  const codes = [
    ...EVERYWHERE,
    ...(hasCaller ? WITH_CALLER : []),
    ...(isInWorkspace(declared) ? IN_WORKSPACE : []),
    ...(declared.proof ? (["PROOF_NEEDED"] as const) : []),
    // A DELETE may carry a body as well, and it is read.
    ...(hasCaller && method !== "GET" ? WITH_BODY : []),
    ...(isAnsweredOnce(operation) ? ONCE : []),
    ...(declared.refuses ?? []),
  ];
  return [...new Set(codes)];
}
