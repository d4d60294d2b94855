// Calls of another service's API, below a path of their own: their refusals look like that service's.
import type { AppError } from "../errors.ts";

export type Dialect = {
  /** Where its paths begin, such as `/compat/resend`. */
  readonly at: string;
  readonly refusal: (error: AppError) => { readonly status: number; readonly body: object };
};

/** Names of hosts that speak one dialect alone, each with its path. */
export type OwnHosts = ReadonlyMap<string, string>;

/** What is asked at the root of such a host stands below the path of its dialect, and nothing else is there. */
export function atItsPath(hosts: OwnHosts, request: Request): Request {
  const name = request.headers.get("host")?.toLowerCase().replace(PORT, "");
  const at = name === undefined ? undefined : hosts.get(name);
  if (at === undefined) return request;
  const path = request.url.indexOf("/", "https://".length);
  // A new request would be nobody's: where it came from is known of this one alone.
  return Object.defineProperty(request, "url", { value: request.url.slice(0, path) + at + request.url.slice(path) });
}

/** And the dot of a name that is whole. */
const PORT = /\.?(?::\d+)?$/;

/** The dialect that a request is written in; undefined = our own. */
export function dialectOf(dialects: readonly Dialect[], { url }: Pick<Request, "url">): Dialect | undefined {
  const path = url.indexOf("/", 8);
  return dialects.find(({ at }) => url.startsWith(`${at}/`, path));
}
