// The languages for recipients, and how a tag (BCP 47) or a browser names one of them.

export const LANGUAGES = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "pl",
  "sv",
  "da",
  "fi",
  "cs",
  "uk",
  "ar",
  "ja",
  "zh",
  "zh-Hant",
] as const;

export type Language = (typeof LANGUAGES)[number];

/** Where Chinese is written in traditional characters, unless the tag says otherwise. */
const TRADITIONAL_REGIONS = ["tw", "hk", "mo"];
const RIGHT_TO_LEFT: ReadonlySet<Language> = new Set(["ar"]);
/** A browser names a handful. */
const MAX_TAGS = 50;

/** The language of a tag such as `de`, `pt-BR` or `zh_Hant_TW`; null if we do not have it. */
export function languageOf(tag: string): Language | null {
  const [primary = "", ...rest] = tag.trim().toLowerCase().split(/[-_]/);
  if (primary === "zh" && isTraditional(rest)) return "zh-Hant";
  return LANGUAGES.find((language) => language === primary) ?? null;
}

function isTraditional(subtags: readonly string[]): boolean {
  if (subtags.includes("hant")) return true;
  return !subtags.includes("hans") && TRADITIONAL_REGIONS.some((region) => subtags.includes(region));
}

/** The best of ours for the header Accept-Language (RFC 9110 §12.5.4); null if it names none. */
export function languageAccepted(header: string | null): Language | null {
  const ranges = (header ?? "").split(",", MAX_TAGS).map((range) => {
    const [tag = "", weight] = range.split(/;\s*q=/i);
    return { language: languageOf(tag), quality: weight === undefined ? 1 : Number(weight) };
  });
  const wanted = ranges.filter(({ language, quality }) => language !== null && quality > 0);
  return wanted.reduce((best, next) => (next.quality > best.quality ? next : best), { language: null, quality: 0 })
    .language;
}

/** The first of the tags that names a language of ours, such as those in a contact's data; null if none does. */
export function languageAmong(...tags: readonly unknown[]): Language | null {
  for (const tag of tags) {
    const language = typeof tag === "string" ? languageOf(tag) : null;
    if (language) return language;
  }
  return null;
}

/** For the attribute `dir`. */
export function directionOf(language: Language): "ltr" | "rtl" {
  return RIGHT_TO_LEFT.has(language) ? "rtl" : "ltr";
}

/** The texts for recipients in one language. `{email}` and `{workspace}` are filled in. */
export type RecipientTexts = {
  readonly subscribedTitle: string;
  readonly subscribedState: string;
  readonly unsubscribedTitle: string;
  readonly unsubscribedState: string;
  readonly saved: string;
  /** Buttons. */
  readonly subscribe: string;
  readonly unsubscribe: string;
  readonly confirm: string;
  /** A sign-up that waits for its confirmation. */
  readonly pendingTitle: string;
  readonly pendingState: string;
  /** A link that is cut off or was not made by us. */
  readonly brokenTitle: string;
  readonly brokenText: string;
  /** A link to a person whose data was deleted. */
  readonly goneTitle: string;
  readonly goneText: string;
  /** Above the topics that the recipient can choose from, and its button. */
  readonly topicsTitle: string;
  readonly save: string;
  /** After one click in a mail of `{topic}`. */
  readonly topicLeft: string;
  /** At the foot of marketing mail. */
  readonly footer: string;
  /** The mail that asks for confirmation. */
  readonly askSubject: string;
  readonly askText: string;
  readonly askNote: string;
};
