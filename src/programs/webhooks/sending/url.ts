// The URLs and headers that a webhook may be configured with.
import { unescape } from "node:querystring";
import type { FieldError } from "../../../base/errors.ts";

/** Stands for header values towards callers who may not see them. */
export const MASK = "••••••••";

type Headers = Readonly<Record<string, string>>;

const MAX_HEADERS = 30;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** Headers of the connection or of the signature. */
const RESERVED_HEADERS =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|webhook-.*|svix-.*)$/i;
/** Scheme, host and port are literal: a contact's data must not choose who gets the payload and its headers. */
const LITERAL_ORIGIN = /^https?:\/\/[^/?#\s\\@{}]+(?=[/?#]|$)/i;

/** `https://example.com:8443` of `https://example.com:8443/x?y={{ z }}`; null if the URL does not begin with one. */
export function originOf(url: string): string | null {
  const origin = LITERAL_ORIGIN.exec(url)?.[0];
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).origin : null;
}

/** The reason why no webhook goes to the port of this URL, at any host; null if one may. */
export function closedPortOf(url: URL, allow: readonly string[]): string | null {
  const port = portOf(url);
  if (port === 0) return "Port 0 cannot be called.";
  if (port >= 1024 || port === 80 || port === 443 || isAllowed(url, allow)) return null;
  return `Webhooks do not call port ${port}: below 1024 only 80 and 443 are open. [webhooks] allow opens others.`;
}

/** True if the configuration opens this host, or this host and port. */
export function isAllowed(url: URL, allow: readonly string[]): boolean {
  const host = hostOf(url);
  return allow.includes(host) || allow.includes(`${host}:${portOf(url)}`);
}

export function hostOf({ hostname }: URL): string {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return bare.replace(/\.$/, "");
}

function portOf({ protocol, port }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** The user and password of a URL, as the header that HTTP has for them. */
export function withoutPassword({ url, headers }: { readonly url: string; readonly headers: Headers }) {
  if (!URL.canParse(url)) return { url, headers };
  const bare = new URL(url);
  const [user, password] = [unescape(bare.username), unescape(bare.password)];
  if (user === "" && password === "") return { url, headers };
  bare.username = bare.password = "";
  const others = Object.entries(headers).filter(([name]) => name.toLowerCase() !== "authorization");
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  return { url: bare.href, headers: { ...Object.fromEntries(others), Authorization: authorization } };
}

export function urlFaults(url: string): FieldError[] {
  if (originOf(url) !== null) return [];
  const message = "The URL must begin with http:// or https:// and a literal host, without a user name.";
  return [{ field: "url", message, code: "invalid_url" }];
}

export function headerFaults(headers: Headers): FieldError[] {
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS)
    return [{ field: "headers", message: `At most ${MAX_HEADERS} headers can be set.`, code: "too_big" }];
  return names.flatMap((name) => {
    const message = headerFault(name, headers[name] ?? "");
    return message === null ? [] : [{ field: `headers.${name.slice(0, 100)}`, message, code: "invalid_header" }];
  });
}

function headerFault(name: string, value: string): string | null {
  if (!TOKEN.test(name)) return "Not the name of a header.";
  if (RESERVED_HEADERS.test(name)) return "This header cannot be set.";
  if (value === MASK) return "This is the mask of a value, and none is stored under this name: give the value itself.";
  return /[\r\n\0]/.test(value) ? "The value of a header is one line." : null;
}

export function maskedHeaders(headers: Headers): Headers {
  return Object.fromEntries(Object.keys(headers).map((name) => [name, MASK]));
}

/** With the stored values in place of masks; a mask of no stored value stays. */
export function unmaskedHeaders(headers: Headers, stored: Headers): Headers {
  const known = new Map(Object.entries(stored));
  const kept = Object.entries(headers).map(([name, value]) => [
    name,
    value === MASK ? (known.get(name) ?? MASK) : value,
  ]);
  return Object.fromEntries(kept);
}
