// Topics, in German.
import type { topics as english } from "../en/topics.ts";

export const topics: typeof english = {
  title: "Themen",
  make: "Neues Thema",
  find: "Thema suchen",
  count: (count, shown) => (count === 1 ? "1 Thema" : `${shown} Themen`),
  noMatch: "Kein Thema heißt so.",
  name: "Name",
  description: "Beschreibung",
  optional: "freiwillig",
  key: "Kürzel",
  keyHelp:
    "Kleinbuchstaben, Ziffern und Bindestriche. Die API und importierte Dateien nennen das Thema so, und es ändert sich nie.",
  forWhom: "Empfänger",
  defaults: {
    in: {
      name: "Alle",
      short: "Alle, die es nicht abgewählt haben",
      help: "Alle Abonnenten bekommen Mails zu diesem Thema, außer sie wählen es ab.",
    },
    out: {
      name: "Nur wer es wählt",
      short: "Nur wer es gewählt hat",
      help: "Nur wer dieses Thema gewählt hat, bekommt Mails dazu.",
    },
  },
  people: {
    title: "Dabei / nicht dabei",
    exact: (gets, not) => `${gets} dabei, ${not} nicht`,
    about: (gets, not) => `etwa ${gets} dabei, ${not} nicht`,
  },
  visible: "Auf der Einstellungsseite für Empfänger zeigen",
  hidden: "verborgen",
  addLanguage: "Sprache hinzufügen",
  create: "Thema anlegen",
  created: (name) => `„${name}“ ist angelegt.`,
  save: "Speichern",
  edit: "Bearbeiten",
  editTitle: "Thema bearbeiten",
  up: "Nach oben",
  down: "Nach unten",
  isFirst: "Es ist das erste.",
  isLast: "Es ist das letzte.",
  forms: (count) =>
    count === 0 ? "Formulare" : count === 1 ? "1 Formular bietet es an" : `${count} Formulare bieten es an`,
  noForms: "Kein Formular bietet es an.",
  actions: (name) => `Aktionen für ${name}`,
  remove: "Thema löschen",
  removeTitle: (name) => `„${name}“ löschen?`,
  removeText:
    "Empfänger können es dann nicht mehr wählen. Was sie gewählt haben, bleibt gespeichert und gilt wieder, wenn Sie ein Thema mit demselben Kürzel anlegen.",
  removed: (name) => `„${name}“ ist gelöscht.`,
  empty: {
    title: "Noch keine Themen",
    text: "Ein Thema ist etwas, worüber Sie schreiben, etwa Neuigkeiten oder Tipps. Empfänger können ein Thema abwählen und die anderen behalten.",
  },
  field: "Thema",
  fieldHelp: "Wer das Thema abgewählt hat, bekommt diese Mail nicht.",
  none: "Kein Thema",
  choices: { in: "Gewählt", out: "Abgewählt", unsaid: "Keine Angabe" },
  person: {
    title: "Themen",
    byDefault: "voreingestellt",
    done: {
      in: (name) => `Bekommt jetzt „${name}“.`,
      out: (name) => `Bekommt „${name}“ nicht mehr.`,
    },
  },
};
