// Sign-in at Google for a way out: the redirect there and back. The pending sign-in is in the tab's session storage.
export type PendingSignIn = { readonly name: string; readonly ticket: string };

/** `answer`: the query of the URL. `pending`: null = this tab has started no sign-in. */
export type SignInReturn = { readonly answer: string; readonly pending: PendingSignIn | null };

const KEY = "way sign-in";

/** Leaves this page. */
export function goToSignIn(url: string, pending: PendingSignIn): void {
  sessionStorage.setItem(KEY, JSON.stringify(pending));
  location.assign(url);
}

/** Null = the browser does not come from a sign-in. */
export function returnIn(): SignInReturn | null {
  const answer = location.search;
  if (!/[?&]state=/.test(answer)) return null;
  return { answer, pending: JSON.parse(sessionStorage.getItem(KEY) ?? "null") as PendingSignIn | null };
}

/** A sign-in is completed only once. */
export function forgetSignIn(): void {
  sessionStorage.removeItem(KEY);
}
