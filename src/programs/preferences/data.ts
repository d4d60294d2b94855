// The person's own data on their page: read-only, limited to the fields that the workspace shows, in their language.
import { iso } from "../../base/clock.ts";
import { choiceTextsIn } from "../../base/languages/choices.ts";
import type { Language } from "../../base/languages/language.ts";
import { separatorIn, YES_AND_NO } from "../../base/languages/names.ts";
import type { PageField } from "../../tenant/workspaces/page-fields.ts";
import type { Variables } from "../../audience/contacts/data.ts";
import { dayIn } from "./choices.ts";

/** One field as shown, in plain text. */
export type DataEntry = { readonly label: string; readonly value: string };

/** Longer texts are cut. */
const MAX_CHARS = 200;
const DATE = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

type PageLanguages = { readonly language: Language; readonly workspaceLanguage: Language };

/** Leaves out fields without a value, and values that are not a line of text. */
export function dataShownTo(
  data: Variables,
  fields: readonly PageField[],
  { language, workspaceLanguage }: PageLanguages,
): readonly DataEntry[] {
  return fields.flatMap(({ key, label }) => {
    const value = Object.hasOwn(data, key) ? valueInWords(data[key], language) : null;
    return value === null ? [] : [{ label: label[language] ?? label[workspaceLanguage] ?? key, value: cut(value) }];
  });
}

/** Null = no value to show. */
function valueInWords(value: unknown, language: Language): string | null {
  if (typeof value === "boolean") return YES_AND_NO[language][value ? 0 : 1];
  // With all of its digits: a price of 0.0005 is not 0.
  if (typeof value === "number") return new Intl.NumberFormat(language, { maximumFractionDigits: 20 }).format(value);
  if (typeof value === "string") {
    const day = dayOf(value);
    return day === null ? value.trim() || null : dayIn(language, day);
  }
  if (!Array.isArray(value)) return null;
  const items = value
    .slice(0, MAX_CHARS)
    .flatMap((one) => (Array.isArray(one) ? [] : (valueInWords(one, language) ?? [])));
  return items.length === 0 ? null : items.join(separatorIn(language));
}

/** The day as written, ignoring its time zone; null = not a day of the calendar. */
function dayOf(text: string): string | null {
  const [, day = ""] = DATE.exec(text) ?? [];
  const ms = Date.parse(day);
  return !Number.isNaN(ms) && iso(ms).startsWith(day) ? day : null;
}

function cut(text: string): string {
  const chars = [...text.slice(0, 2 * MAX_CHARS + 2)];
  return chars.length > MAX_CHARS ? `${chars.slice(0, MAX_CHARS).join("")}…` : text;
}

/** HTML. */
export function dataSection(language: Language, data: readonly DataEntry[]): string {
  if (data.length === 0) return "";
  const rows = data.map(
    ({ label, value }) => `<dt><bdi>${Bun.escapeHTML(label)}</bdi></dt><dd><bdi>${Bun.escapeHTML(value)}</bdi></dd>`,
  );
  return `<section><h2>${choiceTextsIn(language).data}</h2><dl>${rows.join("")}</dl></section>`;
}
