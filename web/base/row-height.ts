// The row height, kept in this browser. web/scheme.ts applies it before the first paint.
import { setPreference, preference } from "./preferences.ts";
import { signal } from "./signal.ts";

export type RowHeight = "compact" | "roomy";

export const rowHeight = signal<RowHeight>(preference("rows") === "roomy" ? "roomy" : "compact");

export function chooseRowHeight(chosen: RowHeight): void {
  const { dataset } = document.documentElement;
  if (chosen === "roomy") dataset["rows"] = chosen;
  else delete dataset["rows"];
  setPreference("rows", chosen === "roomy" ? chosen : null);
  rowHeight.set(chosen);
}
