// Calls of another service's API, below a path of their own: their refusals look like that service's.
import { AppError } from "../base/errors.ts";

export type ApiDialect = {
  /** The prefix of its paths, such as `/compat/resend`. */
  readonly at: string;
  /** The name of the service as its users write it. */
  readonly title: string;
  /** Replacements for calls that do not exist: the first whose expression fits `GET /path` below `at`. */
  readonly instead: readonly (readonly [call: RegExp, use: string])[];
  readonly refusal: (error: AppError) => DialectRefusal;
};

type DialectRefusal = { readonly status: number; readonly body: object };

/** Names of hosts that speak one dialect alone, each with its path. */
export type OwnHosts = ReadonlyMap<string, string>;

/** Moves a request at the root of such a host below the path of its dialect; the host serves no other path. */
export function atItsPath(hosts: OwnHosts, request: Request): Request {
  const name = request.headers.get("host")?.toLowerCase().replace(PORT, "");
  const at = name === undefined ? undefined : hosts.get(name);
  if (at === undefined) return request;
  const path = request.url.indexOf("/", "https://".length);
  return moved(request, request.url.slice(0, path) + at + singled(request.url.slice(path)));
}

/** Changes the request in place, since the server knows the origin of this object alone. */
function moved(request: Request, url: string): Request {
  return Object.defineProperty(request, "url", { value: url, configurable: true });
}

/**
 * Removes doubled slashes: clients append a path that begins with a slash to a base that ends with one. Null: the
 * request is not of a dialect, or has no doubled slashes.
 */
export function withSingleSlashes(dialects: readonly ApiDialect[], request: Request): Request | null {
  const start = request.url.indexOf("/", "https://".length);
  const path = request.url.slice(start);
  const single = singled(path);
  if (single === path || !dialects.some(({ at }) => single.startsWith(`${at}/`))) return null;
  return moved(request, request.url.slice(0, start) + single);
}

function singled(path: string): string {
  return path.replace(/^[^?]*/, (before) => before.replace(/\/{2,}/g, "/"));
}

/** A port, and the dot at the end of a complete name. */
const PORT = /\.?(?::\d+)?$/;

/** A refusal in the dialect of the request; undefined = the request is in our own. */
export function refusalIn(
  dialects: readonly ApiDialect[],
  request: Request,
  error: AppError,
): DialectRefusal | undefined {
  const path = request.url.indexOf("/", "https://".length);
  const dialect = dialects.find(({ at }) => request.url.startsWith(`${at}/`, path));
  return dialect?.refusal(MISSING.has(error.status) ? missing(dialect, request, error) : error);
}

const MISSING: ReadonlySet<number> = new Set([404, 405]);

/** A call that does not exist may look like one about a missing record, such as `/contacts/imports`. */
function missing({ at, title, instead }: ApiDialect, { method, url }: Request, error: AppError): AppError {
  const call = `${method} ${new URL(url).pathname.slice(at.length)}`;
  const use = instead.find(([expression]) => expression.test(call))?.[1];
  if (use === undefined && error.code !== "ROUTE_NOT_FOUND") return error;
  const message = `Posthorn does not have this call of ${title}. ${use ?? "Its own API is described at /docs."}`;
  return new AppError("ROUTE_NOT_FOUND", message);
}
