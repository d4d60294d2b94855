// SHA-256, of which the ledger's chain is made.

export function digestOf(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const part of parts) hasher.update(part);
  return hasher.digest();
}
