// Problems that need attention, by kind, in German.
import type { needs as english } from "../en/needs.ts";

export const needs: typeof english = {
  title: "Zu erledigen",
  nothing: "Alles in Ordnung.",
  /** The links of the problems. */
  see: {
    server: "Server ansehen",
    bounces: "Rückläufer ansehen",
    complaints: "Beschwerden ansehen",
    warmup: "Aufwärmen ansehen",
    change: "Änderung ansehen",
    why: "Grund lesen",
    mails: "Mails ansehen",
    webhook: "Webhook ansehen",
    contact: "Kontakt ansehen",
  },
  kinds: {
    CLOCK_IN_DOUBT: {
      what: "Die Uhr des Servers ist zweifelhaft.",
      why: "Sie ist um mehr als einen Tag vorgesprungen. Bis sie eine Stunde lang ohne Sprung gelaufen ist oder der Betreiber sie mit posthorn clock accept bestätigt, wird nichts nach Alter gelöscht und keine geplante Mail verlässt den Server.",
    },
    CLOCK_BEHIND: {
      what: "Die Uhr des Servers geht nach: Er hat schon eine spätere Zeit gesehen.",
      why: "Sie ist jetzt falsch, oder sie war es damals. Mails bekommen die jetzige Zeit, und geplante Mails gehen nach ihr ab. Stellen Sie die Uhr richtig; ist sie es, endet dieser Hinweis nach einer Stunde oder mit posthorn clock accept.",
    },
    SENDING_HELD: {
      what: "Der Versand ist angehalten.",
      why: "Nach einer Wiederherstellung oder durch serve --hold: Keine Mail wird gesendet, bis posthorn release sie freigibt.",
    },
    RELAY_AWAY: { what: "Das Relay antwortet nicht.", why: "Mails warten und werden von selbst gesendet." },
    WAY_AWAY: {
      what: (name) => `Der Versandweg ${name} ist nicht nutzbar.`,
      why: "Mails werden über die anderen gesendet.",
    },
    CERTIFICATE: {
      what: (ports) => `Das Zertifikat für ${ports} wird nicht erneuert.`,
      why: "Es läuft in den nächsten Tagen ab. Erneuern Sie es, sonst lehnen Mailprogramme und Browser diesen Server ab.",
      and: " und ",
    },
    WARMUP_HALTED: { what: (domain) => `Das Aufwärmen von ${domain} hat sich selbst gestoppt.` },
    MARKETING_STOPPED: { what: "Marketing-Mails sind gestoppt." },
    RATE_HIGH: {
      what: {
        BOUNCE_RATE: (rate, limit) => `Die Rückläuferquote ist ${rate}, die Grenze ${limit}.`,
        COMPLAINT_RATE: (rate, limit) => `Die Beschwerdequote ist ${rate}, die Grenze ${limit}.`,
      },
      why: "Schreiben Sie nur an Personen, die das wollten.",
      stops: (stop) => `Bei ${stop} werden Marketing-Mails gestoppt. Schreiben Sie nur an Personen, die das wollten.`,
    },
    DOMAIN_FAILING: { what: (domain) => `Der DKIM-Eintrag von ${domain} ist verschwunden.` },
    WAY_REFUSES: { what: (way, domain) => `Der Versandweg ${way} nimmt keine Mails von ${domain} an.` },
    DOMAIN_CHANGED: {
      what: {
        SPF: (domain) => `Der SPF-Eintrag von ${domain} hat sich geändert.`,
        DMARC: (domain) => `Der DMARC-Eintrag von ${domain} hat sich geändert.`,
        RETURN_PATH: (domain) => `Der MX-Eintrag von ${domain} hat sich geändert: Rückläufer kommen nicht an.`,
        INBOUND: (domain) => `Der MX-Eintrag von ${domain} hat sich geändert: Mail kommt hier nicht an.`,
        BLOCKLIST: (domain) => `${domain} steht auf einer Sperrliste.`,
      },
    },
    LINK_HOST_FAILING: {
      what: (host) => `${host} führt nicht mehr hierher.`,
      why: "Bis dahin nennen Links neuer Mails den Host des Servers.",
    },
    ALL_REFUSED: {
      what: (count) => `Die letzten ${count} Mails wurden alle abgelehnt.`,
      why: "Seitdem wurde keine angenommen. Die Antworten des Relays sagen, warum.",
    },
    MAILS_FAILED: {
      what: (count) =>
        count === 1
          ? "1 Mail ist in den letzten 24 Stunden fehlgeschlagen"
          : `${count} Mails sind in den letzten 24 Stunden fehlgeschlagen`,
    },
    CAMPAIGN_HELD: { what: (name) => `„${name}“ ist angehalten.` },
    CAMPAIGN_FAILED: {
      what: (name) => `„${name}“ ist bei allen fehlgeschlagen.`,
      why: "Keine Mail wurde angenommen. Beheben Sie die Ursache und senden Sie sie in den Ergebnissen erneut.",
    },
    WEBHOOKS_FAILED: {
      what: (count, isLowerBound) =>
        count === 1 && !isLowerBound
          ? "1 Webhook wurde aufgegeben"
          : `${count}${isLowerBound ? " oder mehr" : ""} Webhooks wurden aufgegeben`,
    },
    WEBHOOK_OFF: {
      what: (name) => `Der Webhook ${name} ist ausgeschaltet.`,
      why: "Drei Tage lang kam kein Aufruf an.",
    },
    NOTE: { what: (from, email) => `${from} hat Ihnen zu ${email} geschrieben:`, aKey: "Ein Programm" },
    BACKUP_MISSING: {
      what: {
        FAILED: "Die letzte Sicherung ist fehlgeschlagen.",
        NONE: "Es gibt noch keine Sicherung.",
        LATE: "Eine fällige Sicherung ist ausgeblieben.",
      },
      why: "Fällt die Festplatte aus, ist alles seit der letzten Sicherung verloren.",
    },
    SEEN_FROM_OUTSIDE: {
      what: {
        ADDRESS: (name) => `${name} hat keine Adresse im DNS.`,
        REVERSE_NAME: (address, name) => `Der umgekehrte Name von ${address} sollte ${name} sein.`,
        RETURN_PATH: (domain) => `Rückläufer an ${domain} kommen nicht an.`,
        CERTIFICATE: (place) => `Mit dem Zertifikat von ${place} stimmt etwas nicht.`,
        BLOCKLIST: (address, list) => `${address} steht auf der Sperrliste ${list}.`,
        RELEASE: (name) => `Ein neueres ${name} ist erschienen.`,
      },
      found: {
        ADDRESS: (found) => found,
        REVERSE_NAME: (found) => `Er ist ${found}.`,
        RETURN_PATH: (found) => `Der MX-Eintrag führt zu ${found}.`,
        CERTIFICATE: (found) => found,
        BLOCKLIST: (found) => `Die Liste antwortet ${found}.`,
        RELEASE: (found) => `Es ist ${found}. Nach einem Blick in die Änderungen: posthorn upgrade`,
      },
      why: {
        ADDRESS: "Links in Mails führen ins Leere.",
        REVERSE_NAME: "Es gibt keinen, deshalb weisen große Anbieter Mail von dort ab.",
        RETURN_PATH: "Es gibt keinen MX-Eintrag.",
        CERTIFICATE: "",
        BLOCKLIST: "",
        RELEASE: "",
      },
      endsAt: (moment) => `Es endet am ${moment}.`,
    },
    MAILBOX_AWAY: { what: (name) => `Das Postfach ${name} für Rückläufer ist nicht lesbar.` },
    INBOUND_UNREAD: {
      what: (count) =>
        count === "1"
          ? "Eine Nachricht von außen war nicht lesbar."
          : `${count} Nachrichten von außen waren nicht lesbar.`,
      why: "Rückläufer werden später noch einmal gelesen, Mails ungelesen aufbewahrt. Das Protokoll des Servers nennt den Grund.",
    },
    DISK_SHORT: {
      what: (free) => `Der Speicherplatz wird knapp: ${free} sind frei.`,
      why: "Ist er aufgebraucht, werden keine Mails mehr angenommen. Schaffen Sie Platz oder bewahren Sie Mails kürzer auf.",
    },
  },
};
