// Opens a bounce mailbox by the protocol of its settings.
import type { MailboxSettings } from "../../../base/config/mailboxes.ts";
import type { AccessTokens, WayTokens } from "../../../ground/way-tokens/way-tokens.ts";
import type { MailboxAccess, OpenMailbox } from "./mailbox.ts";

/** @throws MailboxFault */
export async function openMailbox(access: MailboxAccess): Promise<OpenMailbox> {
  // Loaded only with such a mailbox.
  if (access.settings.kind === "graph") return (await import("./graph.ts")).openGraph(access);
  return (await import("./imap.ts")).openImap(access);
}

/** The scopes for reading with Microsoft: as the app, and as a person. */
const SCOPES = {
  imap: { app: null, user: "https://outlook.office.com/IMAP.AccessAsUser.All offline_access" },
  graph: { app: "/.default", user: "/Mail.ReadWrite offline_access" },
};

/** They are kept like those of ways. */
export function tokensOf(tokens: Pick<WayTokens, "of">, { name, kind, relay }: MailboxSettings): AccessTokens {
  const asked = relay.tenant === null ? null : SCOPES[kind][relay.refreshToken === null ? "app" : "user"];
  const scope = relay.scope ?? (asked?.startsWith("/") ? relay.graphUrl + asked : asked);
  return tokens.of({ name: `mailbox ${name}`, kind: kind === "graph" ? kind : "smtp", relay: { ...relay, scope } });
}

/** The mailbox in words, for logs and the doctor. */
export function placeOf({ kind, relay, folder }: MailboxSettings): string {
  if (kind === "graph") return `${folder} of ${relay.user} at ${relay.graphUrl}`;
  return `${folder} of ${relay.user} at ${relay.host}:${relay.port}`;
}
