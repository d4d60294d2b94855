// API calls for signing in.
import { api, unwrap } from "../api.ts";
import type { components } from "../api.gen.ts";
import type { PasskeyProof } from "../passkeys.ts";

type Schemas = components["schemas"];
export type LinkFacts = Schemas["Link"];
export type Acceptance = Schemas["AcceptLinkRequest"];
type SignIn = Schemas["SignInRequest"];

export const sessionState = () => unwrap(api.GET("/session"));
export const signIn = (body: SignIn) => unwrap(api.POST("/session", { body }));
export const signInByPasskey = (passkey: PasskeyProof) => unwrap(api.POST("/session/passkey", { body: { passkey } }));
export const linkFacts = (token: string) => unwrap(api.POST("/links/look", { body: { token } }));
export const acceptLink = (body: Acceptance) => unwrap(api.POST("/links/accept", { body }));

export async function passkeyOptions(): Promise<unknown> {
  return (await unwrap(api.POST("/session/passkey-options", { body: {} }))).options;
}

export async function newPasskeyOptions(body: Schemas["AskForNewPasskeyRequest"]): Promise<unknown> {
  return (await unwrap(api.POST("/links/passkey-options", { body }))).options;
}
