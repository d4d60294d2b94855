// All texts for recipients, and how values are put into them.
import { ar } from "./translations/ar.ts";
import { cs } from "./translations/cs.ts";
import { da } from "./translations/da.ts";
import { de } from "./translations/de.ts";
import { en } from "./translations/en.ts";
import { es } from "./translations/es.ts";
import { fi } from "./translations/fi.ts";
import { fr } from "./translations/fr.ts";
import { it } from "./translations/it.ts";
import { ja } from "./translations/ja.ts";
import { nl } from "./translations/nl.ts";
import { pl } from "./translations/pl.ts";
import { pt } from "./translations/pt.ts";
import { sv } from "./translations/sv.ts";
import { uk } from "./translations/uk.ts";
import { zh } from "./translations/zh.ts";
import { zhHant } from "./translations/zh-hant.ts";
import type { Language, RecipientTexts } from "./language.ts";

const TEXTS: Readonly<Record<Language, RecipientTexts>> = {
  en,
  de,
  fr,
  es,
  it,
  pt,
  nl,
  pl,
  sv,
  da,
  fi,
  cs,
  uk,
  ar,
  ja,
  zh,
  "zh-Hant": zhHant,
};

export function textsIn(language: Language): RecipientTexts {
  return TEXTS[language];
}

/** `text` with `{email}` and `{workspace}` replaced; replacements are not scanned again. */
export function filledIn(text: string, values: Readonly<Record<"email" | "workspace", string>>): string {
  return text.replace(/\{(email|workspace)\}/g, (_, name: "email" | "workspace") => values[name]);
}
