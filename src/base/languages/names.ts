// The names of languages, each in its own language, and their words for yes and no.
import type { Language } from "./language.ts";

/** Each language's own name. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
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

export const YES_AND_NO: Readonly<Record<Language, readonly [yes: string, no: string]>> = {
  en: ["yes", "no"],
  de: ["ja", "nein"],
  fr: ["oui", "non"],
  es: ["sí", "no"],
  it: ["sì", "no"],
  pt: ["sim", "não"],
  nl: ["ja", "nee"],
  pl: ["tak", "nie"],
  sv: ["ja", "nej"],
  da: ["ja", "nej"],
  fi: ["kyllä", "ei"],
  cs: ["ano", "ne"],
  uk: ["так", "ні"],
  ar: ["نعم", "لا"],
  ja: ["はい", "いいえ"],
  zh: ["是", "否"],
  "zh-Hant": ["是", "否"],
};

const SEPARATORS: Partial<Record<Language, string>> = { ar: "، ", ja: "、", zh: "、", "zh-Hant": "、" };

/** Between the items of a list. */
export function separatorIn(language: Language): string {
  return SEPARATORS[language] ?? ", ";
}
