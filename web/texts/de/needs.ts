// What of this server needs somebody, beside the texts of the overview, in German.
import type { needs as english } from "../en/needs.ts";

export const needs: typeof english = {
  clockInDoubt: "Die Uhr des Servers ist zweifelhaft.",
  clockWaits:
    "Sie ist um mehr als einen Tag vorgesprungen. Bis sie eine Stunde lang ohne Sprung gelaufen ist oder der Betreiber sie mit posthorn clock accept bestätigt, wird nichts nach Alter gelöscht und keine geplante Mail verlässt den Server.",
  clockBehind: "Die Uhr des Servers geht nach: Er hat schon eine spätere Zeit gesehen.",
  clockBehindText:
    "Sie ist jetzt falsch, oder sie war es damals. Mails bekommen die jetzige Zeit, und geplante Mails gehen nach ihr ab. Stellen Sie die Uhr richtig; ist sie es, endet dieser Hinweis nach einer Stunde oder mit posthorn clock accept.",
  allRefused: (count) => `Die letzten ${count} Mails wurden alle abgelehnt.`,
  note: (from, email) => `${from} hat Ihnen zu ${email} geschrieben:`,
  seeContact: "Kontakt ansehen",
  aKey: "Ein Programm",
  allRefusedText: "Seitdem wurde keine angenommen. Die Antworten des Relays sagen, warum.",
};
