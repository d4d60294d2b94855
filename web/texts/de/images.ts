// Images, in German.
import type { images as english } from "../en/images.ts";

export const images: typeof english = {
  choose: "Bild wählen",
  upload: "Hochladen",
  drop: "Oder Dateien hierher ziehen: PNG, JPEG, GIF oder WebP, bis 5 MB.",
  kinds: "Mails zeigen PNG, JPEG, GIF und WebP, je bis 5 MB. Die anderen wurden ausgelassen.",
  none: "Noch keine Bilder.",
  more: "Mehr",
  take: (name) => `${name} einfügen`,
  remove: (name) => `${name} löschen`,
  describe: {
    title: "Was zeigt das Bild?",
    alt: "Alternativtext",
    altHelp: "Für alle, deren Mailprogramm keine Bilder zeigt, und für Screenreader. In wenigen Worten, was es sagt.",
    decorative: "Dekorativ: Das Bild sagt nichts, was nicht im Text steht",
    missing: "Schreiben Sie einen Alternativtext, oder wählen Sie „Dekorativ“.",
    insert: "Einfügen",
  },
  isUsed: "Eine Mail, Vorlage oder Kampagne verwendet es.",
};
