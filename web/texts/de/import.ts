// Importing people, in German.
import type { importing as english } from "../en/import.ts";

const some = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const importing: typeof english = {
  open: "Importieren",
  title: "Kontakte importieren",
  of: (name) => `${name} importieren`,
  another: "Andere Datei",
  choose: "Datei auswählen",
  drop: "Legen Sie hier eine Datei mit Personen ab",
  dropText:
    "CSV, mit den Namen der Spalten in der ersten Zeile. Nichts wird gespeichert, bevor Sie gesehen haben, was daraus würde.",
  empty: "Die Datei ist leer.",
  separators: { ",": "durch Kommas getrennt", ";": "durch Semikolons getrennt", "\t": "durch Tabulatoren getrennt" },
  columns: "Spalten",
  found: (all, kept) => `${all} gefunden, ${kept} übernommen`,
  heads: { file: "In der Datei", becomes: "Feld", example: "Beispiel", filled: "Gefüllt" },
  unnamed: (number) => `Spalte ${number}`,
  becomes: (column) => `Was aus ${column} wird`,
  leaveOut: "weglassen",
  knownFields: "Felder",
  newField: "Ein neues Feld",
  searchFields: "Feld suchen oder neu benennen",
  noField: "Ein Feldname besteht aus Buchstaben und Ziffern.",
  fields: { email: "wer es ist", subscribed: "ja oder nein" },
  types: { string: "Text", number: "Zahl", boolean: "ja oder nein", date: "Datum", object: "Liste oder Objekt" },
  matches: "erkennt Personen",
  isConsent: "sagt, wer Mails bekommen darf",
  badTitle: "Zeilen, die nicht gelesen werden können",
  bad: (count, shown) => `${shown} ${some(count, "Zeile ist", "Zeilen sind")} nicht lesbar`,
  noneBad: "Zeilen",
  allRead: "Jede Zeile ist lesbar.",
  looking: "Die Datei wird geprüft.",
  line: "Zeile",
  stands: "Adresse",
  whyNot: "Warum nicht",
  errors: {
    "subscribed is neither true nor false.": "subscribed ist weder ja noch nein.",
    "A quote in this row is never closed.": "Ein Anführungszeichen in dieser Zeile wird nie geschlossen.",
    "There is text after the closing quote of a cell.": "Nach dem schließenden Anführungszeichen steht noch Text.",
  },
  faults: {
    empty: "keine Adresse",
    noAt: "kein @: keine Adresse",
    space: "ein Leerzeichen in der Adresse",
    nothingAfter: "nichts nach dem @",
    dots: "zwei Punkte hintereinander",
    other: "keine Adresse",
  },
  moreBad: (count) => `${count} weitere, in der Datei`,
  asFile: "Als CSV",
  trial: "Vorschau",
  nothingYet: "noch ist nichts gespeichert",
  parts: {
    created: "Neue Personen",
    updated: "Geändert",
    unchanged: "Schon genau so",
    repeated: "In der Datei mehrfach",
    failed: "Nicht lesbar",
  },
  rows: "Zeilen in der Datei",
  rowsSoFar: "Geprüfte Zeilen; die Datei hat mehr",
  warnings: (field) =>
    field === "file"
      ? "Die Datei ist nicht in UTF-8. Sie wurde als Windows-1252 gelesen; prüfen Sie Buchstaben wie é und ü."
      : `Das Feld ${field} hat bisher Werte einer anderen Art. Segmente und Abläufe könnten die neuen anders behandeln.`,
  after: "Nach dem Import",
  statuses: {
    subscribed: "Abonniert",
    pending: "Um Bestätigung gebeten",
    unsubscribed: "Abbestellt",
    suppressed: "Gesperrt",
  },
  marketing: {
    title: "Dürfen wir ihnen Marketing-Mails schicken?",
    why: "Die Datei sagt es nicht für alle.",
    answers: { yes: "Ja", no: "Nein", confirm: "Per Mail fragen" },
    means: {
      yes: "Neue Kontakte werden als Abonnenten angelegt.",
      no: "Neue Personen werden aufgenommen, bekommen aber keine Marketing-Mails.",
      confirm: "Jede neue Person bekommt eine Mail mit einem Link. Nur wer ihn anklickt, abonniert.",
    },
    consent: "Wo haben sie zugestimmt?",
    consentHelp: "Zum Beispiel „Bestellformular, Frühjahr 2026“. Es wird bei jeder Person als Nachweis gespeichert.",
    open: "Beantworten Sie zuerst die Frage.",
    unsaid: "Geben Sie an, wo sie zugestimmt haben.",
  },
  leaveUnsubscribed: "Wer abbestellt hat, bekommt weiter keine Marketing-Mails",
  resubscribed: (count, shown) =>
    `${shown} ${some(count, "Kontakt, der abbestellt hat, bekäme", "Kontakte, die abbestellt haben, bekämen")} wieder Marketing-Mails.`,
  noAddress: "Wählen Sie, in welcher Spalte die Adressen stehen.",
  nothing: "Keine Zeile kann importiert werden.",
  action: (count, shown) => `${shown} ${some(count, "Zeile", "Zeilen")} importieren`,
  actAll: "Alle Zeilen importieren",
  running: "Der Import läuft",
  goesOn: "Er läuft weiter, wenn Sie diese Seite verlassen.",
  done: "Importiert",
  failed: "Der Import ist fehlgeschlagen",
  seen: "Schon bekannt",
  show: "Neue Personen zeigen",
  undo: {
    open: "Import rückgängig machen …",
    title: "Diesen Import rückgängig machen?",
    means: (count, shown) =>
      count === 0
        ? "Geänderte Personen bekommen ihre früheren Daten und Abos zurück."
        : `${shown} neu angelegte ${some(count, "Person wird", "Personen werden")} gelöscht. Geänderte Personen bekommen ihre früheren Daten und Abos zurück.`,
    stays:
      "Unberührt bleibt, wer nach dem Import geändert wurde, und wer neu ist und seitdem eine Mail, ein Ereignis oder einen Ablauf hatte. Was Segmenten und Webhooks schon gemeldet wurde, bleibt gemeldet.",
    until: (moment) => `Das geht bis ${moment}.`,
    action: "Import rückgängig machen",
    running: "Der Import wird rückgängig gemacht",
    done: (count, shown) => `Rückgängig gemacht für ${shown} ${some(count, "Person", "Personen")}`,
    over: "Ein Import lässt sich sieben Tage lang rückgängig machen.",
    stayed: (count, shown) => `${shown} ${some(count, "Person bleibt", "Personen bleiben")} unverändert`,
    more: (count) => `${count} weitere`,
    reasons: {
      "This person was changed after the import.": "Nach dem Import geändert.",
      "This person has had mail, an event or a workflow since the import.":
        "Hatte seit dem Import eine Mail, ein Ereignis oder einen Ablauf.",
    },
  },
};
