// Making a DKIM key, and giving it to a sender domain under a selector that no key of its name has or had.
import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import type { Secrets } from "../../base/secrets.ts";
import type { Tx } from "../../store/store.ts";
import { insertDomainKey, selectorsOf } from "./key-queries.ts";

/** The PEM to keep, the base64 to publish. */
export type KeyPair = { readonly privateKeyPem: string; readonly publicKeyBase64: string };

/** Making a key keeps a core busy for a while: one at a time, so that mail is still signed. */
let last: Promise<unknown> = Promise.resolve();

/** A new RSA key of 2048 bits (RFC 8301 §3.2): PKCS #8 PEM, and the value of `p=` in the DNS record. */
export function makeDkimKey(): Promise<KeyPair> {
  const made = last.then(newKey);
  last = made.catch(() => undefined);
  return made;
}

/** Off the event loop. */
async function newKey(): Promise<KeyPair> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return { privateKeyPem: privateKey, publicKeyBase64: publicKey.toString("base64") };
}

type NewDkimKey = {
  readonly seq: number;
  readonly domain: string;
  readonly keyPair: KeyPair;
  /** Null = once its record is found. */
  readonly activeFrom: string | null;
};

/** The selector has the month of the key: `posthorn2603`, then `posthorn2603-2`. */
export async function giveKey(
  tx: Tx,
  secrets: Secrets,
  { seq, domain, keyPair, activeFrom }: NewDkimKey,
): Promise<void> {
  const key = {
    domain: seq,
    domainName: domain,
    publicKey: keyPair.publicKeyBase64,
    encryptedPrivateKey: secrets.encrypt(keyPair.privateKeyPem),
    activeFrom,
  };
  const taken = new Set(await selectorsOf(tx, domain));
  const base = `posthorn${tx.now.slice(2, 4)}${tx.now.slice(5, 7)}`;
  for (let number = 1; ; number++) {
    const selector = number === 1 ? base : `${base}-${number}`;
    // Another workspace may take the selector at the same moment.
    if (!taken.has(selector) && (await insertDomainKey(tx, { ...key, selector })) > 0) return;
  }
}
