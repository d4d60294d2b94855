// The SHA-256 of what is in a folder.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Of each file, by its path in the folder, in the order of paths. */
export function sumsOf(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
  return Object.fromEntries(paths.sort().map((path) => [path, sha256(readFileSync(join(folder, path)))]));
}

export function sha256(bytes: Uint8Array | string): string {
  return new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
}
