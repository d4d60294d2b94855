// One call over the network: with a limit of time, and again where that does no harm.
import { ConnectionError, errorOf, type PosthornError, RateLimitError } from "./errors.ts";

export type ClientOptions = {
  /** The server, such as `https://mail.example.com`. */
  readonly url: string;
  /** A secret key (`sk_…`). */
  readonly key: string;
  /** In place of the global one. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** How often a call is made again; default: 2. */
  readonly retries?: number;
  /** The first pause before a call is made again, unless the server names one; it doubles. Default: 500. */
  readonly retryDelayMs?: number;
  /** The longest wait for one answer; default: 30,000. */
  readonly timeoutMs?: number;
};

export type CallOptions = {
  /** Of your own, so that a call of another process is recognised as the same one. */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a call that takes a body and a query. */
  readonly query?: Readonly<Record<string, unknown>>;
};

export type Outgoing = {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  /** The server takes an Idempotency-Key. */
  readonly once: boolean;
};

const LONGEST_PAUSE_MS = 30_000;
const REPEATABLE = ["GET", "PUT", "PATCH"];

/** @throws PosthornError */
export async function request(client: ClientOptions, outgoing: Outgoing, options: CallOptions = {}): Promise<unknown> {
  const idempotencyKey = outgoing.once ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
  const mayRepeat = idempotencyKey !== undefined || REPEATABLE.includes(outgoing.method);
  const retries = mayRepeat ? (client.retries ?? 2) : 0;
  for (let attempt = 0; ; attempt++) {
    const answer = await attemptOnce(client, outgoing, { ...options, ...(idempotencyKey ? { idempotencyKey } : {}) });
    if (!("error" in answer)) return contentOf(answer);
    if (options.signal?.aborted) throw options.signal.reason;
    if (attempt >= retries || !isPassing(answer.error)) throw answer.error;
    await pause(pauseMs(client, answer.error, attempt), options.signal);
  }
}

async function attemptOnce(
  client: ClientOptions,
  outgoing: Outgoing,
  options: CallOptions,
): Promise<Response | { readonly error: PosthornError }> {
  const { body, method } = outgoing;
  const limit = AbortSignal.timeout(client.timeoutMs ?? 30_000);
  const isJson = body !== undefined && !(body instanceof FormData);
  try {
    const response = await (client.fetch ?? fetch)(urlOf(client, outgoing), {
      method,
      headers: {
        authorization: `Bearer ${client.key}`,
        ...(isJson ? { "content-type": "application/json" } : {}),
        ...(options.idempotencyKey ? { "idempotency-key": options.idempotencyKey } : {}),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as FormData) }),
      signal: options.signal ? AbortSignal.any([limit, options.signal]) : limit,
    });
    return response.ok ? response : { error: await errorOf(response) };
  } catch (cause) {
    return { error: new ConnectionError(`${client.url} does not answer: ${(cause as Error).message}`, { cause }) };
  }
}

function urlOf({ url }: ClientOptions, { path, query = {} }: Outgoing): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (typeof one === "object" && one !== null)
        for (const [key, text] of Object.entries(one)) parameters.append(`${name}[${key}]`, String(text));
      else if (one !== undefined && one !== null) parameters.append(name, String(one));
  const asked = String(parameters);
  return `${url.replace(/\/+$/, "")}${path}${asked === "" ? "" : `?${asked}`}`;
}

/** The same call may succeed a little later. */
function isPassing({ status, code }: PosthornError): boolean {
  return status === undefined || status === 429 || status >= 500 || code === "IDEMPOTENCY_KEY_IN_USE";
}

function pauseMs({ retryDelayMs = 500 }: ClientOptions, error: PosthornError, attempt: number): number {
  const told = error instanceof RateLimitError ? error.retryAfterSeconds : undefined;
  // Clients that failed together do not come back together.
  const own = retryDelayMs * 2 ** attempt * (0.75 + Math.random() / 2);
  return Math.min(told === undefined ? own : told * 1000, LONGEST_PAUSE_MS);
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}

/** JSON as it is meant, text as text, and what is neither as a file. */
function contentOf(response: Response): Promise<unknown> | undefined {
  const type = response.headers.get("content-type") ?? "";
  if (response.status === 204) return undefined;
  if (/^application\/(.+\+)?json/.test(type)) return response.json();
  return /^(text|message)\//.test(type) ? response.text() : response.blob();
}
