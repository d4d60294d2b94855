// Texts for searching: folded to one case, in every script and on every engine.
import { isAscii } from "../base/addresses.ts";

const ACCENTS = /\p{M}/gu;

/** The same text for all spellings that differ in case only: `STRASSE` and `Straße`, `ΟΔΟΣ` and `οδος`. */
export function folded(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Also without accents: `Müller` is found by `muller`. */
export function bare(text: string): string {
  return isAscii(text) ? text.toLowerCase() : folded(text).normalize("NFD").replace(ACCENTS, "").normalize("NFC");
}
