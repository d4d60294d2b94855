// Microsoft Graph, as it is asked about one mailbox: the access token in each request, and its refusals in words.
import { retryAfterMs } from "../../base/jobs/retry.ts";
import type { AccessTokens, TokenAnswer } from "../way-tokens/way-tokens.ts";

export type GraphAccess = {
  /** The address of the API: https://graph.microsoft.com */
  readonly graphUrl: string;
  /** The mailbox. */
  readonly user: string;
  readonly tokens: AccessTokens;
  readonly timeoutMs: number;
};

export type GraphRequest = {
  readonly method?: "GET" | "POST" | "DELETE";
  /** Below the mailbox, such as `/messages`, or a whole address that Graph has given. */
  readonly path: string;
  readonly body?: { readonly type: string; readonly text: string };
  readonly signal?: AbortSignal;
};

type TokenFault = Extract<TokenAnswer, { readonly fault: string }>;

/**
 * The answer, of any status; or why there is no access token. A token that is refused is replaced once: it was
 * revoked, or a claims challenge asks for a new one.
 * @throws as fetch, if there is no answer
 */
export async function askGraph(access: GraphAccess, request: GraphRequest): Promise<Response | TokenFault> {
  const first = await access.tokens(null);
  if ("fault" in first) return first;
  const answer = await askWith(access, request, first.token);
  if (answer.status !== 401) return answer;
  const other = await access.tokens(first.token);
  if ("fault" in other) return other;
  if (other.token === first.token) return answer;
  await answer.body?.cancel();
  return askWith(access, request, other.token);
}

function askWith(access: GraphAccess, { method = "GET", path, body, signal }: GraphRequest, token: string) {
  const base = `${access.graphUrl}/v1.0/users/${encodeURIComponent(access.user)}`;
  const url = path.startsWith("/") ? base + path : path;
  // It is sent together with the token.
  if (new URL(url).origin !== new URL(access.graphUrl).origin) throw new Error("Graph has named another server");
  return fetch(url, {
    method,
    redirect: "error",
    signal: signal ?? AbortSignal.timeout(access.timeoutMs),
    headers: {
      authorization: `Bearer ${token}`,
      // The id of a message stays when it is moved.
      prefer: 'IdType="ImmutableId"',
      ...(body ? { "content-type": body.type } : {}),
    },
    ...(body ? { body: body.text } : {}),
  });
}

export type GraphRefusal = {
  readonly status: number;
  /** As Graph names it: ErrorSendAsDenied. */
  readonly code: string;
  /** Status, code and message. */
  readonly words: string;
  /** As long as it asks us to wait. */
  readonly waitMs: number;
};

/** Never throws. `nowMs`: for a Retry-After that is a date. */
export async function refusalIn(answer: Response, nowMs: number): Promise<GraphRefusal> {
  const { status, headers } = answer;
  const body = (await answer.json().catch(() => null)) as { error?: { code?: unknown; message?: unknown } } | null;
  const [code, message] = [body?.error?.code, body?.error?.message].map((one) => (typeof one === "string" ? one : ""));
  const waitMs = retryAfterMs(headers.get("retry-after"), nowMs);
  const claims = /\bclaims=/.test(headers.get("www-authenticate") ?? "") ? "it asks for other claims" : "";
  const words = [`${status} ${code}`.trim(), message, claims].filter((one) => one !== "").join(": ");
  return { status, code: code ?? "", words, waitMs };
}
