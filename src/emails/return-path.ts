// Where bounces go: an address of our own that names the mail and that nobody else can make (interface-gaps.md §7 "Bounces").
import type { Secrets } from "../secrets.ts";
import type { MailRow } from "./queries.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const SIGNATURE_BYTES = 5;

export type ReturnPathOptions = { readonly secrets: Secrets; readonly returnPathDomain: string | null };

/** Our own signed address, or the sender's if no return-path domain is configured. */
export function returnPathOf({ secrets, returnPathDomain }: ReturnPathOptions, mail: MailRow): string {
  return returnPathDomain === null ? mail.from_address : returnPathFor(secrets, mail.id, returnPathDomain);
}

/** `b+<signed id>@<domain>`: local part of 36 characters, the same in any case. */
export function returnPathFor(secrets: Secrets, emailId: string, domain: string): string {
  const id = Buffer.from(emailId.replaceAll("-", ""), "hex");
  return `b+${base32(Buffer.concat([id, secrets.sign("return-path", id, SIGNATURE_BYTES)]))}@${domain}`;
}

/** RFC 4648 §6 in lower case, without padding. */
function base32(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(held << (5 - bits)) & 31] : text;
}
