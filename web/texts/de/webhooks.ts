// Webhooks, in German.
import type { webhooks as english } from "../en/webhooks.ts";

export const webhooks: typeof english = {
  title: "Zuletzt aufgerufen",
  outcome: "Ergebnis",
  outcomes: { all: "Alle", failed: "Fehlgeschlagen" },
  states: { delivered: "zugestellt", later: "neuer Versuch", failed: "fehlgeschlagen", underWay: "läuft" },
  noneFailed: "Kein Webhook ist fehlgeschlagen.",
  noAnswer: "keine Antwort",
  next: "nächster",
  more: "Mehr zeigen",
  id: "webhook-id",
  attempt: "Versuch",
  attemptAt: (number) => `${number}`,
  at: "Um",
  step: "Schritt",
  nextAttempt: "Nächster Versuch",
  noReply: "Der Empfänger hat ohne Inhalt geantwortet.",
  again: { action: "Noch einmal aufrufen", done: "Der Webhook wird noch einmal aufgerufen." },
  empty: {
    title: "Noch wurde kein Webhook aufgerufen",
    text: "Ein Ablauf ruft Ihren Server mit einem Schritt vom Typ WEBHOOK auf. Jeder Versuch steht hier mit seiner Antwort.",
  },
  signatures: {
    title: "Signatur prüfen",
    text: "Jeder kann Ihre Adresse aufrufen. Webhooks dieses Arbeitsbereichs sind nach Standard Webhooks signiert; prüfen Sie die Signatur, bevor Sie einem Aufruf trauen.",
    lines: "Zeilen zum Prüfen der Signatur",
    library: "Sprache",
    show: "Geheimnis einsetzen",
    replace: "Geheimnis ersetzen …",
    ask: "Das Geheimnis der Webhooks ersetzen?",
    askText:
      "24 Stunden lang sind Webhooks mit beiden Geheimnissen signiert. Tragen Sie in dieser Zeit das neue bei Ihren Empfängern ein: Danach lehnen sie die Aufrufe ab, und abgelehnte Aufrufe werden nicht wiederholt.",
    confirm: "Ersetzen",
    done: "Das neue Geheimnis steht in den Zeilen.",
  },
};
