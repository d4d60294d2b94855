// `npm run build:client`: client/dist, the package @posthorn/client as it is published.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..");
const DIST = join(ROOT, "client/dist");

/** Needs the generated files of `build/api-types.ts`. Answers the exit code. */
export function buildClient(): number {
  rmSync(DIST, { recursive: true, force: true });
  const words = [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", join(ROOT, "client")];
  const { exitCode } = Bun.spawnSync([process.execPath, ...words], { stdio: ["ignore", "inherit", "inherit"] });
  for (const name of readdirSync(DIST).filter((one) => one.endsWith(".d.ts"))) {
    const file = join(DIST, name);
    // The compiler rewrites the paths of the code, and not those of its types.
    writeFileSync(file, readFileSync(file, "utf8").replace(/(from "\.\/[\w.]+)\.ts"/g, '$1.js"'));
  }
  return exitCode;
}

if (import.meta.main) process.exit(buildClient());
