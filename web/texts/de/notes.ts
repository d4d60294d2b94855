// Notes about contacts, in German.
import type { notes as english } from "../en/notes.ts";

export const notes: typeof english = {
  title: "Notizen",
  write: "Notiz schreiben",
  ask: (name) => `${name} fragen…`,
  to: "Für",
  text: "Notiz",
  help: "Sie steht auf der Seite des Kontakts und, bis sie erledigt ist, in der Übersicht der Person, für die sie ist.",
  nobody: "Außer Ihnen ist niemand da.",
  submit: "Notiz hinterlassen",
  left: (name) => `${name} findet Ihre Notiz in der Übersicht.`,
  about: (subject) => `Zur Mail „${subject}“: `,
  between: (from, to) => `${from} an ${to}`,
  somebody: "Ein API-Schlüssel",
  done: "Erledigt",
  reopen: "Wieder öffnen",
  remove: "Notiz löschen",
  removed: "Die Notiz ist gelöscht.",
  isDone: (count) => `${count} erledigt`,
  doneBy: (name) => `erledigt von ${name}`,
  all: "Alle Notizen",
};
