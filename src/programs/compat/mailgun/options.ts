// Mailgun's options of one message: `o:…`, `v:…` and tags.
import { iso } from "../../../base/clock.ts";
import { invalidField } from "../../../base/errors.ts";
import { lastValue, type WholeForm } from "../../../http/body/whole-form.ts";
import { metadataFrom, tagsFrom } from "../labels.ts";

/** The values of fields whose names begin so, each the last one given. */
export function prefixed({ texts }: WholeForm, prefix: "h:" | "v:"): readonly (readonly [string, string])[] {
  return Object.entries(texts).flatMap(([name, values]) =>
    name.startsWith(prefix) ? [[name.slice(prefix.length), values.at(-1) ?? ""] as const] : [],
  );
}

/** Tags, and variables as metadata. */
export function labelsIn(form: WholeForm) {
  const tags = tagsFrom(form.texts["o:tag"] ?? []);
  const metadata = metadataFrom("v:", Object.fromEntries(prefixed(form, "v:")));
  return { tags: tags.labels, metadata: metadata.labels, said: [...tags.said, ...metadata.said] };
}

/** Opens and clicks are tracked together, where the workspace wants it. @throws AppError VALIDATION_ERROR */
export function trackingIn(form: WholeForm): { readonly isOn: boolean; readonly said: readonly string[] } {
  const all = flagIn(form, "o:tracking");
  const [opens, clicks] = [flagIn(form, "o:tracking-opens"), flagIn(form, "o:tracking-clicks")];
  const isOn = all !== false && (opens !== false || clicks !== false);
  const differ = isOn && opens !== undefined && clicks !== undefined && opens !== clicks;
  return { isOn, said: differ ? ["Opens and clicks are tracked together."] : [] };
}

/** @throws AppError VALIDATION_ERROR */
export function isTest(form: WholeForm): boolean {
  return flagIn(form, "o:testmode") ?? false;
}

function flagIn(form: WholeForm, field: string): boolean | undefined {
  const text = lastValue(form, field);
  if (text === undefined) return undefined;
  if (["yes", "true", "htmlonly"].includes(text)) return true;
  if (isOff(text)) return false;
  throw invalidField(field, "This must be yes or no.", "invalid");
}

export function isOff(text: string | undefined): boolean {
  return text === "no" || text === "false";
}

/** @throws AppError VALIDATION_ERROR */
export function deliveryTimeIn(form: WholeForm): string | undefined {
  const field = "o:deliverytime";
  const text = lastValue(form, field);
  if (text === undefined) return undefined;
  const ms = msOf(text);
  if (ms === null) throw invalidField(field, "This must be a date such as Fri, 14 Oct 2026 23:10:10 +0000.", "invalid");
  return iso(ms);
}

/** ISO dates of later years have a sign. */
const END_OF_TIME_MS = 253_402_300_800_000;

/** RFC 2822 §3.3, or seconds since 1970. Null = no time. */
export function msOf(text: string): number | null {
  const ms = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text);
  return Number.isFinite(ms) && Math.abs(ms) < END_OF_TIME_MS ? Math.round(ms) : null;
}
