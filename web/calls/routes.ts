// The calls of the API by method and path, `PATCH /topics/{id}`, with the types of input and answer, from OpenAPI.
import type { paths } from "../api.gen.ts";

type Verb = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Path = keyof paths;
type VerbsOf<P extends Path> = { [V in Verb]: paths[P][Lowercase<V>] extends object ? V : never }[Verb];
export type Route = { [P in Path]: `${VerbsOf<P>} ${P}` }[Path];
export type GetRoute = Extract<Route, `GET ${string}`>;

type OperationOf<R extends Route> = R extends `${infer V extends Verb} ${infer P extends Path}`
  ? paths[P][Lowercase<V>]
  : never;

/** `unknown` where there are no values. */
type ValuesOrUnknown<Values> = [Values] extends [never] ? unknown : Values;
/** Deeply readonly: a call does not change its input. */
type Frozen<Value> = Value extends readonly (infer One)[]
  ? readonly Frozen<One>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Frozen<Value[Name]> }
    : Value;
/** Optional parameters may be null or undefined; these are left out. */
type QueryValues<Query> = {
  readonly [Name in keyof Query]: Frozen<Query[Name]> | (object extends Pick<Query, Name> ? null | undefined : never);
};
type Parameters<Of> = Of extends { readonly parameters: { path?: infer InPath; query?: infer Query } }
  ? ValuesOrUnknown<NonNullable<InPath>> & ValuesOrUnknown<QueryValues<NonNullable<Query>>>
  : never;

type BodyIn<Content> = Content extends { "multipart/form-data": unknown } ? FormData : Frozen<Content[keyof Content]>;
type Body<Of> = Of extends { readonly requestBody: { readonly content: infer Content } }
  ? { readonly body: BodyIn<Content> }
  : Of extends { readonly requestBody?: { readonly content: infer Content } }
    ? { readonly body?: BodyIn<Content> }
    : unknown;

type OkStatus = 200 | 201 | 202 | 204;
type ContentOf<Answer> = Answer extends { readonly content: infer Kinds } ? Kinds[keyof Kinds] : undefined;
type Responses<Of> = Of extends { readonly responses: infer All } ? All : never;
export type AnswerOf<R extends Route> = R extends Route
  ? ContentOf<Responses<OperationOf<R>>[keyof Responses<OperationOf<R>> & OkStatus]>
  : never;

/** The query parameters of a list. */
export type QueryOf<R extends Route> = NonNullable<OperationOf<R>["parameters"]["query"]>;

export type BodyOf<R extends Route> = Body<OperationOf<R>> extends { readonly body?: infer Content } ? Content : never;

/** The parameters of path and query, by name. */
export type ParametersOf<R extends Route> = Parameters<OperationOf<R>>;

/** Parameters and body together. */
export type InputOf<R extends Route> = R extends Route ? Parameters<OperationOf<R>> & Body<OperationOf<R>> : never;

/** Types of answers that are not JSON. */
export type ReadAs = { readonly text: string; readonly blob: Blob };

/** Options of every call. */
export type CallOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | null;
};
