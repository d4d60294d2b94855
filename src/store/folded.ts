// Texts as they are searched in: upper and lower case are one, in every script and on every engine.

/** The same text for all spellings that differ in case only: `STRASSE` and `Straße`, `ΟΔΟΣ` and `οδος`. */
export function folded(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
