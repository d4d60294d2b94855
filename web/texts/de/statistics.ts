// Statistics, in German.
import { PROVIDER_NAMES } from "../provider-names.ts";
import type { statistics as english } from "../en/statistics.ts";

const NAMES: Readonly<Record<string, string>> = {
  ...PROVIDER_NAMES,
  other: "Eigene Domains und andere",
  TRANSACTIONAL: "Transaktional",
  CAMPAIGN: "Kampagnen",
  WORKFLOW: "Abläufe",
};

export const statistics: typeof english = {
  title: "Statistik",
  days: "Tage",
  lastDays: (days) => `${days} T`,
  whole: "Alles zeigen",
  overTime: "Im Verlauf",
  what: {
    accepted: "Angenommen",
    sent: "Gesendet",
    delivered: "Zugestellt",
    opened: "Geöffnet",
    clicked: "Geklickt",
    bounced: "Rückläufer",
    complained: "Beschwerden",
  },
  limits: "Grenzen von Gmail und Yahoo",
  rate: { complained: "als Spam gemeldet", bounced: "Rückläufer" },
  mails: (count) => (count === "1" ? "1 Mail" : `${count} Mails`),
  marks: {
    complained: "Gmail und Yahoo verlangen weniger als 0,1 %, und nie 0,3 %.",
    bounced: "2 % sind üblich. Ab 5 % sperren Relays und Anbieter einen Absender.",
  },
  verdict: {
    complained: {
      ok: "So, wie sie es verlangen.",
      warn: "Mehr, als sie verlangen. Schreiben Sie nur Personen, die das wollen.",
      bad: "Über der Grenze. Mails landen im Spam oder werden abgelehnt, bis der Wert eine Woche lang darunter liegt.",
    },
    bounced: {
      ok: "So, wie es sein soll.",
      warn: "Mehr als üblich. Prüfen Sie, woher diese Adressen kommen.",
      bad: "Zu viele. Senden Sie nicht mehr an alte oder gekaufte Listen.",
    },
  },
  few: "Bei weniger als 100 Mails sagt ein Anteil wenig.",
  apart: "Aufschlüsselung",
  by: {
    provider: "Postfachanbieter",
    domain: "Absenderdomain",
    template: "Vorlage",
    campaign: "Kampagne",
    tag: "Tag",
    way: "Versandweg",
    sourceType: "Art",
  },
  one: {
    provider: "Anbieter",
    domain: "Domain",
    template: "Vorlage",
    campaign: "Kampagne",
    tag: "Tag",
    way: "Versandweg",
    sourceType: "Art",
  },
  others: "Alle anderen",
  named: (by, group) =>
    NAMES[group] ?? (by === "template" || by === "campaign" ? `Gelöscht, …${group.slice(-6)}` : group),
  nothing: {
    provider: "Keine Mails in diesen Tagen.",
    domain: "Keine Mails in diesen Tagen.",
    template: "In diesen Tagen entstand keine Mail aus einer Vorlage.",
    campaign: "In diesen Tagen wurde keine Kampagne gesendet.",
    tag: "In diesen Tagen keine Mails mit einem Tag.",
    way: "In diesen Tagen hat kein Versandweg eine Mail angenommen oder abgelehnt.",
    sourceType: "Keine Mails in diesen Tagen.",
  },
  note: "Jede Zahl zählt, was in diesen Tagen geschah, und öffnet diese Mails. Ein Name öffnet die Mails, die in diesen Tagen angenommen wurden.",
  noDeliveries: "Zustellungen werden hier nicht gemeldet: gesendet heißt, dass das Relay die Mail angenommen hat.",
  ofProviders: "Der Anbieter ergibt sich aus der Domain der Adresse.",
};
