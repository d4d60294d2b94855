// The addresses of an envelope as they go over the wire.
import { domainToASCII } from "node:url";
import { isAscii } from "../../../base/addresses.ts";
import type { SmtpEnvelope, HopRefusal } from "./transport.ts";

/** Anything that could end the address inside `RCPT TO:<…>` or start a second command. */
const UNSAFE = /[\p{Cc}\p{Z}\s<>]/u;

export const BAD_ENVELOPE: HopRefusal = {
  kind: "failed",
  isLocal: true,
  reply: "An envelope address contains spaces, control characters or angle brackets, or is not of the form name@domain",
};

/**
 * The envelope with its domains in ASCII (RFC 5890), or null if an address could be read as SMTP syntax. An empty
 * return path is the null sender of RFC 5321 §4.5.5.
 */
export function wireEnvelope(envelope: SmtpEnvelope): SmtpEnvelope | null {
  if (UNSAFE.test(envelope.returnPath) || UNSAFE.test(envelope.recipient)) return null;
  const recipient = asciiDomain(envelope.recipient);
  const returnPath = envelope.returnPath === "" ? "" : asciiDomain(envelope.returnPath);
  return recipient === null || returnPath === null ? null : { ...envelope, returnPath, recipient };
}

/** Whether a local part needs SMTPUTF8 (RFC 6531), also that of the sender; takes a wire envelope. */
export function needsUtf8(envelope: SmtpEnvelope): boolean {
  return envelope.hasForeignSender === true || !isAscii(envelope.returnPath) || !isAscii(envelope.recipient);
}

function asciiDomain(address: string): string | null {
  const at = address.lastIndexOf("@");
  const domain = address.slice(at + 1);
  if (at < 1 || domain === "") return null;
  if (isAscii(domain)) return address;
  const ascii = domainToASCII(domain);
  return ascii === "" ? null : `${address.slice(0, at)}@${ascii}`;
}
