// Asks for an access token by the settings of a relay: with a refresh token, the key of a Google service account, or
// for the client itself.
import { createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import type { WaySettings } from "../../base/config/ways.ts";
import { retryAfterMs } from "../../base/jobs/retry.ts";

type TokenSettings = WaySettings["relay"];
export type TokenRequest = {
  readonly relay: TokenSettings;
  /** The newest one; null = the settings have the right by themselves. */
  readonly refreshToken: string | null;
  readonly nowMs: number;
};

/** `refused`: a person has to act; `later`: the service was not to be had. `waitMs`: as long as it asks for. */
export type TokenGrant =
  | {
      readonly kind: "granted";
      readonly accessToken: string;
      readonly lastsMs: number;
      readonly refreshToken: string | null;
    }
  | { readonly kind: "refused" | "later"; readonly problem: string; readonly waitMs: number };

const TIMEOUT_MS = 10_000;
const UNSAID_SECONDS = 3_600;
const MOST_PROBLEM_CHARS = 300;
const ASSERTION_SECONDS = 600;
const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const GOOGLE_SCOPE = "https://mail.google.com/";
const MICROSOFT_SCOPE = "https://outlook.office365.com/.default";
const MICROSOFT_USER_SCOPE = "https://outlook.office.com/SMTP.Send offline_access";

/** Never throws: what a service or the network says is an outcome. */
export async function grantOf(request: TokenRequest): Promise<TokenGrant> {
  let response: Response | null = null;
  try {
    response = await answerTo(request);
    const body = await oauth.processGenericTokenEndpointResponse(...partiesOf(request.relay), response);
    const { access_token: accessToken, expires_in: seconds = UNSAID_SECONDS, refresh_token: refreshToken } = body;
    return { kind: "granted", accessToken, lastsMs: seconds * 1000, refreshToken: refreshToken ?? null };
  } catch (error) {
    return response === null
      ? { kind: "later", problem: short(request, `It cannot be reached: ${(error as Error).message}`), waitMs: 0 }
      : refusalIn(request, response, error);
  }
}

function answerTo({ relay, refreshToken, nowMs }: TokenRequest): Promise<Response> {
  const [service, client] = partiesOf(relay);
  const auth = relay.clientSecret === null ? oauth.None() : oauth.ClientSecretPost(relay.clientSecret);
  const isPlain = service.issuer.startsWith("http:");
  const options = { signal: AbortSignal.timeout(TIMEOUT_MS), [oauth.allowInsecureRequests]: isPlain };
  if (relay.serviceAccount !== null)
    return assertionOf(relay, relay.serviceAccount, nowMs).then((assertion) =>
      // The signature is the proof: there is no client.
      oauth.genericTokenEndpointRequest(service, client, () => undefined, JWT_BEARER, { assertion }, options),
    );
  if (refreshToken !== null) {
    const additionalParameters = scopeOf(relay, MICROSOFT_USER_SCOPE);
    return oauth.refreshTokenGrantRequest(service, client, auth, refreshToken, { ...options, additionalParameters });
  }
  return oauth.clientCredentialsGrantRequest(service, client, auth, scopeOf(relay, MICROSOFT_SCOPE), options);
}

function partiesOf(relay: TokenSettings): [oauth.AuthorizationServer, oauth.Client] {
  const url = tokenUrlOf(relay);
  return [{ issuer: url, token_endpoint: url }, { client_id: relay.clientId ?? "none" }];
}

function tokenUrlOf({ serviceAccount, tenant, tokenUrl }: TokenSettings): string {
  if (serviceAccount !== null) return (JSON.parse(serviceAccount) as ServiceAccountKey).token_uri;
  return tokenUrl ?? `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`;
}

function scopeOf({ scope, tenant }: TokenSettings, atMicrosoft: string): Record<string, string> {
  const asked = scope ?? (tenant === null ? null : atMicrosoft);
  return asked === null ? {} : { scope: asked };
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

const NOT_NOW = new Set(["temporarily_unavailable", "server_error", "slow_down"]);

async function refusalIn(request: TokenRequest, response: Response, error: unknown): Promise<TokenGrant> {
  const { status, headers } = response;
  const body = error instanceof oauth.ResponseBodyError ? error.cause : await response.json().catch(() => null);
  const { error: code = "", error_description: words = "" } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const said = [code, words].filter((one) => typeof one === "string" && one !== "").join(": ");
  const isLater = status === 429 || status >= 500 || NOT_NOW.has(String(code));
  const problem = said || (status === 200 ? (error as Error).message : `It answers ${status}.`);
  const waitMs = retryAfterMs(headers.get("retry-after"), request.nowMs);
  return { kind: isLater ? "later" : "refused", problem: short(request, problem), waitMs };
}

/** On one line, and without what the service repeats of our secrets. */
function short({ relay, refreshToken }: TokenRequest, problem: string): string {
  const secrets = [relay.clientSecret, relay.refreshToken, refreshToken].filter((one) => one !== null);
  const open = secrets.reduce((text, secret) => text.replaceAll(secret, "…"), problem);
  return open
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, MOST_PROBLEM_CHARS)
    .toWellFormed();
}
