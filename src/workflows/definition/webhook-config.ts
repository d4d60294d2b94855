// Whether a webhook can be called as it is configured.
import { refuse, type FieldError } from "../../errors.ts";
import { MAX_CODE_CHARS } from "../../templates/template-syntax.ts";
import { closedPortOf, headerFaults, originOf, urlFaults } from "../../webhooks/sending/url.ts";
import type { StepType, WebhookConfig } from "./definition.ts";
import { codeCharsOf, faultsIn, syntaxFault } from "./texts.ts";

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
