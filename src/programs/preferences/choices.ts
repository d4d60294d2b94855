// The forms of a recipient's page besides its topics: a pause, and the language.
import { choiceTextsIn } from "../../base/languages/choices.ts";
import { LANGUAGE_NAMES } from "../../base/languages/names.ts";
import { LANGUAGES, type Language, type RecipientTexts } from "../../base/languages/language.ts";
import { PAUSE_DAYS } from "../../audience/contacts/pause.ts";

/** A form that posts to the page. `content`: HTML. */
export function formOf(token: string, content: string): string {
  return `<form method="post" action="/manage/${Bun.escapeHTML(token)}">${content}</form>`;
}

/** A day in the form of the language. */
export function dayIn(language: Language, at: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(Date.parse(at));
}

/** The choice of a pause's length. */
export function pauseForm(token: string, language: Language): string {
  const { pauseTitle, pauseText } = choiceTextsIn(language);
  const days = new Intl.NumberFormat(language, { style: "unit", unit: "day", unitDisplay: "long" });
  const buttons = PAUSE_DAYS.map((count) => `<button name="pause" value="${count}">${days.format(count)}</button>`);
  return formOf(
    token,
    `<fieldset><legend>${pauseTitle}</legend><p>${pauseText}</p><div class="row">${buttons.join("")}</div></fieldset>`,
  );
}

export function resumeForm(token: string, language: Language): string {
  return formOf(token, `<button name="pause" value="0">${choiceTextsIn(language).resume}</button>`);
}

/** Each language is listed under its own name. */
export function languageForm(token: string, language: Language, { save }: RecipientTexts): string {
  const options = LANGUAGES.map((one) => {
    const chosen = one === language ? " selected" : "";
    return `<option value="${one}" lang="${one}"${chosen}>${LANGUAGE_NAMES[one]}</option>`;
  });
  const label = `<label for="language">${choiceTextsIn(language).language}</label>`;
  return formOf(
    token,
    `${label}<div class="row"><select id="language" name="language">${options.join("")}</select><button>${save}</button></div>`,
  );
}
