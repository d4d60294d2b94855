// A sign-in in the browser (RFC 6749 §4.1, with PKCE): the service sends the browser back with a code, and the client
// gets a refresh token for it. The code of another sign-in is refused: its state is another one, and so is its
// verifier.
import * as oauth from "oauth4webapi";
import { askService, grantIn, serviceOf, type TokenGrant, type TokenIssuer } from "./issuer.ts";
import { authorizationUrlOf, GOOGLE_SCOPE, type TokenPlace, type TokenSettings } from "./token-place.ts";

/** Kept until the browser is back. */
export type Redirect = { readonly address: string; readonly state: string; readonly verifier: string };

/**
 * Answers where to send the browser, and what to keep until it is back. `address`: where it comes back to, as it is
 * registered at the service.
 */
export async function redirectTo(
  relay: TokenSettings,
  address: string,
): Promise<{ readonly url: string; readonly redirect: Redirect }> {
  const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
  const url = new URL(authorizationUrlOf(relay) ?? "");
  const parameters = {
    client_id: relay.clientId ?? "",
    redirect_uri: address,
    response_type: "code",
    scope: relay.scope ?? GOOGLE_SCOPE,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    // Google gives a refresh token for these two alone.
    access_type: "offline",
    prompt: "consent",
    ...(relay.user === null ? {} : { login_hint: relay.user }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, redirect: { address, state, verifier } };
}

/** `answer`: the query with which the browser came back. Never throws. */
export async function grantAfter(
  request: TokenPlace & { readonly nowMs: number },
  { address, state, verifier }: Redirect,
  answer: string,
): Promise<TokenGrant> {
  const given = codeIn(serviceOf(request.relay), answer, state);
  if ("problem" in given) return { kind: "refused", waitMs: 0, ...given };
  return askService<TokenGrant>({
    ...request,
    ask: ({ server, client, auth, options }) =>
      oauth.authorizationCodeGrantRequest(server, client, auth, given, address, verifier, options),
    read: grantIn,
  });
}

/** `other_answer`: it belongs to another sign-in, or to none. */
type CodeFailure = { readonly problem: string; readonly code: string };

function codeIn({ server, client }: TokenIssuer, answer: string, state: string): URLSearchParams | CodeFailure {
  try {
    return oauth.validateAuthResponse(server, client, new URLSearchParams(answer), state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) return { problem: error.error, code: error.error };
    return { problem: (error as Error).message, code: "other_answer" };
  }
}
