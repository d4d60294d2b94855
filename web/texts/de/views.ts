// Saved views, in German.
import type { views as english } from "../en/views.ts";

export const views: typeof english = {
  title: "Gespeicherte Ansichten",
  save: "Ansicht speichern",
  name: "Name",
  help: "Sie steht neben den anderen Ansichten dieser Liste.",
  helpOfMails: "Sie steht neben den anderen Ansichten. Eine Spanne wie 7d wird vom Tag des Öffnens zurückgezählt.",
  shared: "Für alle in diesem Arbeitsbereich",
  action: "Speichern",
  done: "Gespeichert.",
  removeNamed: (name) => `Ansicht „${name}“ entfernen`,
  removed: (name) => `„${name}“ ist entfernt.`,
  undo: "Rückgängig",
};
