// What the ways in ask of the server.
import { api, told } from "../api.ts";
import type { Me, Role } from "../session.ts";

export type SessionState = {
  readonly signedIn: boolean;
  readonly nobody: boolean;
  readonly passkeys: { readonly offered: boolean; readonly reason: string | null };
};

export type LinkFacts = {
  readonly kind: "WELCOME" | "RECOVERY" | "INVITATION";
  readonly email: string | null;
  readonly name: string | null;
  readonly workspace: string | null;
  readonly role: Role;
  readonly known: boolean;
  readonly expiresAt: string;
};

type Options = { readonly options: unknown };

export async function sessionState(): Promise<SessionState> {
  return (await told(api.GET("/session" as never))) as SessionState;
}

export function signIn(body: object): Promise<Me> {
  return post("/session", body);
}

export function signInByPasskey(passkey: unknown): Promise<Me> {
  return post("/session/passkey", { passkey });
}

export async function passkeyOptions(): Promise<unknown> {
  return (await post<Options>("/session/passkey-options", {})).options;
}

export function lookAtLink(token: string): Promise<LinkFacts> {
  return post("/links/look", { token });
}

export async function newPasskeyOptions(body: object): Promise<unknown> {
  return (await post<Options>("/links/passkey-options", body)).options;
}

export function acceptLink(body: object): Promise<Me> {
  return post("/links/accept", body);
}

async function post<Answer>(path: string, body: object): Promise<Answer> {
  return (await told(api.POST(path as never, { body } as never))) as Answer;
}
