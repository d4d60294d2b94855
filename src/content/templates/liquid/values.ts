// The values of a template, and their form in a mail.
import { Drop, toValue } from "liquidjs";

/** `text`: subject and text part, with unchanged values. `html`: escaped values. `url`: percent-encoded values. */
export type TemplateFormat = "html" | "text" | "url";

/** The limit of the printed text of one rendering, and of all output of its filters. */
export const MAX_OUTPUT_CHARS = 4_000_000;

/** The variables of one rendering, already combined by the caller. */
export type RenderScope = Readonly<Record<string, unknown>>;

/** A template's capture of its own output: values in it are already escaped, its tags are the author's. */
export class CaptureText extends Drop {
  constructor(readonly text: string) {
    super();
  }

  override valueOf(): string {
    return this.text;
  }

  override liquidMethodMissing(key: string | number): number | undefined {
    return key === "size" ? this.text.length : undefined;
  }
}

/** A value in `format`: empty for a missing one, `a, b` for a list of simple values, JSON for the rest. */
export function show(value: unknown, format: TemplateFormat): string {
  if (value instanceof CaptureText) return value.text;
  const text = plain(toValue(value));
  if (format === "url") return encoded(text);
  return format === "html" ? Bun.escapeHTML(text) : text;
}

/** The encoded text neither ends its part of the URL nor leaves it. */
function encoded(text: string): string {
  return /^\.\.?$/.test(text) ? "" : encodeURIComponent(text.toWellFormed());
}

/** True for values that `??` replaces. 0 and false are not missing. */
export function isMissing(value: unknown): boolean {
  const known: unknown = toValue(value);
  return known === undefined || known === null || known === "";
}

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', "#34": '"', "#39": "'", "#x27": "'" } as const;

/** `text` without the entities that escaping creates. */
export function unescapeHtml(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#34|#39|#x27);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name]);
}

function plain(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null || value instanceof Drop) return "";
  if (typeof value !== "object") return typeof value === "function" ? "" : String(value);
  if (Array.isArray(value) && !value.some(isNested)) return value.map(plain).join(", ");
  return JSON.stringify(value) ?? "";
}

function isNested(value: unknown): boolean {
  return typeof value === "object" && value !== null && !(value instanceof CaptureText);
}
