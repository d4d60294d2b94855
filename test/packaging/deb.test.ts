// The package for Debian, made around a small stand-in for the executable.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageFor } from "../../build/deb.ts";
import { freshDirectory } from "../support/database.ts";

const directory = freshDirectory();
const unpacked = join(directory.path, "unpacked");
const CONTENT = "#!/bin/sh\n# The runtime, and the program behind it.\n";
let file = "";

afterAll(() => directory.remove());

describe.skipIf(Bun.which("dpkg-deb") === null)("the package for Debian", () => {
  beforeAll(() => {
    const executable = join(directory.path, "posthorn");
    writeFileSync(executable, CONTENT, { mode: 0o600 });
    const before = process.umask(0o077);
    file = join(
      directory.path,
      packageFor({ executable, architecture: "arm64", version: "1.2.3", into: directory.path }),
    );
    process.umask(before);
    dpkg("--raw-extract", file, unpacked);
  });

  test("has its name, and says what it is", () => {
    expect(file).toEndWith("/posthorn_1.2.3_arm64.deb");
    const fields = ["Package", "Version", "Architecture", "Section", "Priority"].map((name) =>
      dpkg("--field", file, name),
    );
    expect(fields).toEqual(["posthorn", "1.2.3", "arm64", "mail", "optional"]);
    expect(dpkg("--field", file, "Maintainer")).toMatch(/^[^<]+ <\S+@\S+>$/);
  });

  test("holds these files, all of root, which nobody else may change", () => {
    const rows = dpkg("--contents", file).split("\n");
    const files = rows.filter((row) => row.startsWith("-")).map((row) => row.split(/\s+/));
    expect(files.map(([mode, owner, , , , path]) => `${mode} ${owner} ${path}`).toSorted()).toEqual([
      "-rw-r--r-- root/root ./lib/systemd/system/posthorn.service",
      "-rw-r--r-- root/root ./usr/share/doc/posthorn/config.example.toml",
      "-rw-r--r-- root/root ./usr/share/doc/posthorn/copyright",
      "-rwxr-xr-x root/root ./usr/bin/posthorn",
    ]);
    expect(rows.filter((row) => !/^[-d]rw[x-]r-[x-]r-[x-] root\/root /.test(row))).toEqual([]);
  });

  test("brings the executable byte for byte, and a unit that starts it there", () => {
    expect(readFileSync(join(unpacked, "usr/bin/posthorn"), "utf8")).toBe(CONTENT);
    const unit = readFileSync(join(unpacked, "lib/systemd/system/posthorn.service"), "utf8");
    expect(unit).toContain("\nExecStart=/usr/bin/posthorn serve ");
    expect(unit).not.toContain("/usr/local");
  });

  test("has scripts that a shell can read and Debian can run", () => {
    const scripts = readdirSync(join(unpacked, "DEBIAN")).filter((name) => name !== "control");
    expect(scripts.toSorted()).toEqual(["postinst", "postrm", "prerm"]);
    for (const name of scripts) {
      const script = join(unpacked, "DEBIAN", name);
      expect([name, statSync(script).mode & 0o777]).toEqual([name, 0o755]);
      const { exitCode, stderr } = Bun.spawnSync(["sh", "-n", script]);
      expect([name, exitCode, stderr.toString()]).toEqual([name, 0, ""]);
    }
  });

  test("deletes mail and configuration when it is purged, and not when it is removed", () => {
    expect(removedBy("remove")).toBe("");
    expect(removedBy("purge")).toBe("-rf /var/lib/posthorn /etc/posthorn");
  });
});

/** What the script after a removal would delete, with rm and systemctl held back. */
function removedBy(act: string): string {
  const script = readFileSync(join(unpacked, "DEBIAN/postrm"), "utf8");
  const { stdout } = Bun.spawnSync(["sh", "-c", `rm() { echo "$@"; }\nsystemctl() { :; }\n${script}`, "postrm", act]);
  return stdout.toString().trim();
}

function dpkg(...words: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["dpkg-deb", ...words]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString().trim();
}
