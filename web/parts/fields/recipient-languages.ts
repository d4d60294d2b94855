// The languages of recipient pages. The type check fails if one is missing.
import { localeOf, useLanguage } from "../../base/language.ts";
import type { Option } from "./select.tsx";
import type { RecipientLanguage } from "../../calls/workspace.ts";

const OWN_NAMES: Readonly<Record<RecipientLanguage, string>> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  it: "Italiano",
  pt: "Português",
  nl: "Nederlands",
  pl: "Polski",
  sv: "Svenska",
  da: "Dansk",
  fi: "Suomi",
  cs: "Čeština",
  uk: "Українська",
  ar: "العربية",
  ja: "日本語",
  zh: "简体中文",
  "zh-Hant": "繁體中文",
};

/** Each by its name in the reader's language and in its own. */
export function useRecipientLanguages(): readonly (Option & { readonly id: RecipientLanguage })[] {
  const language = useLanguage();
  const names = new Intl.DisplayNames(localeOf(language), { type: "language" });
  return Object.entries(OWN_NAMES).map(([id, own]) => {
    const name = names.of(id) ?? own;
    return { id: id as RecipientLanguage, name, ...(name === own ? {} : { note: own }) };
  });
}
