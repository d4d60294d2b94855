// The installation's key: signs links and return paths, encrypts secrets in the store.
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  randomBytes,
  sign as signWith,
  timingSafeEqual,
  verify as verifyWith,
} from "node:crypto";
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isThere, syncDirectory } from "./private-files.ts";

export interface Secrets {
  /** `length` bytes that only this installation can make of `bytes`; `purpose` keeps one use from serving another. */
  sign(purpose: string, bytes: Uint8Array, length: number): Buffer;
  verify(purpose: string, bytes: Uint8Array, signature: Uint8Array): boolean;
  encrypt(text: string): string;
  /** @throws UnreadableError if the text was made with another key or was changed. */
  decrypt(text: string): string;
  /** Signs for others, who check with the public half: an Ed25519 key, derived for this use alone. */
  signer(use: string): Signer;
}

export type Signer = {
  /** As 64 hexadecimal characters. */
  readonly publicKey: string;
  sign(bytes: Uint8Array): Buffer;
  verify(bytes: Uint8Array, signature: Uint8Array): boolean;
};

/** The remedy for a key that is missing or wrong. */
export const RESTORE = "Restore secret.key from its backup, or set secrets.key to its content: the same on all nodes.";

/** A text that was encrypted with another key, or was changed. */
export class UnreadableError extends Error {
  override readonly name = "UnreadableError";
}

/**
 * The key of the configuration (64 hex characters, or base64), else the one in the data directory.
 * @throws Error without a key, or if the file holds something else
 */
export function loadSecrets(configuredKey: string | null, dataDir: string): Secrets {
  return secretsOf(loadKey(configuredKey, dataDir));
}

/** The key in the form of the key file, whatever its source; for backups alone. @throws as loadSecrets */
export function keyText(configuredKey: string | null, dataDir: string): string {
  return `${Buffer.from(loadKey(configuredKey, dataDir)).toString("hex")}\n`;
}

function loadKey(configuredKey: string | null, dataDir: string): Uint8Array {
  if (configuredKey === null) return keyIn(keyFile(dataDir));
  return Buffer.from(configuredKey, /^[0-9a-f]{64}$/i.test(configuredKey) ? "hex" : "base64");
}

/** In the data directory, until the operator has noted the keys. */
export const FIRST_KEYS = "first-keys.txt";

/** Where the key is if the configuration has none. */
export function keyFile(dataDir: string): string {
  return join(dataDir, "secret.key");
}

/** Makes a key in the data directory, durable before this returns; an existing key stays. */
export function makeKey(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unfinished = `${keyFile(dataDir)}.${randomBytes(6).toString("hex")}`;
  const file = openSync(unfinished, "wx", 0o600);
  writeSync(file, `${randomBytes(32).toString("hex")}\n`);
  fsyncSync(file);
  closeSync(file);
  try {
    linkSync(unfinished, keyFile(dataDir));
  } catch (error) {
    if ((error as { code?: string }).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(unfinished);
  }
  syncDirectory(dataDir);
}

export function secretsOf(key: Uint8Array): Secrets {
  const derive = (use: string) => Buffer.from(hkdfSync("sha256", key, "posthorn", use, 32));
  const signers = new Map<string, Signer>();
  // Copied for each signature, so that the key is prepared once.
  const signing = new Bun.CryptoHasher("sha256", derive("sign"));
  const encryption = derive("encrypt");
  const sign = (purpose: string, bytes: Uint8Array, length: number) =>
    signing.copy().update(`${purpose}\0`).update(bytes).digest().subarray(0, length);
  return {
    sign,
    verify: (purpose, bytes, signature) => {
      if (signature.length < 5 || signature.length > 32) return false;
      return timingSafeEqual(sign(purpose, bytes, signature.length), signature);
    },
    encrypt: (text) => encrypt(encryption, text),
    decrypt: (text) => decrypt(encryption, text),
    signer: (use) => {
      const signer = signers.get(use) ?? signerOf(derive(use));
      signers.set(use, signer);
      return signer;
    },
  };
}

/** The bytes in front of the 32 bytes of a private key of Ed25519 in PKCS #8 (RFC 8410). */
const PRIVATE_KEY_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");

function signerOf(seed: Buffer): Signer {
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_KEY_PREFIX, seed]), format: "der", type: "pkcs8" });
  const shown = createPublicKey(key);
  return {
    publicKey: shown.export({ format: "der", type: "spki" }).subarray(-32).toString("hex"),
    sign: (bytes) => signWith(null, bytes, key),
    verify: (bytes, signature) => verifyWith(null, bytes, shown, signature),
  };
}

function keyIn(path: string): Uint8Array {
  if (!isThere(path)) throw new Error(`The installation's key ${path} is missing. ${RESTORE}`);
  const key = Buffer.from(readFileSync(path, "utf8").trim(), "hex");
  if (key.length !== 32) throw new Error(`${path} does not hold 64 hexadecimal characters: restore it from a backup.`);
  return key;
}

function encrypt(key: Buffer, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString("base64");
}

function decrypt(key: Buffer, text: string): string {
  try {
    return decipher(key, text);
  } catch {
    throw new UnreadableError("Secrets in the store cannot be decrypted with the key of this installation.");
  }
}

function decipher(key: Buffer, text: string): string {
  const bytes = Buffer.from(text, "base64");
  const cipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
  cipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([cipher.update(bytes.subarray(28)), cipher.final()]).toString("utf8");
}
