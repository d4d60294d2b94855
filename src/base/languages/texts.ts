// All texts for recipients, and how values are put into them.
import { ar } from "./ar.ts";
import { cs } from "./cs.ts";
import { da } from "./da.ts";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fi } from "./fi.ts";
import { fr } from "./fr.ts";
import { it } from "./it.ts";
import { ja } from "./ja.ts";
import { nl } from "./nl.ts";
import { pl } from "./pl.ts";
import { pt } from "./pt.ts";
import { sv } from "./sv.ts";
import { uk } from "./uk.ts";
import { zh } from "./zh.ts";
import { zhHant } from "./zh-hant.ts";
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
