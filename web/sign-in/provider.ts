// The way to a provider of sign-ins (OpenID Connect) and back. What is under way is kept for this tab until the browser returns.
import { call } from "../api.ts";

/** What it is for: to sign in, to link an account, or to prove who one is in another tab. */
export type ProviderErrand = "enter" | "link" | "prove";

export type PendingErrand = {
  readonly name: string;
  readonly errand: ProviderErrand;
  readonly ticket: string;
  /** Where to go then. */
  readonly next: string;
};

const KEY = "provider";

/** Leaves this page. */
export async function goToProvider(name: string, errand: ProviderErrand, next: string): Promise<void> {
  const ask = errand === "enter" ? "POST /session/provider-options" : "POST /me/provider-options";
  const { url, ticket } = await call(ask, { body: { provider: name } });
  sessionStorage.setItem(KEY, JSON.stringify({ name, errand, ticket, next } satisfies PendingErrand));
  // Else the way back would lead there again.
  location.replace(url);
}

/**
 * What the browser has come back from, with this query; null = it has not been there. A ticket is good once, so it is
 * taken.
 */
export function pendingErrand(name: string, answer: string): PendingErrand | null {
  if (!/[?&](code|error)=/.test(answer)) return null;
  const pending = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as PendingErrand | null;
  sessionStorage.removeItem(KEY);
  return pending?.name === name ? pending : null;
}
