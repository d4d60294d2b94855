// Builds the request of an API call and reads its answer.

type Values = Readonly<Record<string, unknown>>;
export type Input = Values & {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | null;
  readonly parseAs?: "json" | "text" | "blob";
};

/** `route`: method and path. Parameters that are not in the path go into the query. */
export function requestOf(route: string, { body, headers = {}, signal, parseAs: _, ...parameters }: Input): Request {
  const [method = "", path = ""] = route.split(" ");
  const query = { ...parameters };
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    delete query[name];
    return encodeURIComponent(String(parameters[name]));
  });
  const url = new URL(filled, location.origin);
  for (const [name, text] of pairsOf(query)) url.searchParams.append(name, text);
  const isJson = body !== undefined && !(body instanceof FormData);
  return new Request(url, {
    method,
    headers: isJson ? { "content-type": "application/json", ...headers } : headers,
    credentials: "same-origin",
    ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as FormData) }),
    ...(signal ? { signal } : {}),
  });
}

/** The pairs of a query string: lists are repeated, keys of an object are in brackets. */
export function pairsOf(query: object): [string, string][] {
  return Object.entries(query).flatMap(([name, value]) =>
    [value].flat().flatMap((one: unknown): [string, string][] => {
      if (one == null) return [];
      if (typeof one !== "object") return [[name, String(one)]];
      return Object.entries(one).map(([key, text]) => [`${name}[${key}]`, String(text)]);
    }),
  );
}

const NO_CONTENT = 204;

export function contentOf(response: Response, kind: Input["parseAs"] = "json"): Promise<unknown> | undefined {
  return response.status === NO_CONTENT ? undefined : response[kind]();
}
