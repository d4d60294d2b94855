// Texts for searching: without upper and lower case, in every script and on every engine.

/** The same text for all spellings that differ in case only: `STRASSE` and `Straße`, `ΟΔΟΣ` and `οδος`. */
export function folded(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}
