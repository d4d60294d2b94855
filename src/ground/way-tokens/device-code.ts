// A sign-in on another screen (RFC 8628): the service gives a code, a person enters it there and agrees, and the client
// gets a refresh token.
import * as oauth from "oauth4webapi";
import { askService, grantIn, scopeOf, type TokenGrant, type TokenRefusal } from "./issuer.ts";
import { scopesOf, type TokenPlace } from "./token-place.ts";

export type DeviceCode = {
  readonly kind: "begun";
  readonly deviceCode: string;
  /** The code that the person enters at `url`. */
  readonly userCode: string;
  readonly url: string;
  readonly lastsMs: number;
  readonly intervalSeconds: number;
};

type SignInRequest = TokenPlace & { readonly nowMs: number };

const INTERVAL_SECONDS = 5;

/** Never throws. */
export function askForCode(request: SignInRequest): Promise<DeviceCode | TokenRefusal> {
  return askService<DeviceCode | TokenRefusal>({
    ...request,
    ask: ({ server, client, auth, options }) =>
      oauth.deviceAuthorizationRequest(server, client, auth, scopeOf(request.relay, scopesOf(request).user), options),
    read: async ({ server, client }, response) => {
      const body = await oauth.processDeviceAuthorizationResponse(server, client, response);
      const { device_code: deviceCode, user_code: userCode, verification_uri: url, expires_in: seconds } = body;
      const intervalSeconds = body.interval ?? INTERVAL_SECONDS;
      return { kind: "begun", deviceCode, userCode, url, lastsMs: seconds * 1000, intervalSeconds };
    },
  });
}

/** Answers while the person has not agreed yet. */
const WAITING = new Set(["authorization_pending", "slow_down"]);

export function isWaiting(grant: TokenGrant): boolean {
  return grant.kind !== "granted" && (grant.kind === "later" || WAITING.has(grant.code));
}

/** Whether the person has agreed by now. Never throws. */
export function askForGrant(request: SignInRequest, deviceCode: string): Promise<TokenGrant> {
  return askService<TokenGrant>({
    ...request,
    ask: ({ server, client, auth, options }) => oauth.deviceCodeGrantRequest(server, client, auth, deviceCode, options),
    read: grantIn,
  });
}
