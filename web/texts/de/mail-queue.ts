// The queue of emails, in German.
import type { queue as english } from "../en/mail-queue.ts";

export const queue: typeof english = {
  waiting: (count) => (count === "1" ? "1 Mail wartet" : `${count} Mails warten`),
  rate: (rate) => `${rate} je Sekunde`,
  done: (span) => `fertig in ${span}`,
  oldest: (ago) => `die älteste war ${ago} fällig`,
  away: "der nächste Mailserver antwortet nicht",
  handingOver: "wird gerade gesendet",
  next: "nächste",
  lanes: { TRANSACTIONAL: "transaktional", MARKETING: "Marketing" },
  reasons: {
    DUE: "in der Reihe",
    SENDING_HELD: "bis der Betreiber den Versand freigibt",
    CLOCK_IN_DOUBT: "angehalten, weil die Uhr des Servers zweifelhaft ist",
    OPERATOR: "bis der Betreiber sie freigibt",
    PROVIDER_PACE: "im Tempo eines Mailanbieters",
    RELAY_AWAY: "bis der nächste Mailserver antwortet",
    RETRY: "bis zum nächsten Versuch",
    PERHAPS_DELIVERED: "vielleicht zugestellt, bis zur Wiederholung",
    SCHEDULED: "für später geplant",
    CAMPAIGN_PAUSED: "bis eine pausierte Kampagne weitergeht",
    DOMAIN_NOT_VERIFIED: "bis eine Domain bestätigt ist",
    MARKETING_STOPPED: "bis Marketing-Mails wieder erlaubt sind",
  },
  relay: {
    ANSWERING: "Der nächste Mailserver antwortet seit",
    AWAY: "Der nächste Mailserver antwortet nicht seit",
    UNKNOWN: "Der nächste Mailserver wurde noch nicht gefragt.",
  },
};
