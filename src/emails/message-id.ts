// The name of a message on the wire: the same at every attempt, so that a repeated hand-over can be recognised.
import { domainOf } from "../addresses.ts";

/** `<email id@sender domain>` (RFC 5322 §3.6.4). */
export function messageIdFor(id: string, senderAddress: string): string {
  return `<${id}@${domainOf(senderAddress)}>`;
}

type Named = { readonly id: string; readonly from_address: string; readonly message_id: string | null };

/** The one that the message came with, or else ours. */
export function messageIdOf(mail: Named): string {
  return mail.message_id ?? messageIdFor(mail.id, mail.from_address);
}
