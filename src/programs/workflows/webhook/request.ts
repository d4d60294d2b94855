// The request of a webhook: its payload, and its texts to render (docs/webhooks.md).
import type { RenderPart, TextSource } from "../../../content/rendering/parts.ts";
import type { RenderScope } from "../../../content/templates/liquid/render.ts";
import type { WebhookConfig } from "../definition/definition.ts";
import { filledIn } from "../definition/texts.ts";
import { UnfitRequest, type WebhookRequest } from "../../webhooks/sending/call.ts";
import { originOf } from "../../webhooks/sending/url.ts";
import type { Payload, WebhookPayload } from "./record.ts";

const MAX_URL_CHARS = 8_000;
const MAX_HEADER_CHARS = 8_000;
const MAX_BODY_BYTES = 1_000_000;
const JSON_TYPE = "application/json";

type TextFiller = (source: string, as: TextSource["as"]) => string;

/** The texts of a webhook, to be rendered. `requestOf` takes the results in the same order. */
export function textsOf(config: WebhookConfig, payload: Payload): RenderPart {
  const texts: TextSource[] = [];
  filledTexts(config, (source, as) => {
    texts.push({ source, as });
    return '""';
  });
  return { kind: "texts", texts, scope: scopeOf(payload) };
}

/** @throws UnfitRequest if the rendered texts cannot be sent */
export function requestOf(config: WebhookConfig, payload: Payload, rendered: readonly string[]): WebhookRequest {
  let at = 0;
  const filled = filledTexts(config, (_, as) => rendered[at++] ?? (as === "value" ? '""' : ""));
  const headers = headersOf(filled.headers);
  const contentType = typeIn(headers) ?? JSON_TYPE;
  const url = urlOf(config.url, filled.url);
  const body = config.method === "GET" ? null : bodyOf(filled.body, payload, isJson(headers));
  if (body !== null && Buffer.byteLength(body) > MAX_BODY_BYTES)
    throw new UnfitRequest(`The body would be larger than ${MAX_BODY_BYTES} bytes.`);
  return { url, method: config.method, headers, body, contentType };
}

/** The contact's data at the top level and under `data`, as in mails, and the payload. */
function scopeOf(payload: Payload): RenderScope {
  const { data, email, subscribed } = payload.contact;
  const { startedBy: _, ...shown } = payload;
  return { ...data, data, email, subscribed, ...shown };
}

/** Always in the same order. */
function filledTexts({ url, method, headers = {}, body }: WebhookConfig, fill: TextFiller) {
  return {
    url: fill(url, "url"),
    headers: Object.entries(headers).map(([name, text]) => [name, fill(text, "header")] as const),
    body: method === "GET" ? undefined : filledBody(body, isJson(headers), fill),
  };
}

/** In JSON a text that is one variable becomes its value. */
function filledBody(body: unknown, asJson: boolean, fill: TextFiller): unknown {
  if (typeof body === "string" && !asJson) return fill(body, "text");
  return filledIn(body, (text) => JSON.parse(fill(text, "value")));
}

function isJson(headers: Readonly<Record<string, string>>): boolean {
  return /\bjson\b/i.test(typeIn(headers) ?? JSON_TYPE);
}

function typeIn(headers: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
}

/** Values in the path and the query are encoded, so the origin cannot change. */
function urlOf(source: string, rendered: string): URL {
  const url = rendered.length <= MAX_URL_CHARS && URL.canParse(rendered) ? new URL(rendered) : null;
  if (!url || url.origin !== originOf(source))
    throw new UnfitRequest("After rendering, the URL is invalid or too long.");
  url.hash = "";
  return url;
}

function headersOf(rendered: readonly (readonly [name: string, text: string])[]): Record<string, string> {
  const headers = rendered.map(([name, text]) => [name, latin1(text.trim())] as const);
  const tooLong = headers.find(([, value]) => value.length > MAX_HEADER_CHARS);
  if (tooLong) throw new UnfitRequest(`After rendering, the header ${tooLong[0]} is too long.`);
  return Object.fromEntries(headers);
}

/** Headers are bytes: text beyond ASCII is sent as UTF-8. */
function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** A configured text is sent unchanged unless the body is JSON. */
function bodyOf(body: unknown, payload: Payload, asJson: boolean): string {
  if (body === undefined) return JSON.stringify(sentOf(payload));
  return typeof body === "string" && !asJson ? body : JSON.stringify(body);
}

/** Receivers may take each field of `event` for one of its data: other facts about it are beside it. */
function sentOf({ startedBy, ...payload }: Payload): WebhookPayload {
  if (!startedBy) return payload;
  const { name: eventName, id: eventId, createdAt: eventAt } = startedBy;
  return { ...payload, eventName, eventId, eventAt };
}
