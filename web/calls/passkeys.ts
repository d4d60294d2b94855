// Passkeys, loaded on use. Browsers without them or without TLS offer none.
import type { Schemas } from "./schemas.ts";

/** The answer of a device that proves a passkey. */
export type PasskeyProof = Schemas["SignInWithPasskeyRequest"]["passkey"];
/** The answer of a device that has just made a passkey. */
export type NewPasskey = NonNullable<Schemas["AcceptLinkRequest"]["passkey"]>;

export function hasPasskeys(): boolean {
  return "PublicKeyCredential" in window;
}

const ceremonies = () => import("@simplewebauthn/browser");

/** @throws if the user or the browser refuses */
export async function provePasskey(options: unknown): Promise<PasskeyProof> {
  const proof = await (await ceremonies()).startAuthentication({ optionsJSON: options as never });
  return proof as unknown as PasskeyProof;
}

/** @throws if the user or the browser refuses */
export async function makePasskey(options: unknown): Promise<NewPasskey> {
  const registration = await (await ceremonies()).startRegistration({ optionsJSON: options as never });
  return registration as unknown as NewPasskey;
}
