// Asks for an access token by the settings of a relay: with a refresh token, the key of a Google service account, or
// for the client itself.
import { createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import { askService, grantIn, scopeOf, type TokenGrant, type TokenIssuer } from "./issuer.ts";
import { authorizationUrlOf, GOOGLE_SCOPE, scopesOf, type TokenPlace, type TokenSettings } from "./token-place.ts";

export type TokenRequest = TokenPlace & {
  /** The newest one; null = the settings have the right by themselves. */
  readonly refreshToken: string | null;
  readonly nowMs: number;
};

const ASSERTION_SECONDS = 600;
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";

const NOBODY: TokenGrant = {
  ...{ kind: "refused", code: "", waitMs: 0 },
  problem: "Nobody has signed in for it yet: Settings, Sending routes, Sign in",
};

/** Never throws: what a service or the network says is an outcome. */
export async function grantOf(request: TokenRequest): Promise<TokenGrant> {
  const { relay, refreshToken } = request;
  // At Google, a client has no right of its own.
  const ofClient = authorizationUrlOf(relay) === null ? relay.clientSecret : null;
  if ([relay.serviceAccount, refreshToken, ofClient].every((right) => right === null)) return NOBODY;
  return askService({ ...request, ask: (service) => answerTo(service, request), read: grantIn });
}

async function answerTo(
  { server, client, auth, options }: TokenIssuer,
  { kind, relay, refreshToken, nowMs }: TokenRequest,
): Promise<Response> {
  const scopes = scopesOf({ kind, relay });
  if (relay.serviceAccount !== null) {
    const assertion = await assertionOf(relay, relay.serviceAccount, nowMs);
    // The signature is the proof: there is no client.
    return oauth.genericTokenEndpointRequest(server, client, () => undefined, JWT_BEARER, { assertion }, options);
  }
  if (refreshToken === null)
    return oauth.clientCredentialsGrantRequest(server, client, auth, scopeOf(relay, scopes.app), options);
  const additionalParameters = scopeOf(relay, scopes.user);
  return oauth.refreshTokenGrantRequest(server, client, auth, refreshToken, { ...options, additionalParameters });
}

type ServiceAccountKey = Readonly<Record<"client_email" | "private_key" | "private_key_id" | "token_uri", string>>;

/** Says in whose name the account acts: the mailbox that sends (RFC 7523). */
function assertionOf({ user, scope }: TokenSettings, json: string, nowMs: number): Promise<string> {
  const account = JSON.parse(json) as ServiceAccountKey;
  const seconds = Math.floor(nowMs / 1000);
  return new SignJWT({ scope: scope ?? GOOGLE_SCOPE })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", kid: account.private_key_id })
    .setIssuer(account.client_email)
    .setSubject(user ?? "")
    .setAudience(account.token_uri)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + ASSERTION_SECONDS)
    .sign(createPrivateKey(account.private_key));
}
