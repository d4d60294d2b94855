// `posthorn upgrade`: from a local place of releases, on a machine that says what was done to it.
import { afterEach, describe, expect, spyOn, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { version } from "../package.json";
import { signatureOf, signingKeyOf } from "../build/signing.ts";
import { HOUR_MS } from "../src/base/clock.ts";
import { upgrade, UPGRADE, type UpgradedMachine } from "../src/whole/cli/upgrade.ts";
import type { VerbCall } from "../src/whole/cli/verb.ts";
import { lookAtRelease } from "../src/operator/watch/release.ts";
import { runOneOf } from "../src/whole/cli/run.ts";
import { freshDirectory } from "./support/database.ts";
import { newReleaseKey } from "./support/release-key.ts";

const KEY = signingKeyOf(newReleaseKey());
const PLATFORM = "linux-x64";

const folders: (() => void)[] = [];
afterEach(() => folders.splice(0).forEach((remove) => remove()));

function folder(): string {
  const made = freshDirectory();
  folders.push(made.remove);
  return made.path;
}

type Changes = {
  readonly key?: typeof KEY;
  readonly member?: string;
  readonly platform?: string;
  readonly executable?: string;
};

/** A place with one release, whose executable says its version. */
async function releaseOf(newest: string, changes: Changes = {}) {
  const { platform = PLATFORM, executable = `the executable of ${newest}` } = changes;
  const place = folder();
  const name = `posthorn-${newest}-${platform}`;
  const tar = pack();
  tar.entry({ name: `${name}/${changes.member ?? "posthorn"}`, mode: 0o755 }, executable);
  tar.entry({ name: `${name}/LICENSE` }, "MIT");
  tar.finalize();
  const archive = gzipSync(await buffer(tar));
  writeFileSync(join(place, `${name}.tar.gz`), archive);
  const sums = `${new Bun.CryptoHasher("sha256").update(archive).digest("hex")}  ${name}.tar.gz\n`;
  writeFileSync(join(place, "SHA256SUMS"), sums);
  writeFileSync(
    join(place, "SHA256SUMS.minisig"),
    signatureOf(Buffer.from(sums), `posthorn ${newest} commit 1`, changes.key ?? KEY),
  );
  return { place, archive: join(place, `${name}.tar.gz`) };
}

type MachineChanges = Partial<{
  fails: string | readonly string[];
  isReady: boolean;
  service: boolean;
  platform: string;
}>;

/** `fails`: the beginnings of commands that the machine cannot carry out; `isReady`: the new one gets ready. */
function machineWith({ fails = [], isReady = true, service = true, platform = PLATFORM }: MachineChanges = {}) {
  const [bin, places] = [folder(), folder()];
  const ofService = { file: join(places, "service.toml"), dataDir: join(places, "data") };
  writeFileSync(ofService.file, "");
  const executable = join(bin, "posthorn");
  writeFileSync(executable, `the executable of ${version}`);
  const done: string[] = [];
  const runs: (readonly string[])[] = [];
  const machine: UpgradedMachine = {
    executable,
    platform,
    key: KEY.publicText,
    run: (words) => {
      runs.push(words);
      const [verb] = words
        .join(" ")
        .replace("runuser -u posthorn -- ", "")
        .split(/ --(?:config|data) /);
      const said = (verb ?? "")
        .split(" ")
        .map((word) => word.split("/").at(-1))
        .join(" ");
      done.push(said);
      if ([fails].flat().some((beginning) => said.startsWith(beginning))) throw new Error(`${said} does not work`);
    },
    service: () => (service ? ofService : null),
    getsReady: async () => isReady,
  };
  const inPlace = () =>
    Object.fromEntries(
      readdirSync(bin)
        .sort()
        .map((file) => [file, readFileSync(join(bin, file), "utf8").split(" ").at(-1)]),
    );
  return { machine, done, runs, ofService, inPlace };
}

/** Answers the exit code and what was said. */
async function upgraded(machine: UpgradedMachine, words: readonly string[]) {
  const said: string[] = [];
  const data = folder();
  const io = {
    out: (line: string) => said.push(line),
    err: (line: string) => said.push(line),
    ask: async () => "",
    untilStopped: async () => {},
    onHangUp: () => {},
    env: { POSTHORN_DATA_DIR: data },
  };
  const verb = { ...UPGRADE, run: (call: VerbCall) => upgrade(call, machine) };
  const code = await runOneOf([verb], ["upgrade", ...words], io);
  return { code, said: said.join("\n") };
}

test("a newer release is checked, the store backed up, the executable replaced, the service restarted", async () => {
  const { place } = await releaseOf("9.2.0");
  const { machine, done, inPlace } = machineWith();
  const { code, said } = await upgraded(machine, ["--from", place]);
  expect([code, said]).toEqual([0, expect.stringContaining("9.2.0 is running")]);
  expect(done).toEqual([
    "posthorn.next check-config",
    "posthorn backup before-9.2.0.backup",
    "systemctl restart posthorn",
  ]);
  expect(inPlace()).toEqual({ posthorn: "9.2.0", "posthorn.previous": version });
});

test("verbs run as the user of the service, with its configuration and its data", async () => {
  const { place } = await releaseOf("9.2.0");
  const { machine, runs, ofService } = machineWith();
  await upgraded(machine, ["--from", place]);
  const asUser = ["runuser", "-u", "posthorn", "--"];
  const around = ["--config", ofService.file, "--data", ofService.dataDir];
  expect(runs).toEqual([
    [...asUser, `${machine.executable}.next`, "check-config", ...around],
    [...asUser, machine.executable, "backup", join(ofService.dataDir, "before-9.2.0.backup"), ...around],
    ["systemctl", "restart", "posthorn"],
  ]);
});

test("without a service, verbs run as the same user, with the places that are named", async () => {
  const { place } = await releaseOf("9.2.0");
  const { machine, runs } = machineWith({ service: false });
  await upgraded(machine, ["--from", place, "--data", place]);
  expect(runs[0]).toEqual([`${machine.executable}.next`, "check-config", "--data", place]);
});

test("a release comes from a URL as well", async () => {
  const { place } = await releaseOf("9.2.0");
  using server = Bun.serve({ port: 0, fetch: ({ url }) => new Response(Bun.file(join(place, new URL(url).pathname))) });
  const { machine, inPlace } = machineWith({ service: false });
  const { code, said } = await upgraded(machine, ["--from", server.url.href]);
  expect([code, said, inPlace()["posthorn"]]).toEqual([0, expect.stringContaining("Restart the server"), "9.2.0"]);
});

test("an archive has longer than the sums to come, as it has tens of megabytes", async () => {
  const { place } = await releaseOf("9.2.0");
  using server = Bun.serve({ port: 0, fetch: ({ url }) => new Response(Bun.file(join(place, new URL(url).pathname))) });
  using deadlines = spyOn(AbortSignal, "timeout");
  await upgraded(machineWith({ service: false }).machine, ["--from", server.url.href]);
  expect(deadlines.mock.calls).toEqual([[30_000], [30_000], [HOUR_MS]]);
});

test("the new executable is asked where the command was given, so that both read one configuration", async () => {
  const here = folder();
  const asked = '#!/bin/sh\necho "asked in $PWD" >&2\nexit 1\n';
  const { place } = await releaseOf("9.2.0", { platform: `${process.platform}-${process.arch}`, executable: asked });
  const bun = join(folder(), "bun");
  copyFileSync(process.execPath, bun);
  writeFileSync(join(place, "release.pub"), KEY.publicText);
  const words = ["upgrade", "--from", place, "--key", join(place, "release.pub")];
  const main = join(import.meta.dir, "../src/whole/main.ts");
  // Without the variables of a run of tests, which are no settings.
  const done = Bun.spawn([bun, main, ...words], { cwd: here, env: { PATH: process.env["PATH"] }, stderr: "pipe" });
  expect(await new Response(done.stderr).text()).toContain(`asked in ${here}`);
});

test.each([
  ["9.2.0", "9.2.0 is out", true],
  ["0.0.1", "is the newest", false],
  [version, "is the newest", false],
])("--check says of %s that %s, and does nothing", async (newest, words, isNewer) => {
  const { place } = await releaseOf(newest);
  const { machine, done, inPlace } = machineWith();
  expect(await upgraded(machine, ["--from", place, "--check"])).toEqual({
    code: 0,
    said: expect.stringContaining(words),
  });
  const { said } = await upgraded(machine, ["--from", place, "--check", "--json"]);
  expect(JSON.parse(said)).toEqual({ version, newest, isNewer });
  expect([done, Object.keys(inPlace())]).toEqual([[], ["posthorn"]]);
});

test("with --json a refusal is JSON too, and its exit code is the same", async () => {
  const { place } = await releaseOf("9.2.0", { key: signingKeyOf(newReleaseKey()) });
  const { machine } = machineWith();
  const ask = async (words: readonly string[]) => {
    const { code, said } = await upgraded(machine, [...words, "--json"]);
    return [code, JSON.parse(said)] as const;
  };
  const message = (words: string) => ({ version, message: expect.stringContaining(words) as string });
  expect(await ask(["--from", place, "--check"])).toEqual([1, message("by another key")]);
  expect(await ask(["--from", join(place, "gone"), "--check"])).toEqual([1, message("no such file or directory")]);
  expect(await ask(["--check"])).toEqual([1, message("Say where releases are")]);
  expect(await ask(["--check", "--config", join(place, "gone.toml")])).toEqual([2, message("gone.toml")]);
});

test("an older release replaces nothing", async () => {
  const { place } = await releaseOf("0.0.1");
  const { machine, inPlace } = machineWith();
  await upgraded(machine, ["--from", place]);
  expect(inPlace()).toEqual({ posthorn: version });
});

describe("nothing is replaced, and nothing left, if", () => {
  test.each([
    ["another key has signed", { key: signingKeyOf(newReleaseKey()) }, () => {}, {}, "by another key"],
    [
      "the sums were changed",
      {},
      (place: string) => writeFileSync(join(place, "SHA256SUMS"), "x"),
      {},
      "changed after",
    ],
    [
      "there is no signature",
      {},
      (place: string) => writeFileSync(join(place, "SHA256SUMS.minisig"), ""),
      {},
      "damaged",
    ],
    ["the archive is cut off", {}, (_: string, archive: string) => truncateSync(archive, 40), {}, "is damaged"],
    ["the archive has no executable", { member: "other" }, () => {}, {}, "has no posthorn-9.2.0-linux-x64/posthorn"],
    ["there is nothing for this machine", {}, () => {}, { platform: "linux-arm64" }, "nothing for linux-arm64"],
    ["there is no room", {}, (_: string, archive: string) => truncateSync(archive, 2 ** 43), {}, "MB are free"],
    ["it refuses the configuration", {}, () => {}, { fails: "posthorn.next check-config" }, "Nothing was changed"],
    ["the backup fails", {}, () => {}, { fails: "posthorn backup" }, "Nothing was changed"],
  ])("%s", async (_, changes, spoil, machineChanges, words) => {
    const { place, archive } = await releaseOf("9.2.0", changes);
    spoil(place, archive);
    const { machine, inPlace } = machineWith(machineChanges);
    const { code, said } = await upgraded(machine, ["--from", place]);
    expect([code, said]).toEqual([1, expect.stringContaining(words)]);
    expect(inPlace()).toEqual({ posthorn: version });
  });
});

describe("a release that does not get ready", () => {
  test("is taken out again, and the one of before runs", async () => {
    const { place } = await releaseOf("9.2.0");
    const { machine, done, inPlace } = machineWith({ isReady: false });
    const { code, said } = await upgraded(machine, ["--from", place]);
    expect([code, said]).toEqual([1, expect.stringContaining(`${version} runs again`)]);
    expect(said).not.toContain("held");
    expect(done.slice(2)).toEqual([
      "systemctl restart posthorn",
      "systemctl stop posthorn",
      "posthorn.previous check-config",
      "systemctl start posthorn",
    ]);
    expect(inPlace()).toEqual({ posthorn: version, "posthorn.refused": "9.2.0" });
  });

  test("after it has migrated the store takes that back first", async () => {
    const { place } = await releaseOf("9.2.0");
    const { machine, done } = machineWith({ isReady: false, fails: "posthorn.previous check-config" });
    const { said } = await upgraded(machine, ["--from", place]);
    expect(done.slice(-2)).toEqual(["posthorn rollback", "systemctl start posthorn"]);
    expect(said).toContain("Email that was queued is held until: posthorn release.");
  });

  test("stays stopped after a migration that cannot be taken back, and the backup is named", async () => {
    const { place } = await releaseOf("9.2.0");
    const fails = ["posthorn.previous check-config", "posthorn rollback"];
    const { machine, done, ofService, inPlace } = machineWith({ isReady: false, fails });
    const { code, said } = await upgraded(machine, ["--from", place]);
    expect([code, said]).toEqual([1, expect.stringContaining(join(ofService.dataDir, "before-9.2.0.backup"))]);
    expect(done.at(-1)).toBe("posthorn rollback");
    expect(inPlace()).toEqual({ posthorn: version, "posthorn.refused": "9.2.0" });
  });
});

test("what an upgrade that was killed has left behind is replaced", async () => {
  const { place } = await releaseOf("9.2.0");
  const { machine, inPlace } = machineWith();
  for (const left of [".next", ".next.tar.gz", ".previous"]) writeFileSync(machine.executable + left, "half of 1");
  await upgraded(machine, ["--from", place]);
  expect(inPlace()).toEqual({ posthorn: "9.2.0", "posthorn.previous": version });
});

describe("a server that knows where releases are says that", () => {
  test.each([
    ["a newer one is out", "9.2.0", { state: "WRONG", detail: "9.2.0" }],
    ["its own is the newest", version, { state: "OK", detail: null }],
  ])("%s", async (_, newest, seen) => {
    const { place } = await releaseOf(newest);
    expect(await lookAtRelease(place, KEY.publicText)).toMatchObject([{ aspect: "RELEASE", ...seen }]);
  });

  test("it cannot know, without a key or behind a bad signature, and nothing without a place", async () => {
    const { place } = await releaseOf("9.2.0", { key: signingKeyOf(newReleaseKey()) });
    expect(await lookAtRelease(place, null)).toMatchObject([{ state: "UNKNOWN" }]);
    expect(await lookAtRelease(place, KEY.publicText)).toMatchObject([{ state: "UNKNOWN" }]);
    expect(await lookAtRelease(null, KEY.publicText)).toEqual([]);
  });
});

test("without a place or a key it says what to give", async () => {
  const { machine } = machineWith();
  expect((await upgraded(machine, [])).said).toContain("posthorn upgrade --from PLACE");
  const { place } = await releaseOf("9.2.0");
  expect((await upgraded({ ...machine, key: null }, ["--from", place])).said).toContain("--key FILE");
  const file = join(place, "release.pub");
  writeFileSync(file, `untrusted comment: key\n${KEY.publicText}\n`);
  expect((await upgraded({ ...machine, key: null }, ["--from", place, "--key", file])).code).toBe(0);
});

test("a backup of an earlier try is replaced", async () => {
  const { place } = await releaseOf("9.2.0");
  const { machine } = machineWith({ fails: "posthorn backup" });
  mkdirSync(join(place, "data"));
  const kept = join(place, "data", "before-9.2.0.backup");
  writeFileSync(kept, "old");
  await upgraded(machine, ["--from", place, "--data", join(place, "data")]);
  expect(existsSync(kept)).toBe(false);
});
