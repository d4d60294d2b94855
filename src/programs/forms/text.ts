// A text of a form in several languages, and the choice of one for a reader.
import { invalidField } from "../../base/errors.ts";
import { languageOf, LANGUAGES, type Language } from "../../base/languages/language.ts";

export type LocalizedText = Readonly<Partial<Record<Language, string>>>;

type LanguageText = { readonly language: Language; readonly text: string };

/** The text in this language, else in the workspace's, else in any; null = none. */
export function saidIn(text: LocalizedText, language: Language, otherwise: Language): LanguageText | null {
  const given = Object.keys(text) as Language[];
  const read = [language, otherwise, ...given].find((one) => text[one]);
  return read ? { language: read, text: text[read] ?? "" } : null;
}

/** Empty = there is no text. */
export function textIn(text: LocalizedText, language: Language, otherwise: Language): string {
  return saidIn(text, language, otherwise)?.text ?? "";
}

/**
 * Reduces each tag to its language; drops languages without text.
 * @throws AppError VALIDATION_ERROR for a language that recipients are not addressed in
 */
export function readText(field: string, text: Readonly<Record<string, string>>): LocalizedText {
  const said: [Language, string][] = [];
  for (const [tag, words] of Object.entries(text)) {
    const language = languageOf(tag);
    if (language === null)
      throw invalidField(field, `${tag}: the languages are ${LANGUAGES.join(", ")}.`, "unknown_language");
    if (words.trim() !== "") said.push([language, words.trim()]);
  }
  return Object.fromEntries(said);
}
