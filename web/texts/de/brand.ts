// The brand of a workspace, in German.
import type { brand as english } from "../en/brand.ts";

export const brand: typeof english = {
  what: "Visuelle Mails übernehmen das mit ihrer nächsten Änderung, Empfängerseiten sofort. Als Code geschriebene und schon gesendete Mails bleiben, wie sie sind.",
  colours: "Farben und Schriften",
  coloursText: "In dunkler Darstellung werden Mails von selbst dunkel; Schaltflächen behalten ihre Farbe.",
  names: {
    accent: "Schaltflächen und Links",
    onAccent: "Text auf Schaltflächen",
    ink: "Text",
    paper: "Papier",
    ground: "Hintergrund",
  },
  font: "Schriften",
  fontHelp:
    "Wie in CSS, etwa Georgia, serif. Mailprogramme haben wenige; die letzte sollte serif oder sans-serif sein.",
  logo: "Logo",
  logoAlt: "Alternativtext",
  noLogo: "Kein Logo",
  choose: "Bild wählen",
  without: "Ohne Logo",
  sender: "Absender",
  senderText: "Für neue Mails und Kampagnen.",
  fromName: "Name",
  from: "Adresse",
  replyTo: "Antworten gehen an",
  footer: "Fußzeile",
  footerText: "Am Ende jeder visuellen Mail. Bei Marketing-Mails kommt der Abbestelllink in jedem Fall dazu.",
  footerLabel: "HTML mit Liquid",
  pages: "Empfängerseiten",
  pagesText:
    "Auch die Seiten zum Abbestellen und Bestätigen und die Bestätigungsmail verwenden diese Farben, Schriften und dieses Logo.",
  pageFooter: "Text der Fußzeile",
  pageFooterHelp: "Etwa Ihre Firma und die URL Ihres Impressums. Reiner Text; URLs werden zu Links.",
  save: "Speichern",
  saved: "Gespeichert.",
  sample: "So sieht eine Mail aus",
  sampleWords: {
    title: "Es ist Frühling",
    words:
      "Die Fenster stehen wieder offen, und die neue Liste ist da: elf Bücher, ausgesucht von Leuten, die im Zug lesen.",
    action: "Zur Liste",
  },
  images: "Bilder",
};
