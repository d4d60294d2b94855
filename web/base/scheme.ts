// The colour scheme (light, dark, system), kept in this browser. web/scheme.ts applies it before the first paint.
import { setPreference, preference } from "./preferences.ts";
import { signal } from "./signal.ts";

export type Scheme = "system" | "light" | "dark";

const known = preference("scheme");
export const scheme = signal<Scheme>(known === "light" || known === "dark" ? known : "system");

export function chooseScheme(chosen: Scheme): void {
  const { dataset } = document.documentElement;
  if (chosen === "system") delete dataset["scheme"];
  else dataset["scheme"] = chosen;
  setPreference("scheme", chosen === "system" ? null : chosen);
  scheme.set(chosen);
}
