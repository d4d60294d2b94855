// Giving a sender domain a DKIM key, under a selector that no other key of the domain's name has or had.
import type { Secrets } from "../../secrets.ts";
import type { Tx } from "../../store/store.ts";
import type { KeyPair } from "./dkim-key.ts";
import { insertDomainKey, selectorsOf } from "./queries.ts";

type KeyWish = {
  readonly seq: number;
  readonly domain: string;
  readonly keyPair: KeyPair;
  /** Null = not before its record is found. */
  readonly activeFrom: string | null;
};

/** The selector tells when it was made: `posthorn2603`, then `posthorn2603-2`. */
export async function giveKey(tx: Tx, secrets: Secrets, { seq, domain, keyPair, activeFrom }: KeyWish): Promise<void> {
  const key = {
    domain: seq,
    domainName: domain,
    publicKey: keyPair.publicKeyBase64,
    encryptedPrivateKey: secrets.encrypt(keyPair.privateKeyPem),
    activeFrom,
  };
  const taken = new Set((await selectorsOf(tx, domain)).map(({ selector }) => selector));
  const base = `posthorn${tx.now.slice(2, 4)}${tx.now.slice(5, 7)}`;
  for (let number = 1; ; number++) {
    const selector = number === 1 ? base : `${base}-${number}`;
    // Another workspace may be taking it at this very moment.
    if (!taken.has(selector) && (await insertDomainKey(tx, { ...key, selector })) > 0) return;
  }
}
