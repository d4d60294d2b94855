// What a release offers to those who install from an address: the folders of packaging/ below with its sums and
// addresses filled in, the chart for Helm, and the repository for apt.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import addresses from "../packaging/addresses.json";
import { writeRepository } from "./apt.ts";
import { publicKeyText } from "./openpgp.ts";
import type { SigningKey } from "./signing.ts";
import { sumsOf } from "./sums.ts";

const ROOT = join(import.meta.dir, "..");
/** A file of these is in a release by the same path. */
const FOLDERS = ["apt", "coolify", "dokploy", "homebrew", "nix"];

/** `into`: the folder that has the archives and packages. `at`: when it was made, in seconds. */
export type ReleaseFolder = {
  readonly into: string;
  readonly version: string;
  readonly key: SigningKey;
  readonly at: number;
};

/** @throws Error if a placeholder asks for what the release does not have, such as an archive */
export async function writeRecipes({ into, version, key, at }: ReleaseFolder): Promise<void> {
  const values = valuesOf(sumsOf(into), version, await publicKeyText(key));
  const write = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(into, path)), { recursive: true });
    writeFileSync(join(into, path), content);
  };
  for (const folder of FOLDERS)
    for (const path of filesIn(folder)) write(`${folder}/${path}`, filled(read(`packaging/${folder}/${path}`), values));
  write("dokploy/blueprints/posthorn/icon.svg", read("web/icon.svg"));
  write(`helm/posthorn-${version}.tgz`, await chartOf(values));
  await writeRepository({ into, key, at });
}

/** Whether packaging/addresses.json says where releases really are. */
export function hasAddresses(): boolean {
  return !/\bexample\b/.test(JSON.stringify(addresses));
}

type Values = Readonly<Record<string, string>>;

function valuesOf(sums: Values, version: string, publicKey: string): Values {
  const archive = new RegExp(`^posthorn-${RegExp.escape(version)}-(.+)\\.tar\\.gz$`);
  const archives = Object.entries(sums).flatMap(([file, sum]) => {
    const name = archive.exec(file)?.[1];
    return name === undefined ? [] : [[`SHA256 ${name}`, sum] as const];
  });
  return {
    VERSION: version,
    HOME: addresses.home,
    DOWNLOADS: addresses.downloads,
    IMAGE: addresses.image,
    // As a field of several lines has it.
    KEY: publicKey.trimEnd().replace(/^/gm, " ").replace(/^ $/gm, " ."),
    ...Object.fromEntries(archives),
  };
}

/** With the value of each `@NAME@` in its place. @throws Error if one has none */
export function filled(text: string, values: Values): string {
  return text.replace(/@([A-Z][\w -]*)@/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`A recipe asks for ${name}, which this release does not have.`);
    return value;
  });
}

/** As `helm package` does, but the same bytes each time. */
async function chartOf(values: Values): Promise<Buffer> {
  const tar = pack();
  for (const path of filesIn("helm"))
    tar.entry(
      { name: `posthorn/${path}`, mode: 0o644, mtime: new Date(0) },
      filled(read(`packaging/helm/${path}`), values),
    );
  tar.finalize();
  return gzipSync(await buffer(tar), { level: 9 });
}

function filesIn(folder: string): string[] {
  return Object.keys(sumsOf(join(ROOT, "packaging", folder)));
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}
