// Making the DKIM key of a sender domain.
import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";

/** What a DKIM key maker answers: the PEM to keep, the base64 to publish. */
export type KeyPair = { readonly privateKeyPem: string; readonly publicKeyBase64: string };

/** Making a key keeps a core busy for a while: one after the other, so that mail is signed meanwhile. */
let last: Promise<unknown> = Promise.resolve();

/** A new RSA key of 2048 bits (RFC 8301 §3.2): PKCS #8 PEM, and the value of `p=` in the DNS record. */
export function makeDkimKey(): Promise<KeyPair> {
  const made = last.then(newKey);
  last = made.catch(() => undefined);
  return made;
}

/** Beside the event loop. */
async function newKey(): Promise<KeyPair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return { privateKeyPem: privateKey, publicKeyBase64: publicKey.toString("base64") };
}
