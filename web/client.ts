// What makes requests of typed calls: `client.GET("/emails/{id}", { params: { path: { id } } })`. Types are those of openapi-fetch, whose code
// would be a fiftieth of what every page waits for.
import type { Client } from "openapi-fetch";

type Given = {
  readonly params?: {
    readonly path?: Readonly<Record<string, unknown>>;
    readonly query?: Readonly<Record<string, unknown>>;
  };
  readonly body?: unknown;
  readonly bodySerializer?: (body: unknown) => BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  readonly parseAs?: "json" | "text" | "blob";
  readonly signal?: AbortSignal;
};

type Terms = {
  /** Of the workspace, and the like. */
  readonly headers: () => Readonly<Record<string, string>>;
  readonly send: (request: Request) => Promise<Response>;
};

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export function clientOf<Paths extends {}>(terms: Terms): Client<Paths> {
  const calls = METHODS.map((method) => [
    method,
    (path: string, given: Given = {}) => answer(terms, requestOf(terms, method, path, given), given),
  ]);
  return Object.fromEntries(calls) as Client<Paths>;
}

function requestOf({ headers }: Terms, method: string, path: string, given: Given): Request {
  const { params: { path: names = {}, query = {} } = {}, body, bodySerializer, signal } = given;
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(names[name])));
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value == null ? [] : [value].flat().map((one) => [name, String(one)]),
    ),
  ).toString();
  const isJson = body !== undefined && !bodySerializer;
  return new Request(location.origin + address + (search && `?${search}`), {
    method,
    credentials: "same-origin",
    headers: { ...(isJson ? { "content-type": "application/json" } : {}), ...headers(), ...given.headers },
    ...(body === undefined ? {} : { body: bodySerializer?.(body) ?? JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  });
}

/** An answer without content has no data; a refusal is its body. */
async function answer({ send }: Terms, request: Request, { parseAs = "json" }: Given) {
  const response = await send(request);
  if (response.status === 204) return { response };
  if (response.ok) return { response, data: parseAs === "json" ? await jsonOf(response) : await response[parseAs]() };
  return { response, error: await jsonOf(response) };
}

/** What stands before the server may answer with something else. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
