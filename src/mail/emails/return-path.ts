// The return path: an address of ours that identifies the mail and cannot be forged (docs/bounces.md).
import { uuidBytes, uuidOf } from "../../base/ids.ts";
import type { Secrets } from "../../base/secrets.ts";
import type { Mail } from "./queries.ts";

const ALPHABET = "abcdefghijklmnopqrstuvwxyz234567";
const ID_BYTES = 16;
const SIGNATURE_BYTES = 5;

export type ReturnPathOptions = { readonly secrets: Secrets; readonly returnPathDomain: string | null };

/** Our signed address, or the sender's if no return-path domain is configured; email from outside has its own. */
export function returnPathOf({ secrets, returnPathDomain }: ReturnPathOptions, mail: Mail): string {
  if (mail.returnPath !== null) return mail.returnPath;
  return returnPathDomain === null ? mail.fromAddress : returnPathFor(secrets, mail.id, returnPathDomain);
}

/** Where no return-path domain is configured: no server takes mail for it (RFC 6761). */
const NO_DOMAIN = "mailbox.invalid";

/** The address to which a report on the mail is read, however it came. */
export function reportPathOf({ secrets, returnPathDomain }: ReturnPathOptions, emailId: string): string {
  return returnPathFor(secrets, emailId, returnPathDomain ?? NO_DOMAIN);
}

/** `b+<signed id>@<domain>`: local part of 36 characters, the same in any case. */
export function returnPathFor(secrets: Secrets, emailId: string, domain: string): string {
  return `b+${signedId(secrets, emailId)}@${domain}`;
}

/** 34 characters that identify a mail, and that only this installation can make. */
export function signedId(secrets: Secrets, emailId: string): string {
  const id = uuidBytes(emailId);
  return base32(Buffer.concat([id, secrets.sign("return-path", id, SIGNATURE_BYTES)]));
}

/** The mail of a signed id; null if we did not make it. `token`: in lower case. */
export function readSignedId(secrets: Secrets, token: string): string | null {
  if (!/^[a-z2-7]{34}$/.test(token)) return null;
  const bytes = fromBase32(token);
  const id = bytes?.subarray(0, ID_BYTES);
  if (!bytes || !id || !secrets.verify("return-path", id, bytes.subarray(ID_BYTES))) return null;
  return uuidOf(id);
}

/** The id of the mail of a return path, in any case; null if we did not make the address. */
export function readReturnPath({ secrets, returnPathDomain }: ReturnPathOptions, address: string): string | null {
  const named = /^b\+([a-z2-7]{34})@(.+)$/.exec(address.toLowerCase());
  if (!named || named[2] !== (returnPathDomain ?? NO_DOMAIN).toLowerCase()) return null;
  return readSignedId(secrets, named[1] as string);
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

/** Null if the remaining bits are not zero: each address has one spelling only. */
function fromBase32(text: string): Buffer | null {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of text) {
    held = (held << 5) | ALPHABET.indexOf(letter);
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 255);
    held &= (1 << bits) - 1;
  }
  return held === 0 ? Buffer.from(bytes) : null;
}
