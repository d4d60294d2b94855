// The request of a webhook: its texts rendered, its body put together, signed (interface-gaps.md §6 "Webhook").
import { createHmac } from "node:crypto";
import type { Clock } from "../../clock.ts";
import { render, renderHeader, type Scope } from "../../templates/render.ts";
import type { WebhookConfig } from "../definition.ts";
import type { Payload } from "./webhook.ts";
import { originOf } from "./config.ts";

export type WebhookRequest = {
  readonly url: URL;
  readonly method: WebhookConfig["method"];
  /** Those that were configured: for no other origin to see. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null for GET. */
  readonly body: string | null;
  readonly contentType: string;
};

/** Why there is no request to make; no second attempt would change that. */
export class UnfitRequest extends Error {
  override readonly name = "UnfitRequest";
}

const MAX_URL_CHARS = 8_000;
const MAX_HEADER_CHARS = 8_000;
const MAX_BODY_BYTES = 1_000_000;
/** For all texts of one webhook together: others wait meanwhile. */
const MAX_RENDERING_MS = 500;
const JSON_TYPE = "application/json";

/** @throws UnfitRequest if what its texts become cannot be sent */
export function requestOf(config: WebhookConfig, payload: Payload, clock: Clock): WebhookRequest {
  const scope = scopeOf(payload);
  const fill = withinTime(clock, (text, as: "url" | "text" | "header") =>
    as === "header" ? renderHeader(text, scope) : render(text, scope, as),
  );
  const headers = headersOf(config, (text) => fill(text, "header"));
  const given = Object.keys(headers).find((name) => name.toLowerCase() === "content-type");
  const contentType = given === undefined ? JSON_TYPE : (headers[given] ?? JSON_TYPE);
  const url = urlOf(config.url, fill(config.url, "url"));
  const body = config.method === "GET" ? null : bodyOf(config, payload, contentType, (text) => fill(text, "text"));
  if (body !== null && Buffer.byteLength(body) > MAX_BODY_BYTES)
    throw new UnfitRequest(`The body would be larger than ${MAX_BODY_BYTES} bytes.`);
  return { url, method: config.method, headers, body, contentType };
}

/** The headers of Standard Webhooks (its §"Signature scheme"); `secret` is the workspace's, `whsec_…`. */
export function signatureOf(id: string, body: string, secret: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}

/** As in mails: the contact's data at the top level and under `data`; besides these what the payload has. */
function scopeOf(payload: Payload): Scope {
  const { data, email, subscribed } = payload.contact;
  return { ...data, data, email, subscribed, ...payload };
}

/** Each text by itself is bounded by the language; many of them are bounded here. */
function withinTime<As>(clock: Clock, fill: (text: string, as: As) => string): (text: string, as: As) => string {
  const startedMs = clock.monotonicMs();
  return (text, as) => {
    if (clock.monotonicMs() - startedMs > MAX_RENDERING_MS)
      throw new UnfitRequest("Rendering its texts takes too long.");
    return fill(text, as);
  };
}

/** A value within the path or the query is encoded, so the URL stays the one that was meant. */
function urlOf(source: string, rendered: string): URL {
  const url = rendered.length <= MAX_URL_CHARS && URL.canParse(rendered) ? new URL(rendered) : null;
  if (!url || url.origin !== originOf(source)) throw new UnfitRequest("Rendered, the URL is none, or it is too long.");
  url.hash = "";
  return url;
}

function headersOf({ headers = {} }: WebhookConfig, fill: (text: string) => string): Record<string, string> {
  const filled = Object.entries(headers).map(([name, text]) => [name, latin1(fill(text).trim())] as const);
  const tooLong = filled.find(([, value]) => value.length > MAX_HEADER_CHARS);
  if (tooLong) throw new UnfitRequest(`Rendered, the header ${tooLong[0]} is too long.`);
  return Object.fromEntries(filled);
}

/** A header has bytes, not characters: what is beyond ASCII goes as UTF-8. */
function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** A configured text goes as it is if it is not to be JSON. */
function bodyOf(
  { body }: WebhookConfig,
  payload: Payload,
  contentType: string,
  fill: (text: string) => string,
): string {
  if (body === undefined) return JSON.stringify(payload);
  const filled = filledIn(body, fill);
  return typeof filled === "string" && !/\bjson\b/i.test(contentType) ? filled : JSON.stringify(filled);
}

function filledIn(value: unknown, fill: (text: string) => string): unknown {
  if (typeof value === "string") return fill(value);
  if (Array.isArray(value)) return value.map((item) => filledIn(item, fill));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filledIn(inner, fill)]));
}
