// How high rows are; kept in this browser. web/scheme.ts applies it before the first paint.
import { setPreference, preference } from "../preferences.ts";
import { signal } from "../signal.ts";

export type Rows = "compact" | "roomy";

export const rows = signal<Rows>(preference("rows") === "roomy" ? "roomy" : "compact");

export function chooseRows(chosen: Rows): void {
  const { dataset } = document.documentElement;
  if (chosen === "roomy") dataset["rows"] = chosen;
  else delete dataset["rows"];
  setPreference("rows", chosen === "roomy" ? chosen : null);
  rows.set(chosen);
}
