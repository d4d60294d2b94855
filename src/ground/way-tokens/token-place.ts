// Where the service is that gives the access tokens of a relay.
import type { WaySettings } from "../../base/config/ways.ts";

export type TokenSettings = Omit<WaySettings["relay"], "provider" | "providerKey" | "providerTracking">;

export type TokenPlace = Pick<WaySettings, "kind"> & { readonly relay: TokenSettings };

/** The scopes for sending with Microsoft: as the app, and as the person who signs in. */
export function scopesOf({ kind, relay }: TokenPlace): { readonly app: string; readonly user: string } {
  if (kind !== "graph")
    return {
      app: "https://outlook.office365.com/.default",
      user: "https://outlook.office.com/SMTP.Send offline_access",
    };
  return { app: `${relay.graphUrl}/.default`, user: `${relay.graphUrl}/Mail.Send offline_access` };
}

export function tokenUrlOf({ serviceAccount, tenant, tokenUrl }: TokenSettings): string {
  if (serviceAccount !== null) return (JSON.parse(serviceAccount) as { token_uri: string }).token_uri;
  return tokenUrl ?? `https://login.microsoftonline.com/${tenant}${MICROSOFT}token`;
}

/** Where codes for a sign-in on another screen come from. Null = nowhere: Google gives none for sending. */
export function deviceUrlOf(relay: TokenSettings): string | null {
  if (relay.clientId === null) return null;
  const url = tokenUrlOf(relay);
  return url.endsWith(`${MICROSOFT}token`) ? url.replace(/token$/, "devicecode") : null;
}

/** Where the browser is sent to sign in at Google. Null = it is another service. */
export function authorizationUrlOf(relay: TokenSettings): string | null {
  if (relay.clientId === null || !tokenUrlOf(relay).endsWith(GOOGLE)) return null;
  return "https://accounts.google.com/o/oauth2/v2/auth";
}

export const GOOGLE_SCOPE = "https://mail.google.com/";
const GOOGLE = "/oauth2.googleapis.com/token";
const MICROSOFT = "/oauth2/v2.0/";
