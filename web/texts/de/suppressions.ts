// Suppressions, in German.
import type { suppressions as english } from "../en/suppressions.ts";

export const suppressions: typeof english = {
  reason: {
    bounce: "Rückläufer",
    complaint: "Beschwerde",
    "soft-bounces": "Mehrere vorläufige Rückläufer",
    manual: "Von Hand gesperrt",
    import: "Durch einen Import gesperrt",
    erased: "Gelöschte Person",
  },
  card: {
    why: {
      bounce: "Marketing-Mails: nein, eine Mail kam endgültig zurück",
      complaint: "Marketing-Mails: nein, eine Mail wurde als Spam gemeldet",
      "soft-bounces": "Marketing-Mails: nein, mehrere Mails hintereinander kamen zurück",
      manual: "Marketing-Mails: nein, jemand hat die Adresse gesperrt",
      import: "Marketing-Mails: nein, die Adresse stand auf einer importierten Liste",
      erased: "Marketing-Mails: nein, die Person wurde gelöscht",
    },
    by: {
      transactional: "Transaktionsmails: nein",
      domain: (domain) => `Marketing-Mails: nein, die Domain ${domain} ist gesperrt`,
      all: (what) => `${what} ist für alle Mails gesperrt`,
      marketing: (what) => `${what} ist für Marketing-Mails gesperrt`,
      until: (day) => `bis ${day}`,
    },
  },
};
