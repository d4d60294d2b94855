// The repository of a release, as apt takes it or refuses it, in a root of its own; and its signatures, as gpg and
// Sequoia check them.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { clearSigned, publicKeyText } from "../../build/openpgp.ts";
import { signingKeyOf } from "../../build/signing.ts";
import { version } from "../../package.json";
import { downloads } from "../../packaging/addresses.json";
import { freshDirectory } from "../support/database.ts";
import { releaseIn } from "../support/release-folder.ts";
import { newReleaseKey } from "../support/release-key.ts";

const HAS_APT = ["apt-get", "dpkg-deb", "gpgv"].every((program) => Bun.which(program));
const key = signingKeyOf(newReleaseKey());
const work = freshDirectory();
const release = join(work.path, "release");
const suite = (name: string) => join(release, "dists/stable", name);
afterAll(() => work.remove());
beforeAll(() => releaseIn(release, key));

/** A machine whose apt knows this release alone, by the file for its sources. `changed`: what happens on the way. */
function machineWith(changed: (release: string) => void = () => {}) {
  const root = join(work.path, `machine-${Math.random()}`);
  const copy = join(root, "release");
  cpSync(release, copy, { recursive: true });
  changed(copy);
  for (const folder of [
    "etc/sources.d",
    "etc/apt.conf.d",
    "etc/preferences.d",
    "state/lists/partial",
    "cache/archives/partial",
    "here",
  ])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "status"), "");
  const source = readFileSync(join(copy, "apt/posthorn.sources"), "utf8").replace(downloads, `file:${copy}`);
  writeFileSync(join(root, "etc/sources.d/posthorn.sources"), source);
  const settings = {
    "Dir::Etc": join(root, "etc"),
    "Dir::Etc::sourceparts": join(root, "etc/sources.d"),
    "Dir::State": join(root, "state"),
    "Dir::State::status": join(root, "status"),
    "Dir::Cache": join(root, "cache"),
    "APT::Architecture": "amd64",
    "APT::Sandbox::User": "root",
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} "${value}";\n`);
  writeFileSync(join(root, "apt.conf"), lines.join(""));
  return (...words: readonly string[]) => {
    const env = { ...process.env, LC_ALL: "C", APT_CONFIG: join(root, "apt.conf") };
    const folder = join(root, "here");
    const { exitCode, stdout, stderr } = Bun.spawnSync(["apt-get", ...words], { env, cwd: folder });
    return { exitCode, said: `${stdout}${stderr}`, folder };
  };
}

function changeIn(file: string, from: string, to: string): void {
  const text = readFileSync(file, "utf8");
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
}

describe.skipIf(!HAS_APT)("apt", () => {
  test("takes the repository, and downloads the package of its machine", () => {
    const apt = machineWith();
    expect(apt("update")).toMatchObject({ exitCode: 0, said: expect.not.stringMatching(/^[WE]:/m) });
    const { exitCode, folder } = apt("download", "posthorn");
    const name = `posthorn_${version}_amd64.deb`;
    expect(exitCode).toBe(0);
    expect(readFileSync(join(folder, name))).toEqual(readFileSync(join(release, name)));
  });

  test.each([
    [
      "an index with one changed byte",
      "main/binary-amd64/Packages",
      "Section: mail",
      "Section: Mail",
      "Hash Sum mismatch",
    ],
    ["a changed list of indexes", "InRelease", "Suite: stable", "Suite: Stable", "BADSIG"],
  ])("refuses %s", (_, file, from, to, said) => {
    const apt = machineWith((copy) => {
      changeIn(join(copy, "dists/stable", file), from, to);
      for (const other of ["main/binary-amd64/Packages.gz", "Release.gpg"]) rmSync(join(copy, "dists/stable", other));
    });
    expect(apt("update")).toMatchObject({ exitCode: 100, said: expect.stringContaining(said) });
    expect(apt("download", "posthorn").said).toContain("Unable to locate package posthorn");
  });

  test("refuses a package that is not the one of the index", () => {
    const apt = machineWith((copy) => writeFileSync(join(copy, `posthorn_${version}_amd64.deb`), "another"));
    expect(apt("update").exitCode).toBe(0);
    expect(apt("download", "posthorn")).toMatchObject({
      exitCode: 100,
      said: expect.stringMatching(/unexpected size|Hash/),
    });
  });

  test("refuses what another key has signed", async () => {
    const other = signingKeyOf(newReleaseKey());
    const signed = await clearSigned(readFileSync(suite("Release"), "utf8"), 1_790_000_000, other);
    const apt = machineWith((copy) => {
      const place = join(copy, "dists/stable");
      writeFileSync(join(place, "InRelease"), signed);
      rmSync(join(place, "Release.gpg"));
    });
    expect(apt("update")).toMatchObject({ exitCode: 100, said: expect.stringContaining("NO_PUBKEY") });
  });
});

test("a compressed index is the same one", () => {
  for (const architecture of Bun.which("dpkg-deb") ? ["amd64", "arm64"] : []) {
    const name = suite(`main/binary-${architecture}/Packages`);
    expect(gunzipSync(readFileSync(`${name}.gz`)).toString()).toBe(readFileSync(name, "utf8"));
  }
});

describe("the signature in a file of its own", () => {
  const keyring = join(work.path, "key.asc");
  beforeAll(async () => writeFileSync(keyring, await publicKeyText(key)));
  const changed = () => {
    const path = join(work.path, "changed");
    writeFileSync(path, `${readFileSync(suite("Release"), "utf8")} `);
    return path;
  };

  test.skipIf(!Bun.which("gpg"))("is a good one for gpg, of this file alone", () => {
    const home = join(work.path, "gpg");
    mkdirSync(home, { mode: 0o700 });
    const gpg = (...words: string[]) =>
      Bun.spawnSync(["gpg", "--homedir", home, "--batch", "--no-autostart", ...words]);
    expect(gpg("--import", keyring).exitCode).toBe(0);
    expect(gpg("--verify", suite("Release.gpg"), suite("Release"))).toMatchObject({ exitCode: 0 });
    expect(gpg("--verify", suite("Release.gpg"), changed()).exitCode).toBe(1);
  });

  test.skipIf(!Bun.which("sqv"))("is a good one for Sequoia, which newer apt asks, of this file alone", () => {
    const sqv = (file: string) => Bun.spawnSync(["sqv", "--keyring", keyring, suite("Release.gpg"), file]).exitCode;
    expect([sqv(suite("Release")), sqv(changed())]).toEqual([0, 1]);
  });
});
