// Webhooks, in German.
import type { webhooks as english } from "../en/webhooks.ts";

export const webhooks: typeof english = {
  title: "Aufrufe durch Abläufe",
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
  hooks: {
    title: "Webhooks",
    add: "Webhook hinzufügen",
    edit: "Webhook bearbeiten",
    editIt: "Bearbeiten …",
    save: "Speichern",
    all: "Alle Webhooks",
    count: (count, shown) => (count === 1 ? "1 Webhook" : `${shown} Webhooks`),
    empty: "Noch kein Webhook",
    emptyText:
      "Ein Webhook meldet Ihrem Server, was hier geschieht: dass eine Mail zurückkam oder jemand abbestellt hat.",
    state: "Status",
    everything: "alle Ereignisse",
    conditions: { on: "ein", failing: "gestört", off: "aus", switchedOff: "ausgeschaltet" },
    url: "URL",
    format: "Format",
    formats: {
      posthorn: "Signiert nach Standard Webhooks.",
      resend:
        "Die Aufrufe sehen aus wie die von Resend und sind so signiert. Ein Empfänger, der für Resend geschrieben ist, bleibt, wie er ist.",
      postmark:
        "Die Aufrufe sehen aus wie die von Postmark und sind nicht signiert: Schreiben Sie Benutzer und Passwort in die URL, oder setzen Sie einen Header.",
    },
    description: "Beschreibung",
    descriptionHelp: "Was das für ein Server ist, für Ihr Team.",
    optional: "optional",
    events: "Ereignisse",
    which: { all: "Alle", some: "Nur einige" },
    noEvents: "Wählen Sie mindestens ein Ereignis.",
    allOfKind: "Alle",
    kinds: {
      email: "Mails",
      contact: "Kontakte",
      topic: "Themen",
      suppression: "Sperren",
      segment: "Segmente",
      event: "Eigene Ereignisse",
      campaign: "Kampagnen",
      domain: "Domains",
      import: "Importe",
    },
    tags: "Nur Mails mit einem Tag",
    tagsHelp:
      "Von den Mails, die Sie senden, nur Ereignisse derer, die mindestens eines dieser Tags haben. Alle anderen Ereignisse kommen weiterhin.",
    headers: "Header",
    headersHelp: "Werden bei jedem Aufruf mitgesendet, einer pro Zeile.",
    bothUntil: "Beide Geheimnisse signieren bis",
    turnOn: "Einschalten",
    turnOff: "Ausschalten",
    failingText: "Kein Aufruf kam an seit",
    offText: "Dieser Webhook ist aus. Ereignisse werden 30 Tage lang aufbewahrt und lassen sich danach erneut senden.",
    switchedOffText:
      "Drei Tage lang kam kein Aufruf an, deshalb wurde dieser Webhook ausgeschaltet. Bringen Sie den Server in Ordnung, schalten Sie den Webhook ein und senden Sie erneut, was ihm fehlt. Ausgeschaltet",
    askText:
      "24 Stunden lang ist dieser Webhook mit beiden Geheimnissen signiert. Tragen Sie in dieser Zeit das neue beim Empfänger ein: Danach lehnt er die Aufrufe ab, und abgelehnte Aufrufe werden nicht wiederholt.",
    test: {
      action: "Beispiel senden …",
      title: "Beispiel senden",
      type: "Ereignis",
      help: "Es sieht aus wie ein echtes Ereignis, und kein anderer Webhook bekommt es.",
      send: "Senden",
      done: "Das Beispiel wird gesendet. Seine Zeile zeigt die Antwort.",
    },
    replay: {
      action: "Erneut senden …",
      title: "Ereignisse erneut senden",
      off: "Schalten Sie den Webhook zuerst ein.",
      period: "Ereignisse der letzten",
      periods: { "1": "Stunde", "24": "24 Stunden", "168": "7 Tage", "720": "30 Tage" },
      help: "Was nicht zugestellt wurde, wird mit derselben webhook-id gesendet.",
      delivered: "Auch senden, was schon zugestellt wurde",
      send: "Erneut senden",
      done: (count) =>
        count === 0
          ? "Es gibt nichts zu senden."
          : count === 1
            ? "1 Ereignis wird gesendet."
            : `${count} Ereignisse werden gesendet.`,
    },
    remove: {
      action: "Entfernen …",
      title: (name) => `Den Webhook ${name} entfernen?`,
      text: "Er bekommt nichts mehr, und die Liste dessen, was er bekommen hat, wird gelöscht.",
      confirm: "Entfernen",
    },
  },
  deliveries: {
    title: "Zustellungen",
    none: "Noch wurde nichts gesendet.",
    noneFailed: "Keine Zustellung ist fehlgeschlagen.",
    states: {
      DUE: "wartet",
      CALLING: "läuft",
      DELIVERED: "zugestellt",
      FAILED: "fehlgeschlagen",
      CANCELLED: "abgebrochen",
    },
    request: "Anfrage",
    again: "Noch einmal senden",
  },
  empty: {
    title: "Noch hat kein Ablauf einen Webhook aufgerufen",
    text: "Ein Ablauf ruft Ihren Server mit einem Schritt vom Typ WEBHOOK auf. Jeder Versuch steht hier mit seiner Antwort.",
  },
  signatures: {
    title: "Signatur prüfen",
    text: {
      posthorn:
        "Jeder kann Ihre URL aufrufen. Posthorn signiert jeden Webhook nach Standard Webhooks; prüfen Sie die Signatur, bevor Sie einem Aufruf trauen.",
      resend:
        "Jeder kann Ihre URL aufrufen. Posthorn signiert jeden Webhook so wie Resend; prüfen Sie die Signatur, bevor Sie einem Aufruf trauen.",
    },
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
