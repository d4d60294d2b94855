// Signs the files of a release as minisign does, with a key from the environment: the text of a secret key made by
// `minisign -G -W`, which has no password. Its public key is packaging/release.pub.
import { createPrivateKey, sign, type KeyObject } from "node:crypto";
import { digestOf } from "../src/base/service/minisign.ts";

export type SigningKey = { readonly id: Buffer; readonly key: KeyObject; readonly publicText: string };

/** Where the parts of a secret key begin: algorithms, salt, limits, number, seed, public key, checksum. */
const NUMBER_AT = 54;
const SEED_AT = 62;
const PUBLIC_AT = 94;
const CHECKSUM_AT = 126;
const LENGTH = 158;
/** In front of the seed (RFC 8410). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** @throws Error if it is no secret key, or has a password */
export function signingKeyOf(text: string): SigningKey {
  const bytes = Buffer.from(text.trim().split("\n").at(-1) ?? "", "base64");
  if (bytes.length !== LENGTH || bytes.toString("latin1", 0, 2) !== "Ed")
    throw new Error("The signing key is no secret key of minisign.");
  if (bytes.readUInt16LE(2) !== 0) throw new Error("The signing key has a password: make one with minisign -G -W.");
  const id = bytes.subarray(NUMBER_AT, SEED_AT);
  const der = Buffer.concat([PKCS8_HEAD, bytes.subarray(SEED_AT, PUBLIC_AT)]);
  const publicBytes = Buffer.concat([Buffer.from("Ed"), id, bytes.subarray(PUBLIC_AT, CHECKSUM_AT)]);
  return {
    id,
    key: createPrivateKey({ key: der, format: "der", type: "pkcs8" }),
    publicText: publicBytes.toString("base64"),
  };
}

/** The text of the `.minisig`: the same file, comment and key make the same one. */
export function signatureOf(file: Uint8Array, comment: string, { id, key }: SigningKey): string {
  const own = sign(null, digestOf(file), key);
  const all = sign(null, Buffer.concat([own, Buffer.from(comment)]), key);
  return [
    "untrusted comment: signature by the release key of Posthorn",
    Buffer.concat([Buffer.from("ED"), id, own]).toString("base64"),
    `trusted comment: ${comment}`,
    all.toString("base64"),
    "",
  ].join("\n");
}
