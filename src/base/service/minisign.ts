// Signatures of releases, in the format of minisign: Ed25519 over the BLAKE2b-512 digest of a file, and over that
// signature with a comment (https://jedisct1.github.io/minisign/).
import { createHash, createPublicKey, verify, type KeyObject } from "node:crypto";

/** `id`: eight bytes by which a signature names its key. */
export type ReleaseKey = { readonly id: Buffer; readonly key: KeyObject };

const ALGORITHM_BYTES = 2;
const ID_BYTES = 8;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** In front of the bytes of a key (RFC 8410). */
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");
const COMMENT = "trusted comment: ";

/** The key in the file that minisign writes, or in its last line alone. @throws Error if it is no public key */
export function releaseKeyOf(text: string): ReleaseKey {
  const bytes = Buffer.from(text.trim().split("\n").at(-1) ?? "", "base64");
  if (bytes.length !== ALGORITHM_BYTES + ID_BYTES + KEY_BYTES || !bytes.toString("latin1").startsWith("Ed"))
    throw new Error("This is no public key of minisign.");
  return {
    id: bytes.subarray(ALGORITHM_BYTES, ALGORITHM_BYTES + ID_BYTES),
    key: ed25519Key(bytes.subarray(-KEY_BYTES)),
  };
}

function ed25519Key(bytes: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, bytes]), format: "der", type: "spki" });
}

/**
 * Answers the comment that was signed with `file`. `signature`: the text of its `.minisig`. @throws Error if it is not
 * by this key, or of another file
 */
export function checkedSignature(file: Uint8Array, signature: string, { id, key }: ReleaseKey): string {
  const [, first = "", comment = "", second = ""] = signature.split("\n").map((line) => line.trimEnd());
  const bytes = Buffer.from(first, "base64");
  const own = bytes.subarray(ALGORITHM_BYTES + ID_BYTES);
  if (!bytes.toString("latin1").startsWith("ED") || own.length !== SIGNATURE_BYTES || !comment.startsWith(COMMENT))
    throw new Error("The signature is damaged.");
  if (!bytes.subarray(ALGORITHM_BYTES, ALGORITHM_BYTES + ID_BYTES).equals(id))
    throw new Error("The signature is by another key.");
  const said = comment.slice(COMMENT.length);
  const isRight =
    verify(null, digestOf(file), key, own) &&
    verify(null, Buffer.concat([own, Buffer.from(said)]), key, Buffer.from(second, "base64"));
  if (!isRight) throw new Error("The signature does not fit: the file was changed after it was signed.");
  return said;
}

export function digestOf(file: Uint8Array): Buffer {
  return createHash("blake2b512").update(file).digest();
}
