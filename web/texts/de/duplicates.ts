// Contacts that may be the same person, in German.
import type { duplicates as english } from "../en/duplicates.ts";

export const duplicates: typeof english = {
  title: "Dubletten",
  open: "Dubletten suchen",
  openChosen: "Zusammenführen …",
  mergeChosen: "Diese Personen zusammenführen?",
  tooMany: "Auf einmal lassen sich höchstens 11 Personen zusammenführen.",
  find: "Nach Dubletten suchen",
  again: "Noch einmal suchen",
  running: "Alle Personen werden durchgesehen. Das kann eine Minute dauern.",
  found: (count, shown, when) =>
    count === 0
      ? `Keine Dubletten. Zuletzt gesucht: ${when}.`
      : `${shown} ${count === 1 ? "Gruppe" : "Gruppen"} von Kontakten, die dieselbe Person sein können. Zuletzt gesucht: ${when}.`,
  cut: "Es gibt noch mehr. Suchen Sie noch einmal, wenn diese erledigt sind.",
  none: {
    title: "Nach Dubletten hat noch niemand gesucht",
    text: "Gefunden werden Kontakte, deren Adressen zum selben Postfach führen, und Kontakte mit demselben Namen in derselben Firma. Sie entscheiden dann, wer dieselbe Person ist.",
  },
  reasons: { address: "Dasselbe Postfach", name: "Derselbe Name, dieselbe Firma" },
  compare: "Vergleich",
  stays: "Bleibt",
  goes: "Geht darin auf",
  staysAs: (email) => `${email} bleibt`,
  marketing: "Marketing-Mails",
  since: "Bekannt seit",
  nothing: "nichts",
  valueOf: (key, value, email) => `${key}: ${value}, von ${email}`,
  taken: (values) => `Bleibt von dem, der es hat: ${values}`,
  consent: "Alles kommt mit. Wer als einer davon abbestellt hat, bekommt keine Marketing-Mails mehr.",
  pending: "Einer davon hat noch nicht bestätigt.",
  dismiss: "Nicht dieselbe Person",
  merge: "Zusammenführen",
  merged: (count, email) => `Aus ${count} Kontakten ist einer geworden: ${email}.`,
  undone: "Die Zusammenführung ist rückgängig gemacht.",
  more: "Mehr zeigen",
  all: {
    open: "Alle mit demselben Postfach zusammenführen …",
    title: "Alle mit demselben Postfach zusammenführen?",
    counts: (count, groups, contacts) =>
      `${groups} ${count === 1 ? "Gruppe: Der älteste Kontakt bleibt" : "Gruppen: Jeweils bleibt der älteste Kontakt"}, und die anderen gehen darin auf (${contacts} ${contacts === "1" ? "Kontakt" : "Kontakte"}).`,
    unsubscribing: (count, shown) =>
      `In ${shown} davon bekommt ein Kontakt Marketing-Mails und ein anderer nicht. ${count === 1 ? "Diese Person bekommt" : "Diese Personen bekommen"} danach keine mehr.`,
    pending: (count, shown) =>
      `${shown} ${count === 1 ? "Gruppe bleibt" : "Gruppen bleiben"}, wie sie ${count === 1 ? "ist" : "sind"}: Ein Kontakt darin hat noch nicht bestätigt.`,
    dismissed: (count, shown) =>
      `${shown} ${count === 1 ? "Gruppe bleibt" : "Gruppen bleiben"}, wie sie ${count === 1 ? "ist" : "sind"}: Jemand hat gesagt, dass zwei davon nicht dieselbe Person sind.`,
    samples: "Beispiele",
    stays: (email) => `${email} bleibt`,
    goes: (emails) => `Geht darin auf: ${emails}`,
    added: (values) => `Kommt dazu: ${values}`,
    lost: (values) => `Geht verloren: ${values}`,
    unsubscribed: "Bekommt danach keine Marketing-Mails mehr",
    undo: "Jede Zusammenführung lässt sich sieben Tage lang einzeln rückgängig machen.",
    action: (count, shown) => `${shown} ${count === 1 ? "Gruppe" : "Gruppen"} zusammenführen`,
    none: "Keine Gruppe lässt sich zusammenführen.",
    running: "Alle mit demselben Postfach werden zusammengeführt. Das geht weiter, auch wenn Sie die Seite schließen.",
    done: (count, shown) => `${shown} ${count === 1 ? "Gruppe wurde" : "Gruppen wurden"} zusammengeführt.`,
    left: (count, shown) =>
      `${shown} ${count === 1 ? "blieb, wie sie war, und steht" : "blieben, wie sie waren, und stehen"} noch in der Liste.`,
    undoBelow: "Jede Zusammenführung lässt sich sieben Tage lang rückgängig machen, in der Liste unten.",
  },
  recent: "In den letzten sieben Tagen zusammengeführt",
  mergedFrom: "Zusammengeführt aus",
  into: (email) => `zu ${email}`,
  undoUntil: (when) => `Lässt sich bis ${when} rückgängig machen`,
  undoOf: (emails) => `Zusammenführung von ${emails} rückgängig machen`,
  states: { MOVING: "Die Vorgeschichte wird noch übernommen.", UNDOING: "Wird rückgängig gemacht." },
};
