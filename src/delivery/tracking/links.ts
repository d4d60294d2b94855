// The signed URLs of a mail's pixel and links. A link's token holds its target, so a click is redirected without the
// store, and nobody can forge a token that leads elsewhere.
import { createHmac, timingSafeEqual } from "node:crypto";
import { uuidBytes, uuidOf } from "../../ids.ts";
import type { Secrets } from "../../secrets.ts";

/** What the carrying thread needs to make the links of one mail. */
export type TrackingMarks = {
  /** `/o/` of this installation, and the token of the pixel. */
  readonly openBase: string;
  readonly openToken: string;
  /** `/c/` of this installation, to which the token is added. */
  readonly clickBase: string;
  /** 16 bytes. */
  readonly emailId: Uint8Array;
  /** Signs this mail's links and no other's. */
  readonly clickKey: Uint8Array;
};

type Click = { readonly emailId: string; readonly url: string };

const OPEN = "open-pixel";
const CLICK = "click-key";
const ID_BYTES = 16;
const SIGNATURE_BYTES = 12;
const KEY_BYTES = 32;

/** For one mail, by its public id. */
export function trackingMarks(secrets: Secrets, baseUrl: string, emailId: string): TrackingMarks {
  const id = uuidBytes(emailId);
  return {
    openBase: `${baseUrl}/o/`,
    openToken: Buffer.concat([id, secrets.sign(OPEN, id, SIGNATURE_BYTES)]).toString("base64url"),
    clickBase: `${baseUrl}/c/`,
    emailId: id,
    clickKey: secrets.sign(CLICK, id, KEY_BYTES),
  };
}

/** What follows `clickBase` in a link that counts a click and redirects to `url`. */
export function clickToken({ emailId, clickKey }: TrackingMarks, url: string): string {
  const target = Buffer.from(url);
  return Buffer.concat([emailId, signature(clickKey, target), target]).toString("base64url");
}

/** The mail whose pixel this is, or null if we have not signed the token. */
export function readOpenToken(secrets: Secrets, token: string): string | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== ID_BYTES + SIGNATURE_BYTES) return null;
  const id = bytes.subarray(0, ID_BYTES);
  return secrets.verify(OPEN, id, bytes.subarray(ID_BYTES)) ? uuidOf(id) : null;
}

/** The mail and the target of a link, or null if we have not signed the token. */
export function readClickToken(secrets: Secrets, token: string): Click | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length <= ID_BYTES + SIGNATURE_BYTES) return null;
  const id = bytes.subarray(0, ID_BYTES);
  const signed = bytes.subarray(ID_BYTES, ID_BYTES + SIGNATURE_BYTES);
  const target = bytes.subarray(ID_BYTES + SIGNATURE_BYTES);
  const isOurs = timingSafeEqual(signature(secrets.sign(CLICK, id, KEY_BYTES), target), signed);
  return isOurs ? { emailId: uuidOf(id), url: target.toString("utf8") } : null;
}

function signature(key: Uint8Array, target: Uint8Array): Buffer {
  return createHmac("sha256", key).update(target).digest().subarray(0, SIGNATURE_BYTES);
}
