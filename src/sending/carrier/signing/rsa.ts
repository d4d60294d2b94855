// The RSA operation of DKIM signatures, which is half of what a signed mail costs (RFC 8017 §8.2, with SHA-256).
import { createPrivateKey, sign, type KeyObject } from "node:crypto";
import { BoundedMap } from "../../../base/brakes/bounded-map.ts";

/**
 * Signs bytes by a private key in PEM.
 * @throws if it is not a key, or not an RSA key
 */
export type SignBytes = (input: Uint8Array, pem: string) => Promise<Uint8Array>;

const MAX_CACHED_KEYS = 500;
// Reading a PEM can take longer than signing.
const cachedKeys = new BoundedMap<string, KeyObject>(MAX_CACHED_KEYS);

export function privateKeyOf(pem: string): KeyObject {
  const cached = cachedKeys.get(pem);
  if (cached !== undefined) return cached;
  const key = createPrivateKey(pem);
  cachedKeys.set(pem, key);
  return key;
}

/** By Bun's own engine, beside the event loop: several signatures in parallel use several cores. */
export async function signBeside(input: Uint8Array, pem: string): Promise<Uint8Array> {
  const key = privateKeyOf(pem);
  return new Promise((resolve, reject) => {
    sign("sha256", input, key, (error, signature) => (error ? reject(error) : resolve(signature)));
  });
}
