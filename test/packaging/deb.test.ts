// The package for Debian, made around a small stand-in for the executable.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
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

  test("says no time at which it was made, so the same executable makes the same package", () => {
    const times = dpkg("--contents", file)
      .split("\n")
      .map((row) => row.split(/\s+/).slice(3, 5).join(" "));
    expect(new Set(times)).toEqual(new Set(["1970-01-01 00:00"]));
    // The archive around it: after its first line, name and time of the first member.
    expect(readFileSync(file, "latin1").slice(8, 36).split(/\s+/)).toEqual(["debian-binary", "0", ""]);
  });

  test("brings the executable byte for byte, and a unit that starts it there", () => {
    expect(readFileSync(join(unpacked, "usr/bin/posthorn"), "utf8")).toBe(CONTENT);
    const unit = readFileSync(join(unpacked, "lib/systemd/system/posthorn.service"), "utf8");
    expect(unit).toContain("\nExecStart=/usr/bin/posthorn serve ");
    expect(unit).not.toContain("/usr/local");
  });

  test("has scripts that a shell can read and Debian can run", () => {
    const scripts = readdirSync(join(unpacked, "DEBIAN")).filter((name) => name !== "control");
    expect(scripts.toSorted()).toEqual(["postinst", "postrm", "preinst", "prerm"]);
    for (const name of scripts) {
      const script = join(unpacked, "DEBIAN", name);
      expect([name, statSync(script).mode & 0o777]).toEqual([name, 0o755]);
      const { exitCode, stderr } = Bun.spawnSync(["sh", "-n", script]);
      expect([name, exitCode, stderr.toString()]).toEqual([name, 0, ""]);
    }
  });

  test("deletes mail and configuration when it is purged, and not when it is removed", () => {
    const executables = "-f /usr/bin/posthorn.previous /usr/bin/posthorn.refused";
    expect(removedBy("remove")).toBe(executables);
    expect(removedBy("purge").split("\n")).toEqual([
      executables,
      "-rf /var/lib/posthorn /etc/posthorn",
      "-f /etc/systemd/system/multi-user.target.wants/posthorn.service",
    ]);
  });

  test.each([
    ["runs", ["enable posthorn", "start posthorn"]],
    ["is stopped", ["enable posthorn"]],
    ["is disabled", []],
    ["is disabled and runs", ["start posthorn"]],
  ])("leaves a service that %s as it was, when it is removed and installed again", (_, before) => {
    const machine = machineOf();
    machine.script("postinst", "configure");
    machine.systemctl("disable posthorn");
    for (const words of before) machine.systemctl(words);
    const was = machine.state();
    machine.script("prerm", "remove");
    machine.script("postrm", "remove");
    expect(machine.state().active).toBe(false);
    machine.script("postinst", "configure", "1.2.3");
    expect(machine.state()).toEqual(was);
  });

  test("is enabled, and not started, where it is new", () => {
    const machine = machineOf();
    expect(machine.script("postinst", "configure")).toContain("Then: systemctl start posthorn");
    expect(machine.state()).toEqual({ active: false, enabled: true });
  });

  test("keeps the executable of before an upgrade", () => {
    const machine = machineOf();
    machine.file("etc/posthorn/config.toml");
    machine.installs("old");
    machine.upgradesTo("new");
    expect(machine.executables()).toEqual({ posthorn: "new", previous: "old", refused: null });
  });

  test("leaves the executable of before in place, and the service alone, where the new one refuses the store", () => {
    const machine = machineOf();
    machine.file("etc/posthorn/config.toml");
    machine.installs("old");
    ["enable posthorn", "start posthorn"].forEach(machine.systemctl);
    expect(machine.upgradesTo("refuses")).toContain("The store was created by another");
    const after = { posthorn: "old", previous: null, refused: "refuses" };
    expect([machine.executables(), machine.state()]).toEqual([after, { active: true, enabled: true }]);
    // As apt does each time, until it succeeds.
    expect(machine.configures()).toContain("The store was created by another");
    expect(machine.executables()).toEqual(after);
    expect(machine.upgradesTo("next")).toBe("");
    expect(machine.executables()).toEqual({ posthorn: "next", previous: "old", refused: null });
  });

  test("takes what was refused once it no longer is", () => {
    const machine = machineOf();
    machine.file("etc/posthorn/config.toml");
    machine.installs("old");
    machine.upgradesTo("refuses");
    machine.installs("mended", "posthorn.refused");
    expect(machine.configures()).toBe("");
    expect(machine.executables()).toEqual({ posthorn: "mended", previous: "old", refused: null });
  });

  test("takes over the service of install-service as it runs", () => {
    const machine = machineOf();
    const [unit, executable] = ["etc/systemd/system/posthorn.service", "usr/local/bin/posthorn"].map(machine.file);
    ["enable posthorn", "start posthorn"].forEach(machine.systemctl);
    writeFileSync(machine.file("etc/posthorn/config.toml"), "");
    expect(machine.script("postinst", "configure")).toBe("");
    expect(machine.state()).toEqual({ active: true, enabled: true });
    expect([unit, executable].filter((path) => existsSync(path as string))).toEqual([]);
  });
});

/** A machine in a folder, with a systemd of which only the state of the service is there. */
function machineOf() {
  const root = join(directory.path, `machine-${Math.random()}`);
  for (const folder of [
    "etc/systemd/system/multi-user.target.wants",
    "etc/posthorn",
    "run/systemd/system",
    "usr/local/bin",
    "usr/bin",
  ])
    mkdirSync(join(root, folder), { recursive: true });
  const link = `${root}/etc/systemd/system/multi-user.target.wants/posthorn.service`;
  const systemctl = `
    getent() { :; }
    install() { :; }
    runuser() { if grep -q refuses "$4"; then echo The store was created by another Posthorn; return 2; fi; }
    systemctl() {
      case "$1" in
        enable) touch ${link} ;;
        reenable) touch ${link} ;;
        disable) rm -f ${link} ;;
        start) touch ${root}/active ;;
        stop) rm -f ${root}/active ;;
        is-active) [ -e ${root}/active ] ;;
      esac
    }`;
  const run = (text: string, ...words: readonly string[]) =>
    Bun.spawnSync(["sh", "-c", `${systemctl}\n${text}`, "script", ...words]);
  const sh = (text: string, ...words: readonly string[]) => {
    const { exitCode, stdout, stderr } = run(text, ...words);
    expect([exitCode, stderr.toString()]).toEqual([0, ""]);
    return stdout.toString();
  };
  const textOf = (name: string) =>
    readFileSync(join(unpacked, "DEBIAN", name), "utf8").replaceAll(/\/(etc|run|usr|var)\//g, `${root}/$1/`);
  const configures = () => run(textOf("postinst"), "configure", "1.2.3").stderr.toString();
  const installs = (content: string, name = "posthorn") => writeFileSync(join(root, "usr/bin", name), content);
  const contentOf = (name: string) => {
    const path = join(root, "usr/bin", name);
    return existsSync(path) ? readFileSync(path, "utf8") : null;
  };
  return {
    script: (name: string, ...words: readonly string[]) => sh(textOf(name), ...words),
    configures,
    installs,
    /** As dpkg does: the new file is renamed over the one of before. Answers what was said. */
    upgradesTo: (content: string) => {
      sh(textOf("preinst"), "upgrade", "1.2.2");
      installs(content, "posthorn.dpkg-new");
      renameSync(join(root, "usr/bin/posthorn.dpkg-new"), join(root, "usr/bin/posthorn"));
      return configures();
    },
    executables: () => ({
      posthorn: contentOf("posthorn"),
      previous: contentOf("posthorn.previous"),
      refused: contentOf("posthorn.refused"),
    }),
    systemctl: (words: string) => sh(`systemctl ${words}`),
    state: () => ({ active: existsSync(join(root, "active")), enabled: existsSync(link) }),
    file: (path: string) => {
      writeFileSync(join(root, path), "");
      return join(root, path);
    },
  };
}

/** What the script after a removal would delete, with rm and systemctl held back. */
function removedBy(act: string): string {
  const script = readFileSync(join(unpacked, "DEBIAN/postrm"), "utf8");
  const { stdout } = Bun.spawnSync(["sh", "-c", `rm() { echo "$@"; }\nsystemctl() { :; }\n${script}`, "postrm", act]);
  return stdout.toString().trim();
}

function dpkg(...words: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["dpkg-deb", ...words], { env: { ...process.env, TZ: "UTC" } });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString().trim();
}
