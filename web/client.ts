// Makes the requests of the API's calls, whose types are those of the document (web/api.gen.ts), and reads the answers.
import type { Client } from "openapi-fetch";

type Values = Readonly<Record<string, unknown>>;
type ClientCall = {
  readonly params?: { readonly path?: Values; readonly query?: Values };
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly parseAs?: "json" | "text" | "blob";
};
/** `isFile`: a file is sent or answered, which takes as long as it takes. */
type Send = (request: Request, isFile: boolean) => Promise<Response>;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export function clientOf<Paths extends object>(send: Send): Pick<Client<Paths>, (typeof METHODS)[number]> {
  const calls = METHODS.map((method) => [
    method,
    async (path: string, call: ClientCall = {}) => {
      const isFile = call.body instanceof FormData || call.parseAs === "blob";
      const response = await send(requestOf(method, path, call), isFile);
      return response.ok
        ? { response, data: await contentOf(response, call.parseAs ?? "json") }
        : { response, error: await response.json().catch(() => undefined) };
    },
  ]);
  return Object.fromEntries(calls) as ReturnType<typeof clientOf<Paths>>;
}

function requestOf(method: string, path: string, { params = {}, body, headers = {}, signal }: ClientCall): Request {
  const url = new URL(filled(path, params.path ?? {}), location.origin);
  for (const [name, text] of pairsOf(params.query ?? {})) url.searchParams.append(name, text);
  const isJson = body !== undefined && !(body instanceof FormData);
  return new Request(url, {
    method,
    headers: isJson ? { "content-type": "application/json", ...headers } : headers,
    credentials: "same-origin",
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as FormData) }),
    ...(signal ? { signal } : {}),
  });
}

/** As they stand in a URL: lists repeated, the keys of an object in brackets. */
export function pairsOf(query: object): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one: unknown): [string, string][] => {
      if (one == null) return [];
      if (typeof one !== "object") return [[name, String(one)]];
      return Object.entries(one).map(([key, text]) => [`${name}[${key}]`, String(text)]);
    }),
  );
}

function filled(path: string, values: Values): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
}

const NO_CONTENT = 204;

function contentOf(response: Response, kind: NonNullable<ClientCall["parseAs"]>): Promise<unknown> | undefined {
  return response.status === NO_CONTENT ? undefined : response[kind]();
}
