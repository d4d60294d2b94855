// SHA-256, the hash of the ledger's chain.

/** A shared buffer for the hashed parts: a hasher for each digest takes twice as long, and verifying makes millions. */
let joined = Buffer.alloc(4_096);

export function digestOf(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  let length = 0;
  for (const part of parts) {
    const isText = typeof part === "string";
    const most = length + (isText ? 3 : 1) * part.length;
    if (most > joined.length) joined = Buffer.concat([joined], 2 * most);
    if (isText) length += joined.write(part, length);
    else {
      joined.set(part, length);
      length += part.length;
    }
  }
  return Bun.SHA256.hash(joined.subarray(0, length)) as Uint8Array;
}

export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
