// The files of an archive in an import, in German.
import type { importFiles as english } from "../en/import-files.ts";

const some = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const importFiles: typeof english = {
  title: "Dateien",
  count: (count) => `${count} ${some(count, "Datei", "Dateien")}`,
  worst: "Steht jemand in mehreren Dateien, zählt der schlechteste Status.",
  takenFor: "Gilt als",
  ofAll: (standing) =>
    `Nach ihrem Namen oder ihren Spalten gilt diese Datei für alle darin als: ${standing}. Stimmt das nicht, bitte die Datei umbenennen.`,
  rows: "Zeilen",
  standings: {
    subscribed: "Abonniert",
    pending: "Nicht bestätigt",
    unsubscribed: "Abbestellt",
    bounce: "Rückläufer",
    complaint: "Als Spam gemeldet",
    mixed: "Je nach Zeile",
  },
  leftOut: { no_list: "Entfällt: keine Liste", no_addresses: "Entfällt: keine Adressen" },
  repeated: (count) => `${count} wiederholt`,
};
