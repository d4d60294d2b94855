// In which language a contact is spoken to.
import { languageAmong, type Language } from "../languages/language.ts";

/** What its data says under `language` or `locale`, else `otherwise`. `data` is JSON text. */
export function languageOfContact(data: string, otherwise: Language): Language {
  if (data === "{}") return otherwise;
  const { language, locale } = JSON.parse(data) as { language?: unknown; locale?: unknown };
  return languageAmong(language, locale) ?? otherwise;
}
