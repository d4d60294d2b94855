// `bun run release`: everything that a release consists of, in dist/release: the same bytes for the same commit and
// key. Needs POSTHORN_SIGNING_KEY (signing.ts). `--only linux-x64` makes one of the archives, and needs no nightly run
// and no key.
import { createReadStream, createWriteStream, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { version } from "../package.json";
import { changedSince, lastNightly, LAST_NIGHTLY } from "../test/changed.ts";
import { collectedLicenses } from "../src/base/licenses/texts.ts";
import { build } from "../src/base/version.ts";
import { packageFor } from "./deb.ts";
import { buildExecutable, releaseKeyText } from "./executable.ts";
import { imageOf, libcOf, PROCESSORS, type Processor } from "./image.ts";
import { exploitabilityOf, knownFindings, provenanceOf } from "./provenance.ts";
import { hasAddresses, writeRecipes } from "./recipes.ts";
import { signatureOf, signingKeyOf, type SigningKey } from "./signing.ts";
import { billOfMaterials } from "./sbom.ts";
import { sumsOf } from "./sums.ts";
import { tryExecutable } from "./trial.ts";

/** As people name them, and as Bun does. `baseline`: for processors before 2013, without AVX2. */
const TARGETS: readonly (readonly [name: string, bun: string])[] = [
  ["linux-x64", "bun-linux-x64-modern"],
  ["linux-x64-baseline", "bun-linux-x64-baseline"],
  ["linux-x64-musl", "bun-linux-x64-musl"],
  ["linux-arm64", "bun-linux-arm64"],
  ["linux-arm64-musl", "bun-linux-arm64-musl"],
  ["macos-arm64", "bun-darwin-arm64"],
  ["macos-x64", "bun-darwin-x64"],
];
/** Which executables are put into packages for Debian, by Debian's names of processors. */
const DEBIAN: Readonly<Record<string, string>> = { "linux-x64-baseline": "amd64", "linux-arm64": "arm64" };
const ROOT = join(import.meta.dir, "..");
const OUT = join(ROOT, "dist/release");

async function release(only: string | undefined): Promise<void> {
  if (only === undefined) refuseUntested();
  const key = only === undefined ? signingKey() : null;
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  bun("build/face.ts", "dist/face.pack");
  const wanted = TARGETS.filter(([name]) => only === undefined || name === only);
  if (wanted.length === 0)
    throw new Error(`There is no ${only}. There are: ${TARGETS.map(([name]) => name).join(", ")}.`);
  for (const [name, target] of wanted) await archiveFor(name, target);
  if (only === undefined) await writeImage();
  if (key) await writeRecipes({ into: OUT, version, key, at: dateInSeconds() });
  if (key && !hasAddresses()) console.log("The recipes lead nowhere yet: packaging/addresses.json has only examples.");
  writeJson(`posthorn-${version}.cdx.json`, billOfMaterials());
  const findings = knownFindings();
  // OpenVEX has no document without a statement.
  if (findings.length > 0) writeJson(`posthorn-${version}.vex.json`, exploitabilityOf(findings));
  writeJson(`posthorn-${version}.intoto.json`, provenanceOf(sumsOf(OUT)));
  const sums = Object.entries(sumsOf(OUT)).map(([file, sum]) => `${sum}  ${file}\n`);
  writeFileSync(join(OUT, "SHA256SUMS"), sums.join(""));
  if (key) writeFileSync(join(OUT, "SHA256SUMS.minisig"), signatureOf(Buffer.from(sums.join("")), signedWords(), key));
}

/** Of the commit, for signatures that have a date. @throws Error if it is unknown */
function dateInSeconds(): number {
  const { date } = build();
  if (date === null) throw new Error("A release is made of a commit, and git does not tell which.");
  return Date.parse(date) / 1000;
}

/** What is signed along with the sums: `posthorn upgrade` reads the version from it. */
function signedWords(): string {
  const { commit, date } = build();
  return `posthorn ${version} commit ${commit}${date === null ? "" : ` of ${date}`}`;
}

/** @throws Error without a key, or if executables know another one */
function signingKey(): SigningKey {
  const text = process.env["POSTHORN_SIGNING_KEY"];
  if (!text) throw new Error(`A release is signed: ${MAKE_KEY}`);
  const key = signingKeyOf(text);
  if (releaseKeyText() !== key.publicText) throw new Error(`packaging/release.pub is not the key's: ${MAKE_KEY}`);
  return key;
}

const MAKE_KEY =
  "make a key once (minisign -G -W -p packaging/release.pub -s KEYFILE), commit packaging/release.pub, and set POSTHORN_SIGNING_KEY to what KEYFILE says.";

/** The executables of the image, kept while the archives are made. */
const forImage = new Map<string, Uint8Array>();

async function writeImage(): Promise<void> {
  const sources = await Promise.all(
    (Object.keys(PROCESSORS) as Processor[]).map(async (processor) => ({
      processor,
      executable: forImage.get(PROCESSORS[processor].target) as Uint8Array,
      libc: await libcOf(processor),
    })),
  );
  const name = `posthorn-${version}-image.tar`;
  writeFileSync(join(OUT, name), await imageOf(sources, version));
  said(name);
}

function writeJson(name: string, value: object): void {
  writeFileSync(join(OUT, name), `${JSON.stringify(value, null, 2)}\n`);
}

/** @throws Error unless `npm run test:nightly` has passed on this tree, but for its documents */
function refuseUntested(): void {
  const last = lastNightly();
  if (last === null) throw new Error(`${LAST_NIGHTLY} names no nightly run that has passed. Run: npm run test:nightly`);
  const changed = [...(changedSince(last.commit) ?? [`all, since ${last.commit} is not here`])];
  const untested = changed.filter((path) => path !== LAST_NIGHTLY && !path.endsWith(".md"));
  if (untested.length > 0)
    throw new Error(
      `The nightly run of ${last.at} has not tested: ${untested.slice(0, 5).join(", ")}. Run: npm run test:nightly`,
    );
}

async function archiveFor(name: string, target: string): Promise<void> {
  const executable = join(ROOT, "dist", `posthorn-${name}`);
  if (buildExecutable(executable, { name, target }) !== 0)
    throw new Error(`The executable for ${name} could not be built.`);
  await tryHere(name, executable);
  const archive = `posthorn-${version}-${name}.tar.gz`;
  await pipeline(
    await contents(executable, `posthorn-${version}-${name}`),
    createGzip({ level: 6 }),
    createWriteStream(join(OUT, archive)),
  );
  said(archive);
  const architecture = DEBIAN[name];
  if (architecture) said(packageFor({ executable, architecture, version, into: OUT }));
  if (Object.values(PROCESSORS).some((one) => one.target === name)) forImage.set(name, readFileSync(executable));
  rmSync(executable);
}

/** Those for machines like this one are started before they are packed. */
async function tryHere(name: string, executable: string): Promise<void> {
  if (!name.startsWith(`${process.platform}-${process.arch}`)) return;
  const tried = await tryExecutable([executable], name.endsWith("-musl")).catch((error: Error) => {
    throw new Error(`The executable for ${name}: ${error.message}`);
  });
  console.log(
    `${name}: ${tried ? "starts, answers and ends" : "not started, as this machine lacks musl or its libstdc++"}`,
  );
}

function said(file: string): void {
  console.log(`${file}  ${Math.ceil(statSync(join(OUT, file)).size / 1_000_000)} MB`);
}

/** With times of none, so that the same commit makes the same archive. */
async function contents(executable: string, folder: string) {
  const tar = pack();
  const mtime = new Date(0);
  const texts = {
    "config.example.toml": read("config.example.toml"),
    LICENSE: read("LICENSE"),
    "LICENSES.txt": collectedLicenses(),
  };
  for (const [name, text] of Object.entries(texts)) tar.entry({ name: `${folder}/${name}`, mode: 0o644, mtime }, text);
  const entry = tar.entry({ name: `${folder}/posthorn`, mode: 0o755, mtime, size: statSync(executable).size });
  void pipeline(createReadStream(executable), entry).then(
    () => tar.finalize(),
    (error: Error) => tar.destroy(error),
  );
  return tar;
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

function bun(...words: string[]): void {
  const { exitCode } = Bun.spawnSync([process.execPath, ...words], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (exitCode !== 0) throw new Error(`bun ${words.join(" ")} failed.`);
}

const [flag, only] = process.argv.slice(2);
await release(flag === "--only" ? only : undefined);
