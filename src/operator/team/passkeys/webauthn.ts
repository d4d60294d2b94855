// The ceremonies of passkeys, by @simplewebauthn/server, which is loaded with the first one.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { uuidBytes } from "../../../base/ids.ts";
import type { Passkey } from "./queries.ts";
import type { Site } from "./site.ts";

/** Signed by us: `isOurs` of the checks below. */
export type Challenge = Uint8Array<ArrayBuffer>;
type IsOurs = (challenge: string) => boolean;

export type Bearer = { readonly id: string; readonly email: string; readonly name: string };

/** In the compiled file its certificates would be read before the library that they need: that one comes first. */
async function library() {
  await import("reflect-metadata");
  return import("@simplewebauthn/server");
}

const SERVICE = "Posthorn";
const TIMEOUT_MS = 5 * 60_000;

/** The options for making a passkey. `known`: credentials that the person has. */
export async function creationOptions(site: Site, bearer: Bearer, known: readonly string[], challenge: Challenge) {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: SERVICE,
    rpID: site.host,
    userID: new Uint8Array(uuidBytes(bearer.id)),
    userName: bearer.email,
    userDisplayName: bearer.name,
    challenge,
    timeout: TIMEOUT_MS,
    attestationType: "none",
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** The options for using any passkey of this site. */
export async function requestOptions(site: Site, challenge: Challenge) {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: site.host,
    challenge,
    timeout: TIMEOUT_MS,
    userVerification: "required",
  });
}

export type PasskeyCredential = Pick<Passkey, "credential" | "publicKey" | "counter" | "transports">;

/** Null if the response does not answer the challenge. */
export async function created(site: Site, response: unknown, isOurs: IsOurs): Promise<PasskeyCredential | null> {
  const { verifyRegistrationResponse } = await library();
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: isOurs,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
    });
    if (!verified) return null;
    const { id, publicKey, counter, transports } = registrationInfo.credential;
    return {
      credential: id,
      publicKey: Buffer.from(publicKey).toString("base64url"),
      counter,
      transports: transports ?? [],
    };
  } catch {
    return null;
  }
}

/** The passkey's new counter; null if the response does not answer the challenge. */
export async function answered(
  site: Site,
  passkey: Passkey,
  response: unknown,
  isOurs: IsOurs,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: isOurs,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      credential: {
        id: passkey.credential,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
        counter: passkey.counter,
      },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}
