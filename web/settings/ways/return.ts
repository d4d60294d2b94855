// The way to Google and back, to sign in for a sending route. What is under way is kept for this tab until the browser returns.
export type PendingSignIn = { readonly name: string; readonly ticket: string };

/** `answer`: the query of the page. `pending`: null = this tab has begun no sign-in. */
export type SignInReturn = { readonly answer: string; readonly pending: PendingSignIn | null };

const KEY = "way sign-in";

/** Leaves this page. */
export function goToSignIn(url: string, pending: PendingSignIn): void {
  sessionStorage.setItem(KEY, JSON.stringify(pending));
  location.assign(url);
}

/** Null = the browser has not been there. */
export function returnIn(): SignInReturn | null {
  const answer = location.search;
  if (!/[?&]state=/.test(answer)) return null;
  return { answer, pending: JSON.parse(sessionStorage.getItem(KEY) ?? "null") as PendingSignIn | null };
}

/** A sign-in is ended once. */
export function forgetSignIn(): void {
  sessionStorage.removeItem(KEY);
}
