// The signed URLs of a mail's pixel and links. A link's token holds its target, so a click is redirected without the
// store, and a token with another target cannot be forged.
import { createHmac, timingSafeEqual } from "node:crypto";
import { uuidBytes, uuidOf } from "../../../base/ids.ts";
import type { Secrets } from "../../../base/secrets.ts";

/** The data from which the carrying thread makes the links of one mail. */
export type TrackingMarks = {
  /** `/o/` of this installation, and the token of the pixel. */
  readonly openBase: string;
  readonly openToken: string;
  /** `/c/` of this installation, to which the token is added. */
  readonly clickBase: string;
  /** 16 bytes. */
  readonly emailId: Uint8Array;
  /** Signs the links of this mail and no other. */
  readonly clickKey: Uint8Array;
};

type Click = { readonly emailId: string; readonly url: string };

const OPEN = "open-pixel";
const CLICK = "click-key";
const AT_HOST = " at a host";
const ID_BYTES = 16;
const SIGNATURE_BYTES = 12;
const KEY_BYTES = 32;

/** `boundTo`: the id of the workspace that alone has the host, where links of other workspaces are invalid. */
type TrackingBase = { readonly base: string; readonly boundTo: string | null };

/** For one mail, by its public id. */
export function trackingMarks(secrets: Secrets, { base, boundTo }: TrackingBase, emailId: string): TrackingMarks {
  const id = uuidBytes(emailId);
  return {
    openBase: `${base}/o/`,
    openToken: Buffer.concat([id, signed(secrets, OPEN, { id, boundTo, bytes: SIGNATURE_BYTES })]).toString(
      "base64url",
    ),
    clickBase: `${base}/c/`,
    emailId: id,
    clickKey: signed(secrets, CLICK, { id, boundTo, bytes: KEY_BYTES }),
  };
}

type SignaturePayload = { readonly id: Uint8Array; readonly boundTo: string | null; readonly bytes: number };

function signed(secrets: Secrets, purpose: string, { id, boundTo, bytes }: SignaturePayload): Buffer {
  if (boundTo === null) return secrets.sign(purpose, id, bytes);
  return secrets.sign(purpose + AT_HOST, Buffer.concat([id, uuidBytes(boundTo)]), bytes);
}

/** The token after `clickBase` in a link that counts a click and redirects to `url`. */
export function clickToken({ emailId, clickKey }: TrackingMarks, url: string): string {
  const target = Buffer.from(url);
  return Buffer.concat([emailId, signature(clickKey, target), target]).toString("base64url");
}

/** The mail that a token names, even without a valid signature; null = it names none. */
export function mailIn(token: string): string | null {
  const bytes = Buffer.from(token, "base64url");
  return bytes.length < ID_BYTES + SIGNATURE_BYTES ? null : uuidOf(bytes.subarray(0, ID_BYTES));
}

/** The workspace of the link: null = any workspace. */
export type LinkPayload<Value> = Value & { readonly boundTo: string | null };

/** The mail of the pixel, or null if we have not signed the token. `workspaces`: the ids to which it may be bound. */
export function readOpenToken(
  secrets: Secrets,
  token: string,
  workspaces: readonly string[] = [],
): LinkPayload<{ readonly emailId: string }> | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length !== ID_BYTES + SIGNATURE_BYTES) return null;
  const [id, sign] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)];
  const boundTo = [null, ...workspaces].find((one) =>
    timingSafeEqual(signed(secrets, OPEN, { id, boundTo: one, bytes: SIGNATURE_BYTES }), sign),
  );
  return boundTo === undefined ? null : { emailId: uuidOf(id), boundTo };
}

/** The mail and the target of a link, or null if we have not signed the token; `workspaces` as above. */
export function readClickToken(
  secrets: Secrets,
  token: string,
  workspaces: readonly string[] = [],
): LinkPayload<Click> | null {
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length <= ID_BYTES + SIGNATURE_BYTES) return null;
  const id = bytes.subarray(0, ID_BYTES);
  const sign = bytes.subarray(ID_BYTES, ID_BYTES + SIGNATURE_BYTES);
  const target = bytes.subarray(ID_BYTES + SIGNATURE_BYTES);
  const boundTo = [null, ...workspaces].find((one) =>
    timingSafeEqual(signature(signed(secrets, CLICK, { id, boundTo: one, bytes: KEY_BYTES }), target), sign),
  );
  return boundTo === undefined ? null : { emailId: uuidOf(id), url: target.toString("utf8"), boundTo };
}

function signature(key: Uint8Array, target: Uint8Array): Buffer {
  return createHmac("sha256", key).update(target).digest().subarray(0, SIGNATURE_BYTES);
}
