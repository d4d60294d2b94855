// The proof of a request: HMAC, ECDSA, or a user and password beside the secret path.
import { createHash, createHmac, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import { HOUR_MS, MINUTE_MS } from "../../base/clock.ts";
import type { ProviderRequest } from "./provider.ts";

/** Providers retry for a day; older requests are replays. Used tokens are remembered for longer. */
const MAX_AGE_MS = 24 * HOUR_MS;
const MAX_CLOCK_SKEW_MS = 15 * MINUTE_MS;

/** `seconds` since 1970, as text. */
export function isTimely(seconds: string, nowMs: number): boolean {
  const ageMs = nowMs - Number(seconds) * 1000;
  return /^\d{1,12}$/.test(seconds) && ageMs <= MAX_AGE_MS && ageMs >= -MAX_CLOCK_SKEW_MS;
}

export function hmacOf(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

/** In constant time, which does not reveal where they differ. */
export function isEqual(one: Uint8Array | string, other: Uint8Array | string): boolean {
  const digest = (value: Uint8Array | string) => createHash("sha256").update(value).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** `key`: `user:password`; null = none is required. */
export function hasPassword({ headers }: ProviderRequest, key: string | null): boolean {
  if (key === null) return true;
  const [, encoded = ""] = /^basic ([\w+/=-]+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  return isEqual(Buffer.from(encoded, "base64"), key);
}

/** `key`: a public key as base64 of its DER form. */
export function isSignedByEcdsa(text: string, signature: string, key: string): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, "base64"), format: "der", type: "spki" });
    return verify("sha256", Buffer.from(text), publicKey, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}
