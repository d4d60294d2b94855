// Passkeys: loaded when one is used. A browser without them, or without TLS, offers none.
import type { components } from "./api.gen.ts";

type Schemas = components["schemas"];
/** What a device signs to show who is there. */
export type PasskeyProof = Schemas["SignInWithPasskeyRequest"]["passkey"];
/** What a device says of a passkey that it has just made. */
export type NewPasskey = NonNullable<Schemas["AcceptLinkRequest"]["passkey"]>;

export function hasPasskeys(): boolean {
  return "PublicKeyCredential" in window;
}

const ceremonies = () => import("@simplewebauthn/browser");

/** @throws if the person or the browser refuses */
export async function provePasskey(options: unknown): Promise<PasskeyProof> {
  const proof = await (await ceremonies()).startAuthentication({ optionsJSON: options as never });
  return proof as unknown as PasskeyProof;
}

/** @throws if the person or the browser refuses */
export async function makePasskey(options: unknown): Promise<NewPasskey> {
  const made = await (await ceremonies()).startRegistration({ optionsJSON: options as never });
  return made as unknown as NewPasskey;
}
