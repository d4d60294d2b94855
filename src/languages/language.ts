// The languages in which recipients are spoken to, and how a tag (BCP 47) names one of them.

export const LANGUAGES = [
  ...(["en", "de", "fr", "es", "it", "pt", "nl", "pl"] as const),
  ...(["sv", "da", "fi", "cs", "uk", "ar", "ja", "zh"] as const),
] as const;

export type Language = (typeof LANGUAGES)[number];

/** The language that a tag such as `de`, `pt-BR` or `zh_Hant_TW` asks for; null if it is none of ours. */
export function languageOf(tag: string): Language | null {
  const [primary = ""] = tag.trim().toLowerCase().split(/[-_]/, 1);
  return LANGUAGES.find((language) => language === primary) ?? null;
}
