// The language of the interface: the chosen one, else the browser's. Texts are typed objects in lazy files by language
// and area.
import { use } from "react";
import { recoveries } from "./connection.ts";
import { loadChunk, settledPromise } from "./load-chunk.ts";
import { setPreference, preference } from "./preferences.ts";
import { signal, useSignal } from "./signal.ts";

export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

function isLanguage(name: string | null): name is Language {
  return name !== null && name in LANGUAGES;
}

function browserLanguage(): Language {
  const chosen = preference("language");
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.split("-")[0] ?? "").find(isLanguage) ?? "en";
}

export const language = signal<Language>(browserLanguage());
document.documentElement.lang = language.get();

/** Loads the texts in use before the switch, so that the whole screen changes together. */
export async function chooseLanguage(name: Language): Promise<void> {
  setPreference("language", name);
  await Promise.all([...currentLanguage].map((texts) => texts(name)));
  document.documentElement.lang = name;
  language.set(name);
}

export function useLanguage(): Language {
  return useSignal(language);
}

/** For dates and numbers: the browser's own variant of the language, if it has one. */
export function localeOf(name: Language): string {
  return navigator.languages.find((tag) => tag.split("-")[0] === name) ?? name;
}

export type Area<Texts> = (language: Language) => Promise<Texts>;

const currentLanguage = new Set<Area<unknown>>();

/** The texts of an area: `area({ en: () => import("./en/mail.ts").then(…), de: … })`. */
export function area<Texts>(loaders: Readonly<Record<Language, () => Promise<Texts>>>): Area<Texts> {
  const loaded = new Map<Language, Promise<Texts>>();
  const texts: Area<Texts> = (name) => {
    currentLanguage.add(texts);
    const known = loaded.get(name);
    if (known) return known;
    const loading = settledPromise(loadedInTheEnd(loaders[name]));
    loaded.set(name, loading);
    return loading;
  };
  return texts;
}

/** Tries again after each recovery: without texts there is nothing to show. */
async function loadedInTheEnd<Texts>(load: () => Promise<Texts>): Promise<Texts> {
  for (;;) {
    try {
      return await loadChunk(load);
    } catch {
      await recovery();
    }
  }
}

function recovery(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unwatch = recoveries.watch(() => (unwatch(), resolve()));
  return promise;
}

/** Suspends until the texts are there. */
export function useTexts<Texts>(of: Area<Texts>): Texts {
  return use(of(useLanguage()));
}
