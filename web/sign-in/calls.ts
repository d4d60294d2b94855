// API calls for signing in.
import { queryOptions } from "@tanstack/react-query";
import { call, Fault } from "../calls/api.ts";
import type { Schemas } from "../calls/schemas.ts";
import { provePasskey, type PasskeyProof } from "../calls/passkeys.ts";

export type LinkFacts = Schemas["Link"];
export type Acceptance = Schemas["AcceptLinkRequest"];
type SignIn = Schemas["SignInRequest"];

export type SignedInPerson = Schemas["Me"];

const signIn = (body: SignIn) => call("POST /session", { body });
const signInByPasskey = (passkey: PasskeyProof) => call("POST /session/passkey", { body: { passkey } });

/**
 * Some accounts need a passkey in addition to the password: it is requested here. A missing code is an error until the
 * form has it.
 */
export async function signInByPassword(values: Omit<SignIn, "passkey">): Promise<SignedInPerson> {
  try {
    return await signIn(values);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== "PASSKEY_NEEDED") throw error;
    return signIn({ ...values, passkey: await provePasskey(await passkeyOptions()) });
  }
}

export const signInWithPasskey = async (): Promise<SignedInPerson> =>
  signInByPasskey(await provePasskey(await passkeyOptions()));

/** Loaded once. If the link has been used since, the form's error says so. */
export function linkQuery(token: string) {
  return queryOptions({
    queryKey: ["link", token],
    queryFn: () => call("POST /links/look", { body: { token } }),
    retry: false,
    throwOnError: false,
    staleTime: Infinity,
    gcTime: 0,
  });
}

export const acceptLink = (body: Acceptance) => call("POST /links/accept", { body });

export async function passkeyOptions(): Promise<unknown> {
  return (await call("POST /session/passkey-options", { body: {} })).options;
}

export async function newPasskeyOptions(body: Schemas["AskForNewPasskeyRequest"]): Promise<unknown> {
  return (await call("POST /links/passkey-options", { body })).options;
}
