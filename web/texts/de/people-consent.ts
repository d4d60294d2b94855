// The consents of a person, in German.
import type { people } from "../en/people.ts";

export const consent: (typeof people)["consent"] = {
  about:
    "Jede Änderung der Einwilligung ist eine Zeile eines signierten Verzeichnisses, das niemand unbemerkt umschreiben kann.",
  none: "Keine Änderung der Einwilligung ist verzeichnet.",
  download: "Nachweis herunterladen",
  print: "Zum Drucken anzeigen",
  address: (address) => `Für ${address}`,
  row: (number) => `Zeile ${number} des Verzeichnisses`,
  unchained: "Eben verzeichnet",
  form: "Formular öffnen",
};
