// Fields for tags and metadata, in German.
import type { labels as english } from "../en/labels.ts";

export const labels: typeof english = {
  title: "Tags und Metadaten",
  optional: "optional",
  tags: "Tags",
  tagsHelp:
    "Leertaste oder Eingabetaste beendet ein Tag. Tags sind Namen wie receipt oder Namen mit einem Wert wie plan:pro.",
  ofTemplate:
    "Jede Mail aus dieser Vorlage hat sie. Mails lassen sich danach suchen, und die Statistik lässt sich nach Tags aufteilen.",
  ofStep: "Zusätzlich zu denen der Vorlage.",
  withoutTag: (tag) => `Tag ${tag} entfernen`,
  unfit: (tag) =>
    `„${tag}“ ist kein Tag. Ein Tag ist ein Name, oder ein Name, ein Doppelpunkt und ein Wert. Beide haben 1 bis 64 Buchstaben ohne Umlaute, Ziffern, _, - oder Punkte.`,
  tooMany: (most) => `Höchstens ${most} Tags.`,
  metadata: "Metadaten",
  metadataHelp: "Ihre eigenen Werte. Sie stehen auch in Ereignissen und Webhooks.",
  key: "Schlüssel",
  value: "Wert",
  valueOf: (key) => (key === "" ? "Wert" : `Wert von ${key}`),
  addKey: "Metadaten",
  withoutKey: (key) => `${key} entfernen`,
  metadataFaults: {
    key: (key) =>
      `„${key}“ ist kein Schlüssel. Ein Schlüssel hat 1 bis 64 Buchstaben ohne Umlaute, Ziffern, _, - oder Punkte.`,
    value: (key) => `Der Wert von ${key} ist länger als 500 Zeichen.`,
    keys: () => "Höchstens 20 Schlüssel.",
    size: () => "Schlüssel und Werte sind zusammen größer als 4 KB.",
  },
};
