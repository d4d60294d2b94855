// The faults of a webhook's configuration.
import { refuse, type FieldError } from "../../../../base/errors.ts";
import { noteWarning } from "../../../../http/body/body-notes.ts";
import { MAX_CODE_CHARS } from "../../../../content/templates/liquid/template-syntax.ts";
import { privateHost } from "../../../webhooks/sending/private-host.ts";
import { closedPortOf, headerFaults, originOf, urlFaults } from "../../../webhooks/sending/url.ts";
import type { StepType, WebhookConfig } from "../definition.ts";
import { codeCharsOf, faultsIn, syntaxFault } from "../texts.ts";

const TOO_MUCH_CODE: FieldError = {
  field: "body",
  message: `The texts of a webhook hold at most ${MAX_CODE_CHARS} characters in {{ }} and {% %} together.`,
  code: "too_big",
};

/** `field` is a path within the configuration. */
export function webhookFaults({ url, headers = {}, body }: WebhookConfig): FieldError[] {
  const texts = { url, headers, body };
  const syntaxFaults = codeCharsOf(texts) > MAX_CODE_CHARS ? [TOO_MUCH_CODE] : faultsIn(texts, syntaxFault);
  return [...urlFaults(url), ...headerFaults(headers), ...syntaxFaults];
}

/** Warns of each webhook whose host is private. `body`: the request's; `allow`: the configuration's. */
export function warnOfPrivateHosts(
  body: object & { readonly steps?: readonly RawStep[] | null },
  allow: readonly string[],
): void {
  for (const [at, step] of (body.steps ?? []).entries()) warnOfPrivateHost(body, step, `steps.${at}.`, allow);
}

/** As `warnOfPrivateHosts`, for one step; `path` as in `refuseClosedPort`. */
export function warnOfPrivateHost(
  body: object,
  { type, config }: RawStep,
  path: string,
  allow: readonly string[],
): void {
  const url = type === "WEBHOOK" ? (config as Partial<WebhookConfig> | null | undefined)?.url : null;
  const message = typeof url === "string" ? privateHost(url, allow) : null;
  if (message !== null) noteWarning(body, { field: `${path}config.url`, message });
}

type RawStep = { readonly type: StepType; readonly config?: object | null | undefined };

/**
 * A webhook to a closed port would fail each time. Its origin is literal, so it is refused when it is saved. `allow` is
 * the configuration's: workspaces do not know it.
 * @throws AppError VALIDATION_ERROR; `path` leads to the step in the request, with a dot at its end, or is empty
 */
export function refuseClosedPort({ type, config }: RawStep, path: string, allow: readonly string[]): void {
  const origin = type === "WEBHOOK" ? originOf((config as WebhookConfig).url) : null;
  const message = origin === null ? null : closedPortOf(new URL(origin), allow);
  if (message !== null) refuse([{ field: `${path}config.url`, message, code: "closed_port" }]);
}
