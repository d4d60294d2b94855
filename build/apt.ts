// The repository for apt: `dists/` beside the packages of a release, with the suite `stable`, signed by the release
// key.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { clearSigned, detachedSignature } from "./openpgp.ts";
import type { SigningKey } from "./signing.ts";
import { sha256 } from "./sums.ts";

/** `at`: in seconds; apt takes no index that is older than the one it has. */
type Repository = { readonly into: string; readonly key: SigningKey; readonly at: number };

/** Of all packages for Debian in the folder. @throws Error if dpkg-deb is missing or cannot read one */
export async function writeRepository({ into, key, at }: Repository): Promise<void> {
  const packages = readdirSync(into).filter((file) => file.endsWith(".deb"));
  const indexes = Object.groupBy(packages.sort(), (file) => fieldsOf(join(into, file), "Architecture"));
  const files = Object.entries(indexes).flatMap(([architecture, debs = []]) => {
    const index = Buffer.from(debs.map((file) => stanzaOf(into, file)).join("\n"));
    const name = `main/binary-${architecture}/Packages`;
    return [[name, index] as const, [`${name}.gz`, gzipSync(index, { level: 9 })] as const];
  });
  const release = releaseOf(Object.keys(indexes), files, at);
  const all = [
    ...files,
    ["Release", release] as const,
    ["Release.gpg", await detachedSignature(release, at, key)] as const,
    ["InRelease", await clearSigned(release, at, key)] as const,
  ];
  for (const [name, content] of all) {
    const path = join(into, "dists/stable", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

function stanzaOf(into: string, file: string): string {
  const bytes = readFileSync(join(into, file));
  return `${fieldsOf(join(into, file))}\nFilename: ${file}\nSize: ${bytes.length}\nSHA256: ${sha256(bytes)}\n`;
}

function releaseOf(
  architectures: readonly string[],
  files: readonly (readonly [name: string, content: Buffer])[],
  at: number,
): string {
  const rows = files.map(([name, content]) => ` ${sha256(content)} ${content.length} ${name}\n`);
  return `Origin: Posthorn
Label: Posthorn
Suite: stable
Codename: stable
Date: ${new Date(at * 1000).toUTCString().replace("GMT", "UTC")}
Architectures: ${architectures.join(" ")}
Components: main
Description: Posthorn, an email platform
SHA256:
${rows.join("")}`;
}

function fieldsOf(deb: string, ...fields: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["dpkg-deb", "--field", deb, ...fields]);
  if (exitCode !== 0) throw new Error(`dpkg-deb: ${stderr.toString()}`);
  return stdout.toString().trimEnd();
}
