// Whether a webhook can be called as it is configured (interface-gaps.md §6 "Webhook").
import { refuse, type FieldError } from "../../errors.ts";
import { MAX_CODE_CHARS } from "../../templates/template-syntax.ts";
import type { StepType, WebhookConfig } from "../definition.ts";
import { codeCharsOf, syntaxFault, textsIn } from "../texts.ts";
import { closedPortOf } from "./target.ts";

const MAX_HEADERS = 30;
const MAX_FAULTS = 100;
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;
/** What belongs to the connection, or to the signature. */
const RESERVED_HEADERS =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|proxy-.*|webhook-.*)$/i;
const TOO_MUCH_CODE: FieldError = {
  field: "body",
  message: `The texts of a webhook hold at most ${MAX_CODE_CHARS} characters in {{ }} and {% %} together.`,
  code: "too_big",
};
/** Scheme, host and port are written out: a contact's data must not choose who gets the payload and its headers. */
const LITERAL_ORIGIN = /^https?:\/\/[^/?#\s\\@{}]+(?=[/?#]|$)/i;

/** `field` is a path within the configuration. */
export function webhookFaults(config: WebhookConfig): FieldError[] {
  return [...urlFaults(config.url), ...headerFaults(config.headers ?? {}), ...syntaxFaults(config)];
}

/** `https://example.com:8443` of `https://example.com:8443/x?y={{ z }}`; null if the URL does not begin with one. */
export function originOf(url: string): string | null {
  const origin = LITERAL_ORIGIN.exec(url)?.[0];
  return origin !== undefined && URL.canParse(origin) ? new URL(origin).origin : null;
}

/** A step whose configuration has been read, or is as it was sent. */
type Configured = { readonly type: StepType; readonly config?: object | null | undefined };

/**
 * A webhook to a port that is never called would fail each time; its origin is written out, so that it can be told when it is saved.
 * `allow`: as the configuration has it, which no workspace knows.
 * @throws AppError VALIDATION_ERROR; `path` leads to the step in the request, with a dot at its end, or is empty
 */
export function refuseClosedPort({ type, config }: Configured, path: string, allow: readonly string[]): void {
  const origin = type === "WEBHOOK" ? originOf((config as WebhookConfig).url) : null;
  const message = origin === null ? null : closedPortOf(new URL(origin), allow);
  if (message !== null) refuse([{ field: `${path}config.url`, message, code: "closed_port" }]);
}

function urlFaults(url: string): FieldError[] {
  if (originOf(url) !== null) return [];
  const message = "The URL must begin with http:// or https:// and a host that is written out, without a user name.";
  return [{ field: "url", message, code: "invalid_url" }];
}

function headerFaults(headers: Readonly<Record<string, string>>): FieldError[] {
  const names = Object.keys(headers);
  if (names.length > MAX_HEADERS)
    return [{ field: "headers", message: `At most ${MAX_HEADERS} headers can be set.`, code: "too_big" }];
  return names.flatMap((name) => {
    const field = `headers.${name.slice(0, 100)}`;
    if (!TOKEN.test(name)) return [{ field, message: "This is no name of a header.", code: "invalid_header" }];
    if (RESERVED_HEADERS.test(name)) return [{ field, message: "This header cannot be set.", code: "invalid_header" }];
    if (/[\r\n\0]/.test(headers[name] ?? ""))
      return [{ field, message: "The value of a header stands on one line.", code: "invalid_header" }];
    return [];
  });
}

function syntaxFaults({ url, headers, body }: WebhookConfig): FieldError[] {
  if (codeCharsOf({ url, headers, body }) > MAX_CODE_CHARS) return [TOO_MUCH_CODE];
  const faults: FieldError[] = [];
  for (const [field, text] of textsIn({ url, headers, body })) {
    const message = faults.length < MAX_FAULTS ? syntaxFault(text) : null;
    if (message !== null) faults.push({ field, message, code: "template_syntax" });
  }
  return faults;
}
