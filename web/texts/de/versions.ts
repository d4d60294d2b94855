// Versions of an email, in German.
import type { versions as english } from "../en/versions.ts";

export const versions: typeof english = {
  title: "Versionen",
  count: (count) => (count === 1 ? "1 Version" : `${count} Versionen`),
  number: (number) => `Version ${number}`,
  now: "Jetzt",
  program: "ein Programm",
  against: "Was verglichen wird",
  changed: "Was sie geändert hat",
  toNow: "Was sich seitdem geändert hat",
  same: "Beide sind gleich.",
  restore: "Diese Version wiederherstellen",
  isNow: "Das ist der jetzige Stand.",
  restored: "Wiederhergestellt. Der vorherige Stand bleibt als Version erhalten.",
};
