// The packages in an executable, by the lock file: those that the program depends on, those that are bundled into its
// pages, and their own dependencies.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { dependencies, devDependencies } from "../../../package.json";

export type EmbeddedPackage = {
  readonly name: string;
  readonly version: string;
  /** SHA-512 of its archive in the registry, as base64. */
  readonly integrity: string;
  /** Its folder in a checkout. */
  readonly folder: string;
};

type LockEntry = readonly [
  id: string,
  registry: string,
  meta: { readonly dependencies?: Record<string, string> },
  hash: string,
];

type LockFile = { readonly packages: Readonly<Record<string, LockEntry>> };

const INSTALLED = join(import.meta.dir, "../../../node_modules");
const LOCK_FILE = join(import.meta.dir, "../../../bun.lock");
const PAGES = join(import.meta.dir, "../../../web");

/**
 * In the order of their names, each version once. Types, and packages for other systems, are left out: they are not
 * installed.
 */
export function embeddedPackages(): readonly EmbeddedPackage[] {
  // Read, not imported: the executable contains the licences, and would carry the whole lock file for nothing.
  const { packages } = Bun.JSONC.parse(readFileSync(LOCK_FILE, "utf8")) as LockFile;
  const found = new Map<string, EmbeddedPackage>();
  const visit = (name: string, parent: string): void => {
    const key = keyOf(packages, name, parent);
    const locked = key === null ? undefined : packages[key];
    if (key === null || !locked || name.startsWith("@types/")) return;
    const [id, , meta, hash] = locked;
    if (found.has(id)) return;
    const [version, integrity] = [id.slice(id.lastIndexOf("@") + 1), hash.replace(/^sha512-/, "")];
    found.set(id, { name, version, integrity, folder: join(INSTALLED, partsOf(key).join("/node_modules/")) });
    for (const other of Object.keys(meta.dependencies ?? {})) visit(other, key);
  };
  for (const name of [...Object.keys(dependencies), ...bundled()]) visit(name, "");
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The packages that the pages import: nothing installs them beside the program. */
function bundled(): readonly string[] {
  const reader = new Bun.Transpiler({ loader: "tsx" });
  const files = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(PAGES)];
  const imports = files.flatMap((file) => reader.scanImports(readFileSync(join(PAGES, file), "utf8")));
  const imported = new Set(imports.map(({ path }) => partsOf(path)[0]));
  return Object.keys(devDependencies).filter((name) => imported.has(name));
}

/** The key in the lock file: below the package that depends on it, or below an ancestor of that one, or at the top. */
function keyOf(packages: LockFile["packages"], name: string, parent: string): string | null {
  for (let above = partsOf(parent); ; above = above.slice(0, -1)) {
    const key = [...above, name].join("/");
    if (Object.hasOwn(packages, key)) return key;
    if (above.length === 0) return null;
  }
}

/** A scope belongs to the name behind it. */
function partsOf(key: string): readonly string[] {
  return key === "" ? [] : (key.match(/@[^/]+\/[^/]+|[^/]+/g) ?? []);
}
