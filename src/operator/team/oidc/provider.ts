// Talks to a provider of sign-ins by OpenID Connect: where a browser is sent, and whom it comes back as. State, nonce,
// PKCE, the issuer of the answer (RFC 9207) and the signature of the ID token are checked by the library.
import * as oauth from "oauth4webapi";
import { systemClock } from "../../../base/clock.ts";
import type { ProviderSettings } from "../../../base/config/oidc.ts";
import { responseText } from "../../../http/fetch-text.ts";
import type { ProviderClaims } from "./claims.ts";
import type { SignInTicket } from "./ticket.ts";

/** The endpoints of a provider, from its discovery document. */
export type ProviderPlaces = oauth.AuthorizationServer;

type OrTrouble<Answer> = Answer | ProviderTrouble;
/** `isAway`: it cannot be reached. */
export type ProviderTrouble = { readonly fault: string; readonly isAway: boolean };

export type ProviderLink = { readonly provider: ProviderSettings; readonly redirect: string; readonly nowMs: number };

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 512 * 1024;
const TOLERANCE_SECONDS = 60;
const MOST_FAULT_CHARS = 300;

/** Never throws. */
export function placesOf({ issuer }: ProviderSettings): Promise<OrTrouble<ProviderPlaces>> {
  return attempt(async () => {
    const url = new URL(issuer);
    return oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, optionsFor(issuer)));
  });
}

type ProviderStart = Omit<SignInTicket, "provider" | "subject" | "begunAtMs"> & { readonly url: string };

/** `isFresh`: the person is to enter their password or the like there once more. Never throws. */
export function startAt(
  { provider, redirect }: ProviderLink,
  places: ProviderPlaces,
  isFresh: boolean,
): Promise<OrTrouble<ProviderStart>> {
  return attempt(async () => {
    const [state, nonce, verifier] = [oauth.generateRandomState(), oauth.generateRandomNonce(), newVerifier()];
    const url = new URL(places.authorization_endpoint ?? "");
    const parameters = {
      client_id: provider.clientId,
      redirect_uri: redirect,
      response_type: "code",
      scope: scopeFor(places),
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(isFresh ? { max_age: "0" } : {}),
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return { url: url.href, state, nonce, verifier };
  });
}

const newVerifier = oauth.generateRandomCodeVerifier;

function scopeFor({ scopes_supported: known = [] }: ProviderPlaces): string {
  return ["openid", "email", "profile", ...(known.includes("groups") ? ["groups"] : [])].join(" ");
}

/** `answer`: the query with which the browser came back. Never throws. */
export function claimsIn(
  link: ProviderLink,
  places: ProviderPlaces,
  { state, nonce, verifier }: SignInTicket,
  answer: string,
): Promise<OrTrouble<ProviderClaims>> {
  return attempt(async () => {
    const { provider, redirect } = link;
    const client = clientOf(link);
    // A copy has no keys yet: they are fetched each time, since a provider may change them at any moment.
    const server = { ...places };
    const options = optionsFor(provider.issuer);
    const given = oauth.validateAuthResponse(server, client, new URLSearchParams(answer), state);
    const auth = authOf(provider, server);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      given,
      redirect,
      verifier,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, options);
    const idToken = oauth.getValidatedIdTokenClaims(tokens) as oauth.IDToken;
    return { idToken, userInfo: await userInfoOf({ server, client, options }, tokens.access_token, idToken) };
  });
}

type ProviderClient = {
  readonly server: ProviderPlaces;
  readonly client: oauth.Client;
  readonly options: ReturnType<typeof optionsFor>;
};

async function userInfoOf(
  { server, client, options }: ProviderClient,
  token: string,
  { sub }: oauth.IDToken,
): Promise<ProviderClaims["userInfo"]> {
  if (server.userinfo_endpoint === undefined) return {};
  const response = await oauth.userInfoRequest(server, client, token, options);
  return oauth.processUserInfoResponse(server, client, sub, response);
}

/** The library reads the clock of the machine: the difference to ours is its skew. */
function clientOf({ provider: { clientId }, nowMs }: ProviderLink): oauth.Client {
  const skew = Math.round((nowMs - systemClock.nowMs()) / 1000);
  return { client_id: clientId, [oauth.clockSkew]: skew, [oauth.clockTolerance]: TOLERANCE_SECONDS };
}

/** HTTP Basic unless the provider takes it in the body alone (OpenID Connect Discovery §3). */
function authOf({ clientSecret }: ProviderSettings, server: ProviderPlaces): oauth.ClientAuth {
  if (clientSecret === null) return oauth.None();
  const { token_endpoint_auth_methods_supported: methods = ["client_secret_basic"] } = server;
  const isBasic = methods.includes("client_secret_basic");
  return isBasic ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
}

function optionsFor(issuer: string) {
  return {
    signal: () => systemClock.timeout(TIMEOUT_MS),
    [oauth.allowInsecureRequests]: issuer.startsWith("http:"),
    [oauth.customFetch]: fetchWithin,
  };
}

class Unreachable extends Error {
  override readonly name = "Unreachable";
}

/** Limited in size; the answer of a broken server counts as no answer. */
async function fetchWithin(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, init).catch((error: Error) => {
    throw new Unreachable(error.message);
  });
  const { status, headers } = response;
  if (status >= 500 || status === 429) throw new Unreachable(`It answers ${status}.`);
  return new Response(await responseText(response, MOST_BYTES), { status, headers });
}

async function attempt<Answer>(work: () => Promise<Answer>): Promise<OrTrouble<Answer>> {
  try {
    return await work();
  } catch (error) {
    return { fault: words(error as Error), isAway: error instanceof Unreachable };
  }
}

/** The provider's message comes before the library's. */
function words(error: Error): string {
  const said = error as { readonly error?: unknown; readonly error_description?: unknown };
  const parts = [said.error, said.error_description].filter((one) => typeof one === "string");
  const line = (parts.length > 0 ? parts.join(": ") : error.message).replace(/[\p{Cc}\s]+/gu, " ").trim();
  return line.slice(0, MOST_FAULT_CHARS).toWellFormed();
}
