// Versions of what is written, in German.
import type { versions as english } from "../en/versions.ts";

export const versions: typeof english = {
  title: "Versionen",
  count: (count) => (count === 1 ? "1 Version" : `${count} Versionen`),
  now: "Jetzt",
  program: "ein Programm",
  against: "Was verglichen wird",
  changed: "Was sie geändert hat",
  toNow: "Was sich seitdem geändert hat",
  same: "Beide sagen dasselbe.",
  restore: "Diese Version wiederherstellen",
  isNow: "So lautet es jetzt.",
  restored: "Wiederhergestellt. Auch was vorher da stand, ist eine Version.",
};
