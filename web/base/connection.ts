// The connection to the server. When it fails, it is tried again: after growing pauses, once the browser is online, and
// by a button.
import { signal } from "./signal.ts";

/** `offline`: the browser has no network. `away`: the server does not answer. `part`: a file of the page is missing. */
export type Trouble = "offline" | "away" | "part";
export const trouble = signal<Trouble | null>(null);

/** The number of recoveries: after each, failed loads are tried again. */
export const recoveries = signal(0);

/** Whether the server has a newer version of the pages than this one. */
export const isOutdated = signal(false);

const PAUSES_MS = [1_000, 2_000, 5_000, 10_000, 30_000];
/** After this time without trouble, the pauses start again with the shortest. */
const CALM_MS = 60_000;
const PATIENCE_MS = 10_000;

let tries = 0;
let lastTroubleMs = -CALM_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

/** `away`: a call got no answer. `part`: a file of the page could not be loaded. */
export function reportTrouble(what: "away" | "part"): void {
  if (trouble.get() !== null) return;
  const nowMs = performance.now();
  if (nowMs - lastTroubleMs > CALM_MS) tries = 0;
  lastTroubleMs = nowMs;
  trouble.set(navigator.onLine ? what : "offline");
  tryLater();
}

function tryLater(): void {
  clearTimeout(timer);
  timer = setTimeout(tryNow, PAUSES_MS[Math.min(tries++, PAUSES_MS.length - 1)]);
}

export async function tryNow(): Promise<void> {
  clearTimeout(timer);
  if (await isAnswering()) {
    trouble.set(null);
    recoveries.set(recoveries.get() + 1);
  } else if (trouble.get() !== null) {
    trouble.set(navigator.onLine ? "away" : "offline");
    tryLater();
  }
}

/** Checks the version of the pages as well: the server may have been upgraded while it was away. */
export async function isAnswering(): Promise<boolean> {
  try {
    const response = await fetch("/app/-/version", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
    const { main } = (await response.json()) as { readonly main: string };
    if (response.ok && !OWN_MAIN.endsWith(`/${main}`)) isOutdated.set(true);
    return response.ok;
  } catch {
    return false;
  }
}

const OWN_MAIN = document.querySelector<HTMLScriptElement>("script[type=module]")?.src ?? "";

addEventListener("offline", () => {
  trouble.set("offline");
  tryLater();
});
addEventListener("online", () => void tryNow());
