// Whether a webhook can be called as it is configured.
import { refuse, type FieldError } from "../../errors.ts";
import { MAX_CODE_CHARS } from "../../templates/template-syntax.ts";
import type { StepType, WebhookConfig } from "./definition.ts";
import { MASK } from "./masked-headers.ts";
import { codeCharsOf, faultsIn, syntaxFault } from "./texts.ts";

const MAX_HEADERS = 30;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** What belongs to the connection, or to the signature. */
const RESERVED_HEADERS =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|webhook-.*)$/i;
const TOO_MUCH_CODE: FieldError = {
  field: "body",
  message: `The texts of a webhook hold at most ${MAX_CODE_CHARS} characters in {{ }} and {% %} together.`,
  code: "too_big",
};
/** Scheme, host and port are literal: a contact's data must not choose who gets the payload and its headers. */
const LITERAL_ORIGIN = /^https?:\/\/[^/?#\s\\@{}]+(?=[/?#]|$)/i;

/** `field` is a path within the configuration. */
export function webhookFaults({ url, headers = {}, body }: WebhookConfig): FieldError[] {
  const texts = { url, headers, body };
  const syntaxFaults = codeCharsOf(texts) > MAX_CODE_CHARS ? [TOO_MUCH_CODE] : faultsIn(texts, syntaxFault);
  return [...urlFaults(url), ...headerFaults(headers), ...syntaxFaults];
}

/** `https://example.com:8443` of `https://example.com:8443/x?y={{ z }}`; null if the URL does not begin with one. */
export function originOf(url: string): string | null {
  const origin = LITERAL_ORIGIN.exec(url)?.[0];
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).origin : null;
}

/** Why no webhook goes to the port of this URL, whatever the host turns out to be; null if one may. */
export function closedPortOf(url: URL, allow: readonly string[]): string | null {
  const port = portOf(url);
  if (port === 0) return "Port 0 cannot be called.";
  if (port >= 1024 || port === 80 || port === 443 || isAllowed(url, allow)) return null;
  return `Webhooks do not call port ${port}: below 1024 only 80 and 443 are open. [webhooks] allow opens others.`;
}

/** Whether the configuration opens this host, or this host and port. */
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

/**
 * A webhook to a closed port would fail each time. Its origin is literal, so it is refused when it is saved. `allow` is
 * the configuration's: workspaces do not know it.
 * @throws AppError VALIDATION_ERROR; `path` leads to the step in the request, with a dot at its end, or is empty
 */
export function refuseClosedPort(
  { type, config }: { readonly type: StepType; readonly config?: object | null | undefined },
  path: string,
  allow: readonly string[],
): void {
  const origin = type === "WEBHOOK" ? originOf((config as WebhookConfig).url) : null;
  const message = origin === null ? null : closedPortOf(new URL(origin), allow);
  if (message !== null) refuse([{ field: `${path}config.url`, message, code: "closed_port" }]);
}

function urlFaults(url: string): FieldError[] {
  if (originOf(url) !== null) return [];
  const message = "The URL must begin with http:// or https:// and a literal host, without a user name.";
  return [{ field: "url", message, code: "invalid_url" }];
}

function headerFaults(headers: Readonly<Record<string, string>>): FieldError[] {
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
