// A form as HTML: the same for the hosted page and for other sites. It needs no script.
import { directionOf, type Language } from "../../base/languages/language.ts";
import { formTextsIn } from "../../base/languages/forms.ts";
import { textsIn } from "../../base/languages/texts.ts";
import {
  BESIDES,
  CONSENT,
  LONGEST_VALUE,
  OFFERED,
  TOPICS,
  type Entries,
  type Faults,
  type FormField,
} from "./fields.ts";
import type { FormSettings } from "./queries.ts";
import type { Topic } from "../../audience/topics/queries.ts";
import { textIn } from "./text.ts";

/** Names of the inputs besides the form's fields. A robot fills in the trap. */
export const [TRAP, TOKEN, LANGUAGE] = ["_website", "_token", "_language"] as const;

export type FormView = {
  readonly settings: FormSettings;
  readonly topics: readonly Topic[];
  readonly language: Language;
  /** The workspace's language: for texts that the other lacks. */
  readonly otherwise: Language;
  readonly action: string;
  /** Null = a page of another site, whose script fetches one. */
  readonly token: string | null;
  /** The entries to be corrected. */
  readonly entries?: Entries;
  readonly faults?: Faults;
};

export function formHtml(drawn: FormView): string {
  const { settings, language, otherwise, action, token } = drawn;
  const said = formTextsIn(language);
  const email = row(
    drawn,
    { name: "email", label: said.email, required: true },
    (attributes) =>
      `<input type="email" autocomplete="email" maxlength="254" ${attributes}${valueAttribute(drawn, "email")}>`,
  );
  const fields = settings.fields.map((field) => fieldHtml(drawn, field));
  const button = Bun.escapeHTML(textIn(settings.button, language, otherwise) || textsIn(language).subscribe);
  const trap =
    `<div aria-hidden="true" style="position:absolute;left:-9999px"><label>${said.leaveEmpty} ` +
    `<input name="${TRAP}" tabindex="-1" autocomplete="off"></label></div>`;
  const hidden =
    `<input type="hidden" name="${LANGUAGE}" value="${language}">` +
    (token === null ? "" : `<input type="hidden" name="${TOKEN}" value="${token}">`);
  const own = token === null ? ` data-posthorn lang="${language}" dir="${directionOf(language)}"` : "";
  return [
    `<form method="post" action="${Bun.escapeHTML(action)}"${own}>`,
    ...[email, ...fields, topicsHtml(drawn), besidesHtml(drawn), consentHtml(drawn)].filter(Boolean),
    `${hidden}${trap}`,
    `<p><button>${button}</button></p>`,
    "</form>",
  ].join("\n");
}

function fieldHtml(drawn: FormView, field: FormField): string {
  const { language, otherwise } = drawn;
  const { name, type, required } = field;
  const label = Bun.escapeHTML(textIn(field.label, language, otherwise) || name);
  if (type === "hidden") return `<input type="hidden" name="${name}"${hiddenValue(drawn, field)}>`;
  if (type === "checkbox") return box(drawn, { name, label, required });
  return row(drawn, { name, label, required }, (attributes) =>
    type === "choice"
      ? `<select ${attributes}>${optionsHtml(drawn, field)}</select>`
      : `<input ${inputType(field)} ${attributes}${valueAttribute(drawn, name)}>`,
  );
}

function inputType({ type, min, max, maxLength }: FormField): string {
  if (type === "date") return `type="date"`;
  if (type === "text") return `type="text" maxlength="${maxLength ?? LONGEST_VALUE}"`;
  const bounds = `${min === null ? "" : ` min="${min}"`}${max === null ? "" : ` max="${max}"`}`;
  return `type="number" step="any"${bounds}`;
}

function optionsHtml({ language, otherwise, entries }: FormView, { name, options }: FormField): string {
  const chosen = entries?.(name);
  const shown = options.map(({ value, label }) => {
    const mark = value === chosen ? " selected" : "";
    const words = Bun.escapeHTML(textIn(label, language, otherwise) || value);
    return `<option value="${Bun.escapeHTML(value)}"${mark}>${words}</option>`;
  });
  return `<option value="">${formTextsIn(language).choose}</option>${shown.join("")}`;
}

type FormFieldLabel = { readonly name: string; /** HTML. */ readonly label: string; readonly required: boolean };

function row(
  drawn: FormView,
  { name, label, required }: FormFieldLabel,
  control: (attributes: string) => string,
): string {
  const mark = required ? ` <small>(${formTextsIn(drawn.language).required})</small>` : "";
  const attributes = `id="${idOf(name)}" name="${name}"${required ? " required" : ""}${faultMarks(drawn, name)}`;
  return `<p><label for="${idOf(name)}">${label}${mark}</label>${control(attributes)}${faultHtml(drawn, name)}</p>`;
}

function box(drawn: FormView, { name, label, required }: FormFieldLabel): string {
  const given = drawn.entries?.(name);
  const isChecked = given !== undefined && given !== null && given !== "" && given !== false && given !== "false";
  const attributes = `id="${idOf(name)}" name="${name}"${required ? " required" : ""}${faultMarks(drawn, name)}`;
  return (
    `<p><label for="${idOf(name)}"><input type="checkbox" value="true" ${attributes}${isChecked ? " checked" : ""}> ` +
    `${label}</label>${faultHtml(drawn, name)}</p>`
  );
}

function topicsHtml({ topics, language, otherwise, entries }: FormView): string {
  if (topics.length === 0) return "";
  const given = entries?.(TOPICS);
  const chosen: readonly unknown[] = Array.isArray(given) ? given : [given];
  const boxes = topics.map(({ key, name, description }) => {
    const about = Bun.escapeHTML(textIn(description, language, otherwise));
    const mark = chosen.includes(key) ? " checked" : "";
    return (
      `<p><label><input type="checkbox" name="${TOPICS}" value="${Bun.escapeHTML(key)}"${mark}> ` +
      `${Bun.escapeHTML(textIn(name, language, otherwise) || key)}${about && ` <small>${about}</small>`}</label></p>`
    );
  });
  const offered = topics.map(({ key }) => `<input type="hidden" name="${OFFERED}" value="${Bun.escapeHTML(key)}">`);
  return `<fieldset><legend>${formTextsIn(language).topics}</legend>${boxes.join("")}</fieldset>${offered.join("")}`;
}

/** Only beside topics to choose from; else the introduction states what people get. */
function besidesHtml({ settings, topics, language, otherwise }: FormView): string {
  if (topics.length === 0) return "";
  const words = linked(textIn(settings.besides, language, otherwise));
  return words && `<p>${words}</p><input type="hidden" name="${BESIDES}" value="true">`;
}

function consentHtml(drawn: FormView): string {
  const { settings, language, otherwise } = drawn;
  if (!settings.consent) return "";
  const label = linked(textIn(settings.consent.wording, language, otherwise));
  return settings.consent.checkbox ? box(drawn, { name: CONSENT, label, required: true }) : `<p>${label}</p>`;
}

function idOf(name: string): string {
  return `f-${name}`;
}

function faultMarks({ faults }: FormView, name: string): string {
  return faults?.has(name) ? ` aria-invalid="true" aria-describedby="${idOf(name)}-fault"` : "";
}

function faultHtml({ faults, language }: FormView, name: string): string {
  const fault = faults?.get(name);
  return fault ? `<strong id="${idOf(name)}-fault">${formTextsIn(language)[fault]}</strong>` : "";
}

function valueAttribute({ entries }: FormView, name: string): string {
  const given = entries?.(name);
  return typeof given === "string" && given !== "" ? ` value="${Bun.escapeHTML(given.slice(0, 1000))}"` : "";
}

function hiddenValue(drawn: FormView, { name, value }: FormField): string {
  return valueAttribute(drawn, name) || (value === null ? "" : ` value="${Bun.escapeHTML(value)}"`);
}

/** Escaped, with links for web addresses. */
export function linked(words: string): string {
  const parts = words.split(/(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/).map((part, index) => {
    const text = Bun.escapeHTML(part);
    return index % 2 === 0 ? text : `<a href="${text}" target="_blank" rel="noopener">${text}</a>`;
  });
  return parts.join("");
}
