// The release key as OpenPGP has it (RFC 4880), and what it signs, for apt: the same Ed25519 key as minisign's, so that a
// release has one secret. EdDSA with SHA-512, as gpg makes it; the same file, time and key make the same bytes.
import { createHash, sign } from "node:crypto";
import type { SigningKey } from "./signing.ts";

const PUBLIC_KEY = 6;
const USER_ID = 13;
const SIGNATURE = 2;
/** What a signature is of. */
const OF_BYTES = 0x00;
const OF_TEXT = 0x01;
const OF_USER = 0x13;
const EDDSA = 22;
const SHA512 = 10;
/** How Ed25519 is named, with its length in front. */
const CURVE = Buffer.from("092b06010401da470f01", "hex");
/** Of every release key, in seconds: it is part of the fingerprint. */
const MADE_AT = Date.UTC(2026, 0, 1) / 1000;
const USER = Buffer.from("Posthorn releases");
/** It may certify, which a key does for its own name, and sign. */
const USES = Buffer.from([27, 0x03]);

/** The public key, for `Signed-By`. */
export function publicKeyText(key: SigningKey): string {
  const own = keyOf(key);
  const whose = Buffer.concat([keyInSignature(own), Buffer.from([0xb4]), uint32(USER.length), USER]);
  const self = signed(key, { kind: OF_USER, content: whose, at: MADE_AT, more: [USES] });
  return armored("PUBLIC KEY BLOCK", Buffer.concat([packet(PUBLIC_KEY, own), packet(USER_ID, USER), self]));
}

/** A signature in a file of its own. `at`: in seconds. */
export function detachedSignature(text: string, at: number, key: SigningKey): string {
  return armored("SIGNATURE", signed(key, { kind: OF_BYTES, content: Buffer.from(text), at }));
}

/** The text with its signature around it. @throws Error for lines that would have to be escaped */
export function clearSigned(text: string, at: number, key: SigningKey): string {
  if (/^-|[ \t]$/m.test(text)) throw new Error("A line begins with a dash, or ends with a blank.");
  const content = Buffer.from(text.replace(/\n$/, "").replaceAll("\n", "\r\n"));
  const signature = armored("SIGNATURE", signed(key, { kind: OF_TEXT, content, at }));
  return `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n${text.replace(/\n$/, "")}\n${signature}`;
}

type Signed = {
  readonly kind: number;
  readonly content: Uint8Array;
  readonly at: number;
  readonly more?: readonly Uint8Array[];
};

function signed(key: SigningKey, { kind, content, at, more = [] }: Signed): Buffer {
  const fingerprint = createHash("sha1")
    .update(keyInSignature(keyOf(key)))
    .digest();
  const hashed = [Buffer.from([2, ...uint32(at)]), Buffer.from([33, 4, ...fingerprint]), ...more].map(withLength);
  const head = Buffer.from([4, kind, EDDSA, SHA512, ...withLength16(Buffer.concat(hashed))]);
  const digest = createHash("sha512")
    .update(content)
    .update(head)
    .update(Buffer.concat([Buffer.from([4, 0xff]), uint32(head.length)]))
    .digest();
  const bytes = sign(null, digest, key.key);
  const numbers = [bytes.subarray(0, 32), bytes.subarray(32)].map(number);
  // The last eight bytes of the fingerprint: what older programs know a key by.
  const unhashed = withLength16(withLength(Buffer.from([16, ...fingerprint.subarray(-8)])));
  return packet(SIGNATURE, Buffer.concat([head, unhashed, digest.subarray(0, 2), ...numbers]));
}

function keyOf({ publicText }: SigningKey): Buffer {
  const point = Buffer.concat([Buffer.from([0x40]), Buffer.from(publicText, "base64").subarray(-32)]);
  return Buffer.concat([Buffer.from([4, ...uint32(MADE_AT), EDDSA]), CURVE, number(point)]);
}

/** As it is hashed, for its fingerprint and for what it says of itself. */
function keyInSignature(own: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x99]), withLength16(own)]);
}

function packet(tag: number, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xc0 | tag, 0xff]), uint32(body.length), body]);
}

/** With its length in bits in front, and no zeros before its first bit. */
function number(bytes: Buffer): Buffer {
  const rest = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  const bits = (rest.length - 1) * 8 + (rest[0] as number).toString(2).length;
  return Buffer.concat([uint32(bits).subarray(2), rest]);
}

/** Of less than 192 bytes. */
function withLength(bytes: Uint8Array): Buffer {
  return Buffer.from([bytes.length, ...bytes]);
}

function withLength16(bytes: Uint8Array): Buffer {
  return Buffer.concat([uint32(bytes.length).subarray(2), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function armored(what: string, bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  const sum = uint32(crc24(bytes)).subarray(1).toString("base64");
  return `-----BEGIN PGP ${what}-----\n\n${lines.join("\n")}\n=${sum}\n-----END PGP ${what}-----\n`;
}

/** Without it, gpg takes the last line for data. */
function crc24(bytes: Uint8Array): number {
  let sum = 0xb704ce;
  for (const byte of bytes) {
    sum ^= byte << 16;
    for (let bit = 0; bit < 8; bit++) sum = sum & 0x800000 ? ((sum << 1) ^ 0x864cfb) & 0xffffff : sum << 1;
  }
  return sum;
}
