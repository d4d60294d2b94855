// A room's routes as a table: each has a path, a declaration (http/answers.ts) and a handler. The makers decide how it
// runs: in one transaction, once under an Idempotency-Key, as a page. The status is the first that the route declares.
import { Elysia, type Static, type TSchema } from "elysia";
import { notifyChangeAt } from "../events/notify.ts";
import type { Declaration } from "../../http/answers.ts";
import { answerOnce, type AnswerContacts, type PostRequest } from "../../http/idempotency.ts";
import { withWarnings } from "../../http/body/body-notes.ts";
import { asBody, asQuery, NO_BODY, NO_QUERY, type ObjectSchema } from "../../http/body/shape.ts";
import { pageFrom, type PageSource, type PageInput } from "../../store/page.ts";
import type { Reader, Store, Tx } from "../../store/store.ts";
import { secretKey, type Access } from "./auth.ts";
import type { Needs } from "./person.ts";
import { managersOnly, type Caller } from "./caller.ts";

type ParamOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamOf<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** A request whose key is known, and whose body and query have the declared shapes. */
export type ApiRequest<
  Path extends string = string,
  Body extends TSchema = TSchema,
  Query extends ObjectSchema = ObjectSchema,
> = PostRequest & {
  readonly caller: Caller;
  readonly params: Readonly<Record<ParamOf<Path>, string>>;
  readonly body: Static<Body>;
  readonly query: Static<Query>;
};

/** A connection as Bun's server reports it. */
type BunConnection = {
  readonly server: {
    requestIP(request: Request): { readonly address: string } | null;
    timeout(request: Request, seconds: number): void;
  } | null;
};

type RouteWork<By, Request, Answer> = (by: By, asked: Request) => Promise<Answer>;

type RouteEntry = {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly declared: Declaration;
  readonly handler: (store: Store) => (asked: never) => unknown;
};

/**
 * `key`: the allowed callers; secret keys and people unless given. Each route has its own hooks: as a plugin they would
 * need an application a route, which is copied into that of its room and again into the whole one.
 */
export function routes(access: Access, table: readonly RouteEntry[], key: typeof secretKey = secretKey) {
  const app = new Elysia();
  for (const { method, path, declared, handler } of table) {
    const { body, query, managers, dialect } = declared;
    const hooks = {
      transform: { fn: key(access, needsOf(declared, method)), subType: "derive" },
      ...(method === "GET" || dialect ? {} : { body: body ? asBody(body) : NO_BODY, afterHandle: withWarnings }),
      ...(dialect ? {} : { query: query ? asQuery(query) : NO_QUERY }),
      ...(managers ? { beforeHandle: managersOnly } : {}),
      detail: declared,
    };
    // The types of Elysia do not cover a hook of one route that derives.
    app.route(method, path, handler(access.store) as () => unknown, hooks as object);
  }
  return app;
}

/** A call that changes nothing: a GET, and a POST that answers a question, such as a preview. */
export function isReading({ permission, harmless }: Declaration, method: string): boolean {
  return method === "GET" || (permission === "read" && harmless === true);
}

function needsOf(declared: Declaration, method: string): Needs {
  const { name, aliasOf: action = name, permission, proof, forSenders, forContent } = declared;
  const isNoted = proof || (method !== "GET" && permission !== "read");
  const enough = [
    ...(forSenders ? (["send"] as const) : []),
    ...(isReading(declared, method) ? (["read"] as const) : []),
    ...(forContent ? (["content"] as const) : []),
  ];
  return {
    enough,
    ...(permission ? { permission } : {}),
    ...(proof ? { proof } : {}),
    ...(isNoted ? { action } : {}),
  };
}

/* Elysia prepares only the parts of a request that the handler's text names: so handlers name what they take of it. */

/** A route for which no other maker fits: `handler` does all of it. */
export function route<Path extends string, Body extends TSchema, Query extends ObjectSchema>(
  method: RouteEntry["method"],
  path: Path,
  declared: Declaration<Body, Query>,
  handler: (asked: ApiRequest<Path, Body, Query> & BunConnection) => unknown,
): RouteEntry {
  return { method, path, declared, handler: () => handler };
}

/** The same route at another path, or by another method, for clients that were made for another server. */
export function alias(one: RouteEntry, method: RouteEntry["method"], path: string, name: string): RouteEntry {
  const description = `The same as ${one.method} ${one.path.replace(/:(\w+)/g, "{$1}")}, for clients of other servers.`;
  return { ...one, method, path, declared: { ...one.declared, name, description, aliasOf: one.declared.name } };
}

/** `long`: a read that waits for its workspace's turn. */
type Length = "short" | "long";

export function get<Path extends string, Query extends ObjectSchema>(
  path: Path,
  declared: Declaration<TSchema, Query>,
  work: RouteWork<Reader, ApiRequest<Path, TSchema, Query>, unknown>,
  length: Length = "short",
): RouteEntry {
  return { method: "GET", path, declared, handler: reading(work, length) };
}

/** A GET of the page that the query asks for. */
export function page<Path extends string, Query extends ObjectSchema & { readonly static: Partial<PageInput> }>(
  path: Path,
  declared: Declaration<TSchema, Query>,
  pages: RouteWork<Reader, ApiRequest<Path, TSchema, Query>, PageSource<unknown>>,
  length: Length = "short",
): RouteEntry {
  const work: RouteWork<Reader, ApiRequest<Path, TSchema, Query>, unknown> = async (reader, asked) =>
    pageFrom(asked.query, await pages(reader, asked));
  return { method: "GET", path, declared, handler: reading(work, length) };
}

/** A POST that only reads. */
export function queryPost<Path extends string, Body extends TSchema>(
  path: Path,
  declared: Declaration<Body>,
  work: RouteWork<Reader, ApiRequest<Path, Body>, unknown>,
  length: Length = "short",
): RouteEntry {
  return { method: "POST", path, declared, handler: reading(work, length) };
}

type RouteOptions<Answer> = AnswerContacts<Answer> &
  Pick<PostRequest, "sealedBy"> & { readonly status?: (answer: Answer) => number };

/** A POST that creates or sends: once under an Idempotency-Key. */
export function post<Path extends string, Body extends TSchema, Answer>(
  path: Path,
  declared: Declaration<Body>,
  work: RouteWork<Tx, ApiRequest<Path, Body>, Answer>,
  { status = () => statusOf(declared), ...terms }: RouteOptions<Answer> = {},
): RouteEntry {
  const told = telling(path, work);
  const handler =
    (store: Store) =>
    ({ params, body, query, caller, request, set }: ApiRequest<Path, Body>) => {
      const asked = { params, body, query, caller, request, set, ...terms };
      return answerOnce(store, asked, (tx) => told(tx, asked), status);
    };
  return { method: "POST", path, declared, handler };
}

export function put<Path extends string, Body extends TSchema>(
  path: Path,
  declared: Declaration<Body>,
  work: RouteWork<Tx, ApiRequest<Path, Body>, unknown>,
): RouteEntry {
  return { method: "PUT", path, declared, handler: writing(telling(path, work), declared) };
}

export function patch<Path extends string, Body extends TSchema>(
  path: Path,
  declared: Declaration<Body>,
  work: RouteWork<Tx, ApiRequest<Path, Body>, unknown>,
): RouteEntry {
  return { method: "PATCH", path, declared, handler: writing(telling(path, work), declared) };
}

/** A POST of people alone, in one transaction. It takes no Idempotency-Key. */
export function act<Path extends string, Body extends TSchema>(
  path: Path,
  declared: Declaration<Body>,
  work: RouteWork<Tx, ApiRequest<Path, Body>, unknown>,
): RouteEntry {
  return { method: "POST", path, declared, handler: writing(work, declared) };
}

/** A DELETE. */
export function remove<Path extends string, Body extends TSchema, Query extends ObjectSchema>(
  path: Path,
  declared: Declaration<Body, Query>,
  work: RouteWork<Tx, ApiRequest<Path, Body, Query>, unknown>,
): RouteEntry {
  return { method: "DELETE", path, declared, handler: writing(telling(path, work), declared) };
}

function reading<Path extends string, Body extends TSchema, Query extends ObjectSchema>(
  work: RouteWork<Reader, ApiRequest<Path, Body, Query>, unknown>,
  length: Length,
): RouteEntry["handler"] {
  return (store) =>
    ({ params, body, query, caller, request, set }: ApiRequest<Path, Body, Query>) => {
      const asked = { params, body, query, caller, request, set };
      return store.read((reader) => work(reader, asked), length === "long" ? { longFor: caller.workspace } : {});
    };
}

function writing<Path extends string, Body extends TSchema, Query extends ObjectSchema>(
  work: RouteWork<Tx, ApiRequest<Path, Body, Query>, unknown>,
  declared: Declaration<Body, Query>,
): RouteEntry["handler"] {
  return (store) =>
    async ({ params, body, query, caller, request, set }: ApiRequest<Path, Body, Query>) => {
      const answer = await store.write(async (tx) => {
        const done = await work(tx, { params, body, query, caller, request, set });
        await caller.note?.(tx, done);
        return done;
      });
      set.status = statusOf(declared);
      return answer;
    };
}

/** Notifies open pages of a change. */
function telling<By extends Tx, Request extends { readonly caller: Caller }, Answer>(
  path: string,
  work: RouteWork<By, Request, Answer>,
): RouteWork<By, Request, Answer> {
  return async (tx, asked) => {
    const answer = await work(tx, asked);
    notifyChangeAt(tx, path, asked.caller.workspace);
    return answer;
  };
}

function statusOf({ answers }: Declaration): number {
  return Number(Object.keys(answers)[0]);
}
