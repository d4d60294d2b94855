// The redirect to a provider of sign-ins (OpenID Connect) and back. The pending errand is in the tab's session storage.
import { call } from "../calls/api.ts";

/** The purpose: to sign in, to link an account, or to give a proof for another tab. */
export type ProviderErrand = "enter" | "link" | "prove";

export type PendingErrand = {
  readonly name: string;
  readonly errand: ProviderErrand;
  readonly ticket: string;
  /** The page after it. */
  readonly next: string;
};

const KEY = "provider";

/** Leaves this page. */
export async function goToProvider(name: string, errand: ProviderErrand, next: string): Promise<void> {
  const ask = errand === "enter" ? "POST /session/provider-options" : "POST /me/provider-options";
  const { url, ticket } = await call(ask, { body: { provider: name } });
  sessionStorage.setItem(KEY, JSON.stringify({ name, errand, ticket, next } satisfies PendingErrand));
  // Replaces this page, so that Back does not redirect again.
  location.replace(url);
}

/**
 * The errand to which the browser returns with this query; null = it does not come from the provider. A ticket is valid
 * once, so it is removed.
 */
export function pendingErrand(name: string, answer: string): PendingErrand | null {
  if (!/[?&](code|error)=/.test(answer)) return null;
  const pending = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as PendingErrand | null;
  sessionStorage.removeItem(KEY);
  return pending?.name === name ? pending : null;
}
