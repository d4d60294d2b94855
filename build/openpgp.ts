// The release key as OpenPGP has it (RFC 9580), and what it signs, for apt: the same Ed25519 key as minisign's, so that
// a release has one secret. The same file, time and key make the same bytes.
import { createCleartextMessage, createMessage, readPrivateKey, reformatKey, sign, type PrivateKey } from "openpgp";
import type { SigningKey } from "./signing.ts";

/** Of every release key: it is part of the fingerprint. */
const MADE = new Date("2026-01-01T00:00:00Z");
const USER = { name: "Posthorn releases" };
/** Else each signature has a random note. */
const config = { nonDeterministicSignaturesViaNotation: false };

/** The public key, for `Signed-By`. */
export async function publicKeyText(key: SigningKey): Promise<string> {
  return withLineFeeds((await keyOf(key)).toPublic().armor());
}

/** A signature in a file of its own. `at`: in seconds. */
export async function detachedSignature(text: string, at: number, key: SigningKey): Promise<string> {
  const message = await createMessage({ binary: Buffer.from(text) });
  const signed = { message, signingKeys: await keyOf(key), date: new Date(at * 1000), config };
  return withLineFeeds(await sign({ ...signed, detached: true }));
}

/** The text with its signature around it. `at`: in seconds. */
export async function clearSigned(text: string, at: number, key: SigningKey): Promise<string> {
  const message = await createCleartextMessage({ text });
  return withLineFeeds(await sign({ message, signingKeys: await keyOf(key), date: new Date(at * 1000), config }));
}

async function keyOf({ key }: SigningKey): Promise<PrivateKey> {
  const privateKey = await readPrivateKey({ binaryKey: secretKeyPacket(key.export({ format: "jwk" })) });
  return (await reformatKey({ privateKey, userIDs: USER, date: MADE, format: "object", config })).privateKey;
}

type Jwk = { readonly x?: string; readonly d?: string };

const SECRET_KEY = 5;
const VERSION = 4;
/** As gpg names Ed25519: EdDSA, and its curve with the length in front. */
const EDDSA = Buffer.from("16092b06010401da470f01", "hex");
/** In front of a point as the curve has it. */
const NATIVE = 0x40;
const WITHOUT_PASSWORD = 0;

/** The library reads keys in their own form alone (RFC 9580 §5.5.3). */
function secretKeyPacket({ x = "", d = "" }: Jwk): Buffer {
  const [point, secret] = [Buffer.from([NATIVE, ...Buffer.from(x, "base64url")]), number(Buffer.from(d, "base64url"))];
  const sum = secret.reduce((all, byte) => (all + byte) & 0xffff, 0);
  const open = [Buffer.from([VERSION]), inBytes(4, MADE.getTime() / 1000), EDDSA, number(point)];
  const body = Buffer.concat([...open, Buffer.from([WITHOUT_PASSWORD]), secret, inBytes(2, sum)]);
  return Buffer.concat([Buffer.from([0xc0 | SECRET_KEY, 0xff]), inBytes(4, body.length), body]);
}

/** With its length in bits in front, and no zeros before its first bit. */
function number(bytes: Buffer): Buffer {
  const rest = bytes.subarray(bytes.findIndex((byte) => byte !== 0));
  return Buffer.concat([inBytes(2, (rest.length - 1) * 8 + (rest[0] as number).toString(2).length), rest]);
}

function inBytes(count: number, value: number): Buffer {
  const bytes = Buffer.alloc(count);
  bytes.writeUIntBE(value, 0, count);
  return bytes;
}

function withLineFeeds(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
