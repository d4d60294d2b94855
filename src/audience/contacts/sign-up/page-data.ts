// The person's own data on their page, as far as the workspace shows it: to read, in the words of their language.
import { iso } from "../../../base/clock.ts";
import { choiceTextsIn } from "../../../base/languages/choices.ts";
import type { Language } from "../../../base/languages/language.ts";
import { separatorIn, YES_AND_NO } from "../../../base/languages/names.ts";
import type { PageField } from "../../../tenant/workspaces/page-fields.ts";
import type { Variables } from "../data.ts";
import { dayIn } from "./page-choices.ts";

/** What is shown of one field. Plain texts. */
export type DataShown = { readonly label: string; readonly value: string };

/** A longer text is cut. */
const MAX_CHARS = 200;
const DATE = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

type PageLanguages = { readonly language: Language; readonly workspaceLanguage: Language };

/** Fields without a value, and values that are no line of text, are left out. */
export function dataShownTo(
  data: Variables,
  fields: readonly PageField[],
  { language, workspaceLanguage }: PageLanguages,
): readonly DataShown[] {
  return fields.flatMap(({ key, label }) => {
    const value = Object.hasOwn(data, key) ? valueInWords(data[key], language) : null;
    return value === null ? [] : [{ label: label[language] ?? label[workspaceLanguage] ?? key, value: cut(value) }];
  });
}

/** Null = there is nothing to show. */
function valueInWords(value: unknown, language: Language): string | null {
  if (typeof value === "boolean") return YES_AND_NO[language][value ? 0 : 1];
  // All of its digits: a price of 0.0005 is not 0.
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

/** As it is written, wherever that was; null = it is no day of the calendar. */
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
export function dataSection(language: Language, data: readonly DataShown[]): string {
  if (data.length === 0) return "";
  const rows = data.map(
    ({ label, value }) => `<dt><bdi>${Bun.escapeHTML(label)}</bdi></dt><dd><bdi>${Bun.escapeHTML(value)}</bdi></dd>`,
  );
  return `<section><h2>${choiceTextsIn(language).data}</h2><dl>${rows.join("")}</dl></section>`;
}
