// The Message-ID of a mail.
import { domainOf } from "../../../base/addresses.ts";

/** `<email id@sender domain>` (RFC 5322 §3.6.4). */
export function messageIdFor(id: string, senderAddress: string): string {
  return `<${id}@${domainOf(senderAddress)}>`;
}

/** `messageId`: its own. A group shares one. */
type IdentifiedMail = Readonly<Record<"id" | "fromAddress", string> & Record<"group" | "messageId", string | null>>;

export function messageIdOf({ id, group, fromAddress, messageId }: IdentifiedMail): string {
  return messageId ?? messageIdFor(group ?? id, fromAddress);
}
