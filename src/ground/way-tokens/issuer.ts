// The service that gives access tokens, by the settings of a relay: where it is, who asks, and what its refusals say.
import * as oauth from "oauth4webapi";
import { retryAfterMs } from "../../base/jobs/retry.ts";
import { authorizationUrlOf, deviceUrlOf, tokenUrlOf, type TokenSettings } from "./token-place.ts";

/** `refused`: a person has to act; `later`: the service was not to be had. `waitMs`: as long as it asks for. */
export type TokenRefusal = {
  readonly kind: "refused" | "later";
  readonly problem: string;
  /** The error code of the service (RFC 6749 §5.2); empty = it gave none. */
  readonly code: string;
  readonly waitMs: number;
};
export type TokenGrant =
  | {
      readonly kind: "granted";
      readonly accessToken: string;
      readonly lastsMs: number;
      readonly refreshToken: string | null;
    }
  | TokenRefusal;

type IssuerRequest<Answer> = {
  readonly relay: TokenSettings;
  readonly nowMs: number;
  /** Also kept out of messages. */
  readonly refreshToken?: string | null;
  readonly ask: (service: TokenIssuer) => Promise<Response>;
  readonly read: (service: TokenIssuer, response: Response) => Promise<Answer>;
};
export type TokenIssuer = {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly auth: oauth.ClientAuth;
  readonly options: oauth.TokenEndpointRequestOptions;
};

const TIMEOUT_MS = 10_000;
const UNSAID_SECONDS = 3_600;
const MOST_PROBLEM_CHARS = 300;

/** Never throws: what a service or the network says is an outcome. */
export async function askService<Answer>(asking: IssuerRequest<Answer>): Promise<Answer | TokenRefusal> {
  let response: Response | null = null;
  try {
    const service = serviceOf(asking.relay);
    response = await asking.ask(service);
    return await asking.read(service, response);
  } catch (error) {
    if (response !== null) return refusalIn(asking, response, error);
    const problem = short(asking, `It cannot be reached: ${(error as Error).message}`);
    return { kind: "later", problem, code: "", waitMs: 0 };
  }
}

export async function grantIn({ server, client }: TokenIssuer, response: Response): Promise<TokenGrant> {
  const body = await oauth.processGenericTokenEndpointResponse(server, client, response);
  const { access_token: accessToken, expires_in: seconds = UNSAID_SECONDS, refresh_token: refreshToken } = body;
  return { kind: "granted", accessToken, lastsMs: seconds * 1000, refreshToken: refreshToken ?? null };
}

/** The scope, unless the settings have one. */
export function scopeOf({ scope, tenant }: TokenSettings, atMicrosoft: string): Record<string, string> {
  const asked = scope ?? (tenant === null ? null : atMicrosoft);
  return asked === null ? {} : { scope: asked };
}

export function serviceOf(relay: TokenSettings): TokenIssuer {
  const url = tokenUrlOf(relay);
  const device = deviceUrlOf(relay);
  const authorization = authorizationUrlOf(relay);
  return {
    server: {
      issuer: authorization === null ? url : new URL(authorization).origin,
      token_endpoint: url,
      ...(device ? { device_authorization_endpoint: device } : {}),
    },
    client: { client_id: relay.clientId ?? "none" },
    auth: relay.clientSecret === null ? oauth.None() : oauth.ClientSecretPost(relay.clientSecret),
    options: { signal: AbortSignal.timeout(TIMEOUT_MS), [oauth.allowInsecureRequests]: url.startsWith("http:") },
  };
}

const NOT_NOW = new Set(["temporarily_unavailable", "server_error", "slow_down"]);

async function refusalIn(asking: IssuerRequest<unknown>, response: Response, error: unknown): Promise<TokenRefusal> {
  const { status, headers } = response;
  const body = error instanceof oauth.ResponseBodyError ? error.cause : await response.json().catch(() => null);
  const { error: given, error_description: words = "" } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const code = typeof given === "string" ? given : "";
  const said = [code, words].filter((one) => typeof one === "string" && one !== "").join(": ");
  const isLater = status === 429 || status >= 500 || NOT_NOW.has(code);
  const problem = short(asking, said || (status === 200 ? (error as Error).message : `It answers ${status}.`));
  const waitMs = retryAfterMs(headers.get("retry-after"), asking.nowMs);
  return { kind: isLater ? "later" : "refused", problem, code, waitMs };
}

/** On one line, and without what the service repeats of our secrets. */
function short({ relay, refreshToken = null }: IssuerRequest<unknown>, problem: string): string {
  const secrets = [relay.clientSecret, relay.refreshToken, refreshToken].filter((one) => one !== null);
  const open = secrets.reduce((text, secret) => text.replaceAll(secret, "…"), problem);
  const line = open.replace(/[\p{Cc}\s]+/gu, " ").trim();
  return line.slice(0, MOST_PROBLEM_CHARS).toWellFormed();
}
