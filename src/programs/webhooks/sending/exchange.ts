// One attempt at a webhook over the network; its failures are values.
import { isIPv6 } from "node:net";
import type { WebhookRequest } from "./call.ts";
import { targetOf, type TargetRules } from "./target.ts";

export type WebhookAnswer =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfter: string | null; readonly text: string }
  /** The address must not be called. */
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "unreachable"; readonly reason: string };

/** The headers that sign a body. */
type BodySigner = (body: string) => Readonly<Record<string, string>>;

export type ExchangeTerms = TargetRules & { readonly timeoutMs: number };

const MAX_REDIRECTS = 3;
const MAX_ADDRESSES = 3;
const MAX_ANSWER_BYTES = 64 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const USER_AGENT = "Posthorn";

/** Follows redirects, each checked as a configured URL is. Up to 64 KB of the answer are read. */
export async function exchange(
  request: WebhookRequest,
  sign: BodySigner,
  terms: ExchangeTerms,
): Promise<WebhookAnswer> {
  const signal = AbortSignal.timeout(terms.timeoutMs);
  let next: WebhookRequest = request;
  for (let redirects = 0; ; redirects++) {
    const response = await reach(next, sign, terms, signal);
    if ("kind" in response) return response;
    const location = REDIRECTS.has(response.status) ? response.headers.get("location") : null;
    if (location === null) return answerOf(response);
    await response.body?.cancel().catch(() => undefined);
    if (redirects === MAX_REDIRECTS) return { kind: "refused", reason: "It was redirected more than three times." };
    if (!URL.canParse(location, next.url.href))
      return { kind: "refused", reason: "It was redirected to an invalid URL." };
    next = redirected(next, new URL(location, next.url.href), response.status);
  }
}

/** The response as it begins, if the target may be called and answers; a redirect is one as well. */
export async function reach(
  request: WebhookRequest,
  sign: BodySigner,
  rules: TargetRules,
  signal: AbortSignal,
): Promise<Response | WebhookAnswer> {
  const target = await inTime(targetOf(request.url, rules), signal);
  if (target === null) return unreachable("No answer in time.");
  if ("refused" in target) return { kind: "refused", reason: target.refused };
  if ("unreachable" in target) return unreachable(target.unreachable);
  return firstResponse(request, sign, target.addresses, signal);
}

/** Where an address refuses the connection, the next one is tried. */
async function firstResponse(
  request: WebhookRequest,
  sign: BodySigner,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Response | WebhookAnswer> {
  let fault: WebhookAnswer = unreachable("There is no address to call.");
  for (const address of addresses.slice(0, MAX_ADDRESSES)) {
    try {
      return await send(request, sign, address, signal);
    } catch (error) {
      fault = unreachable(signal.aborted ? "No answer in time." : faultOf(error));
      if (signal.aborted || (error as { code?: string }).code !== "ConnectionRefused") return fault;
    }
  }
  return fault;
}

/** To the address that was checked: the name goes into the Host header and, over TLS, into SNI. */
function send(
  { url, method, headers, body, contentType }: WebhookRequest,
  sign: BodySigner,
  address: string,
  signal: AbortSignal,
): Promise<Response> {
  const at = new URL(url);
  at.hostname = isIPv6(address) ? `[${address}]` : address;
  const isEncrypted = url.protocol === "https:";
  return fetch(at, {
    method,
    headers: {
      "user-agent": USER_AGENT,
      accept: "*/*",
      "accept-encoding": "identity",
      ...(body === null ? {} : { "content-type": contentType }),
      ...lowerCased(headers),
      ...sign(body ?? ""),
      host: url.host,
    },
    ...(body === null ? {} : { body }),
    redirect: "manual",
    decompress: false,
    signal,
    // Kept connections are found by their address alone, and one address may have certificates for many names.
    ...(isEncrypted ? { keepalive: false, tls: { serverName: url.hostname } } : {}),
  });
}

/**
 * Keeps method and body, except for a GET after 303, which means that they were received: after 301 and 302, where
 * browsers drop them, the event would be lost. Configured headers are for the configured origin.
 */
function redirected(request: WebhookRequest, url: URL, status: number): WebhookRequest {
  return {
    ...request,
    url,
    ...(status === 303 ? { method: "GET" as const, body: null } : {}),
    headers: url.origin === request.url.origin ? request.headers : {},
  };
}

async function answerOf(response: Response): Promise<WebhookAnswer> {
  const { status, headers } = response;
  try {
    return { kind: "answered", status, retryAfter: headers.get("retry-after"), text: await beginningOf(response) };
  } catch {
    return unreachable(`The answer (${status}) ended early.`);
  }
}

async function beginningOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_ANSWER_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER_BYTES).toString("utf8").replaceAll("\0", "");
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function inTime<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
  const late = new Promise<null>((resolve) => signal.addEventListener("abort", () => resolve(null), { once: true }));
  return Promise.race([work, late]);
}

function unreachable(reason: string): WebhookAnswer {
  return { kind: "unreachable", reason };
}

/** Short: the runtime's own message may hold the whole URL. */
function faultOf(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  return `The connection failed (${code ?? name ?? "unknown"}).`;
}
