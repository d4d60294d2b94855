// A text of a form in several languages, and which of them somebody reads.
import { invalidField } from "../errors.ts";
import { languageOf, LANGUAGES, type Language } from "../languages/language.ts";

export type Text = Readonly<Partial<Record<Language, string>>>;

/** In this language, else in the workspace's, else in the first that there is; empty = there is none. */
export function textIn(text: Text, language: Language, otherwise: Language): string {
  return text[language] || text[otherwise] || Object.values(text).find(Boolean) || "";
}

/**
 * Of a tag its language; without languages in which nothing is said.
 * @throws AppError VALIDATION_ERROR for a language that recipients are not spoken to in
 */
export function readText(field: string, text: Readonly<Record<string, string>>): Text {
  const said: [Language, string][] = [];
  for (const [tag, words] of Object.entries(text)) {
    const language = languageOf(tag);
    if (language === null)
      throw invalidField(field, `${tag}: the languages are ${LANGUAGES.join(", ")}.`, "unknown_language");
    if (words.trim() !== "") said.push([language, words.trim()]);
  }
  return Object.fromEntries(said);
}
