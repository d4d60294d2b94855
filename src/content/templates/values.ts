// What goes into a template, and how a value looks in a mail.
import { Drop, toValue } from "liquidjs";

/** `text`: subject and text part, values as they are. `html`: values are escaped. `url`: values are percent-encoded. */
export type TemplateFormat = "html" | "text" | "url";

/** Of what one rendering prints, and of all that its filters make on the way. */
export const MAX_OUTPUT_CHARS = 4_000_000;

/** The variables of one rendering, already put together by the caller. */
export type RenderScope = Readonly<Record<string, unknown>>;

/** What a template captured of its own output: its values are escaped already, its tags are the author's. */
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

/** A value as `format` wants it: nothing for a missing one, `a, b` for a list of simple values, JSON for the rest. */
export function show(value: unknown, format: TemplateFormat): string {
  if (value instanceof CaptureText) return value.text;
  const text = plain(toValue(value));
  if (format === "url") return encoded(text);
  return format === "html" ? Bun.escapeHTML(text) : text;
}

/** Neither ends its part of the URL, nor leads out of it. */
function encoded(text: string): string {
  return /^\.\.?$/.test(text) ? "" : encodeURIComponent(text.toWellFormed());
}

/** True for what `??` replaces. 0 and false are values. */
export function isMissing(value: unknown): boolean {
  const known: unknown = toValue(value);
  return known === undefined || known === null || known === "";
}

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', "#34": '"', "#39": "'", "#x27": "'" } as const;

/** `text` without the entities that escaping makes. */
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
