// The installation's key: signs what leaves in links and addresses, encrypts what must not lie open in the store.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Secrets {
  /** `length` bytes that only this installation can make of `bytes`; `purpose` keeps one use from serving another. */
  sign(purpose: string, bytes: Uint8Array, length: number): Buffer;
  verify(purpose: string, bytes: Uint8Array, signature: Uint8Array): boolean;
  encrypt(text: string): string;
  /** @throws if the text was made with another key or was changed. */
  decrypt(text: string): string;
}

/** The key of the configuration (64 hex characters, or base64), else the one in the data directory, made at first start. */
export function loadSecrets(configuredKey: string | null, dataDir: string): Secrets {
  if (configuredKey === null) return secretsOf(keyInDirectory(dataDir));
  return secretsOf(Buffer.from(configuredKey, /^[0-9a-f]{64}$/i.test(configuredKey) ? "hex" : "base64"));
}

export function secretsOf(key: Uint8Array): Secrets {
  const derive = (use: string) => Buffer.from(hkdfSync("sha256", key, "posthorn", use, 32));
  const signing = derive("sign");
  const encryption = derive("encrypt");
  const sign = (purpose: string, bytes: Uint8Array, length: number) =>
    createHmac("sha256", signing).update(`${purpose}\0`).update(bytes).digest().subarray(0, length);
  return {
    sign,
    verify: (purpose, bytes, signature) => {
      if (signature.length < 5 || signature.length > 32) return false;
      return timingSafeEqual(sign(purpose, bytes, signature.length), signature);
    },
    encrypt: (text) => encrypt(encryption, text),
    decrypt: (text) => decrypt(encryption, text),
  };
}

function keyInDirectory(dataDir: string): Uint8Array {
  const path = join(dataDir, "secret.key");
  if (!existsSync(path)) writeFileSync(path, `${randomBytes(32).toString("hex")}\n`, { mode: 0o600, flag: "wx" });
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
  const bytes = Buffer.from(text, "base64");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
}
