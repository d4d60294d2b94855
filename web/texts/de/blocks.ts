// Saved blocks, in German.
import type { blocks as english } from "../en/blocks.ts";

export const blocks: typeof english = {
  title: "Gespeicherte Bausteine",
  save: "Auswahl als Baustein speichern …",
  saveTitle: "Als Baustein speichern",
  saveNow: "Speichern",
  saved: "Gespeichert. Er lässt sich in jede Mail einfügen.",
  name: "Name",
  help: "Mails bekommen eine Kopie: Eine Änderung des Bausteins ändert keine von ihnen.",
  manage: "Bausteine löschen …",
  remove: (name) => `${name} löschen`,
  chooseFirst: "Wählen Sie zuerst aus, was der Baustein werden soll.",
};
