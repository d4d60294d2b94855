// The signed links to a recipient's pages, which need no key.
import type { Secrets } from "../../base/secrets.ts";

export type RecipientLinks = {
  readonly unsubscribeUrl: string;
  readonly subscribeUrl: string;
  readonly manageUrl: string;
};

export type LinkSubject = { readonly contactId: string; readonly emailId: string };

const PURPOSE = "recipient-link";
const SIGNATURE_BYTES = 12;

/** The token names the contact, and the mail with the link. */
export function linksFor(secrets: Secrets, baseUrl: string, subject: LinkSubject): RecipientLinks {
  const token = tokenFor(secrets, subject);
  return {
    unsubscribeUrl: `${baseUrl}/unsubscribe/${token}`,
    subscribeUrl: `${baseUrl}/subscribe/${token}`,
    manageUrl: `${baseUrl}/manage/${token}`,
  };
}

/** Null unless the token has our signature. */
export function readToken(secrets: Secrets, token: string): LinkSubject | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== 32 + SIGNATURE_BYTES) return null;
  const named = bytes.subarray(0, 32);
  if (!secrets.verify(PURPOSE, named, bytes.subarray(32))) return null;
  return { contactId: asUuid(named.subarray(0, 16)), emailId: asUuid(named.subarray(16)) };
}

function tokenFor(secrets: Secrets, { contactId, emailId }: LinkSubject): string {
  const named = Buffer.from((contactId + emailId).replaceAll("-", ""), "hex");
  return Buffer.concat([named, secrets.sign(PURPOSE, named, SIGNATURE_BYTES)]).toString("base64url");
}

function asUuid(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
