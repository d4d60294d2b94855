// Opens a bounce mailbox by the protocol of its settings.
import type { MailboxSettings } from "../../../base/config/mailboxes.ts";
import type { AccessTokens, WayTokens } from "../../../ground/way-tokens/way-tokens.ts";
import type { MailboxAccess, OpenMailbox } from "./mailbox.ts";

/** @throws MailboxFault */
export async function openMailbox(access: MailboxAccess): Promise<OpenMailbox> {
  // Loaded for those who have such a mailbox.
  const { openImap } = await import("./imap.ts");
  return openImap(access);
}

/** What Microsoft asks for reading by the right of a person. */
const SCOPE_OF_USER = "https://outlook.office.com/IMAP.AccessAsUser.All offline_access";

/** They are kept as those of ways are. */
export function tokensOf(tokens: Pick<WayTokens, "of">, { name, relay }: MailboxSettings): AccessTokens {
  const isByUser = relay.tenant !== null && relay.refreshToken !== null;
  const scope = relay.scope ?? (isByUser ? SCOPE_OF_USER : null);
  return tokens.of({ name: `mailbox ${name}`, kind: "smtp", relay: { ...relay, scope } });
}

/** The mailbox in words, for logs and the doctor. */
export function placeOf({ relay, folder }: MailboxSettings): string {
  return `${folder} of ${relay.user} at ${relay.host}:${relay.port}`;
}
