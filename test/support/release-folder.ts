// A folder like that of a release, of small files.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageFor } from "../../build/deb.ts";
import { writeRecipes } from "../../build/recipes.ts";
import type { SigningKey } from "../../build/signing.ts";
import { version } from "../../package.json";

/** Those that recipes name. */
export const ARCHIVES = ["linux-x64-baseline", "linux-arm64", "macos-x64", "macos-arm64"];
const AT = Date.UTC(2026, 1, 3, 4, 5, 6) / 1000;

/** With packages for Debian where there is dpkg-deb, and recipes that are signed by `key`. */
export async function releaseIn(into: string, key: SigningKey): Promise<void> {
  mkdirSync(into);
  for (const name of ARCHIVES) writeFileSync(join(into, `posthorn-${version}-${name}.tar.gz`), name);
  const executable = join(into, "posthorn");
  writeFileSync(executable, "#!/bin/sh\n");
  if (Bun.which("dpkg-deb"))
    for (const architecture of ["amd64", "arm64"]) packageFor({ executable, architecture, version, into });
  await writeRecipes({ into, version, key, at: AT });
}
