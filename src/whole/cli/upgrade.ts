// `posthorn upgrade`: replaces this executable by a newer release, and goes back if that does not get ready.
import { existsSync, linkSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { HOUR_MS } from "../../base/clock.ts";
import { loadConfig, type Config, type ConfigOptions } from "../../base/config.ts";
import { releaseKeyOf, type ReleaseKey } from "../../base/service/minisign.ts";
import { CONFIG_FILE, DATA_DIR, USER } from "../../base/service/plan.ts";
import { releaseAt, unpackExecutable } from "../../base/service/release.ts";
import { build, releaseFacts } from "../../base/version.ts";
import { explained } from "./faults.ts";
import { printOne } from "./print.ts";
import { askServer } from "./server-answer.ts";
import { JSON_OPTION, type Verb, type VerbCall } from "./verb.ts";

export const UPGRADE: Verb = {
  name: "upgrade",
  summary: "Replaces this executable by the release at an address, and goes back if that does not get ready",
  notes: [
    "It checks the signature, asks the new executable whether it accepts the configuration and the store, makes a backup in the",
    "data directory, and restarts the service posthorn of systemd if it runs, whose configuration and data it then uses. The previous",
    "executable stays beside it, as posthorn.previous.",
  ],
  options: {
    from: { value: "PLACE", help: "A folder or a URL with a release; overrides updates.url" },
    key: { value: "FILE", help: "The public key of releases; default: the one in this executable" },
    check: { help: "Say whether there is a newer release, and do nothing" },
    ...JSON_OPTION,
  },
  run: (call) => upgrade(call, thisMachine()),
};

/** All that an upgrade needs of the machine; tests replace it. */
export type UpgradedMachine = {
  readonly executable: string;
  readonly platform: string;
  readonly key: string | null;
  /** `folder`: where the command runs. @throws Error with its words if it fails */
  run(words: readonly string[], folder?: string): void;
  /** The configuration and the data of the service, if systemd runs it. */
  service(): ServicePlaces | null;
  /** Whether the server of this configuration is there in this version and ready, within a minute. */
  getsReady(version: string, config: Config): Promise<boolean>;
};
type ServicePlaces = { readonly file: string; readonly dataDir: string };

/** `posthorn`: runs a verb of an executable, as the user whose files they are. */
type Surroundings = {
  readonly config: Config;
  readonly isService: boolean;
  readonly posthorn: (executable: string, ...words: string[]) => void;
};

const SERVICE = "posthorn";
const DEBIAN_LIST = "/var/lib/dpkg/info/posthorn.list";
const READY_WITHIN_SECONDS = 60;

/**
 * Answers the exit code. @throws Error in plain words, which `--json` prints instead; the previous executable is in its
 * place then
 */
export async function upgrade(call: VerbCall, machine: UpgradedMachine): Promise<number> {
  try {
    return await replaceOrSay(call, machine);
  } catch (error) {
    if (!call.flag("json")) throw error;
    const { text, exitCode } = explained(error);
    call.io.out(JSON.stringify({ version: build().version, message: text }));
    return exitCode;
  }
}

async function replaceOrSay(call: VerbCall, machine: UpgradedMachine): Promise<number> {
  const around = surroundingsOf(call, machine);
  const { config, posthorn } = around;
  const place = call.text("from") ?? config.updates.url;
  if (!place)
    throw new Error("Say where releases are: posthorn upgrade --from PLACE, or updates.url in the configuration.");
  const release = await releaseAt(place, releaseKeyFor(call, machine));
  const { version: own } = build();
  const isNewer = Bun.semver.order(release.version, own) > 0;
  const facts = { version: own, newest: release.version, isNewer };
  if (!isNewer || call.flag("check")) {
    printOne(call, facts, () => (isNewer ? `${release.version} is out; this is ${own}.` : `${own} is the newest.`));
    return 0;
  }
  const { executable } = machine;
  if (executable === "/usr/bin/posthorn" && existsSync(DEBIAN_LIST))
    throw new Error(`The package for Debian brings its upgrades: sudo apt install ./posthorn_${release.version}_….deb`);
  const next = `${executable}.next`;
  rmSync(next, { force: true });
  await unpackExecutable(release, machine.platform, next);
  try {
    posthorn(next, "check-config");
    const backup = backupBefore(release.version, config);
    rmSync(backup, { force: true });
    posthorn(executable, "backup", backup);
  } catch (error) {
    rmSync(next, { force: true });
    throw new Error(`Nothing was changed. ${(error as Error).message}`);
  }
  const previous = `${executable}.previous`;
  rmSync(previous, { force: true });
  linkSync(executable, previous);
  renameSync(next, executable);
  if (!around.isService) {
    printOne(call, { ...facts, restarted: false }, () => `This is ${release.version} now. Restart the server.`);
    return 0;
  }
  await restart(around, machine, release.version);
  printOne(call, { ...facts, restarted: true }, () => `${release.version} is running. The one before is ${previous}.`);
  return 0;
}

/** @throws Error if the new one does not get ready; the previous one runs then */
async function restart({ config, posthorn }: Surroundings, machine: UpgradedMachine, version: string): Promise<void> {
  const { executable } = machine;
  const problem = await problemOf(async () => {
    machine.run(["systemctl", "restart", SERVICE]);
    if (!(await machine.getsReady(version, config)))
      throw new Error(`it was not ready within ${READY_WITHIN_SECONDS} seconds`);
  });
  if (problem === null) return;
  machine.run(["systemctl", "stop", SERVICE]);
  const previous = `${executable}.previous`;
  // Unless the store was migrated, it fits, and an older copy beside it is of an earlier upgrade.
  const isMigrated = (await problemOf(async () => posthorn(previous, "check-config"))) !== null;
  const lost = isMigrated ? await problemOf(async () => posthorn(executable, "rollback")) : null;
  renameSync(executable, `${executable}.refused`);
  renameSync(previous, executable);
  if (lost !== null)
    throw new Error(
      `${version} did not start: ${problem}. Its changes of the store could not be taken back, so the service stays stopped. The backup from before is ${backupBefore(version, config)}. ${lost}`,
    );
  machine.run(["systemctl", "start", SERVICE]);
  // The new one may have sent some of what the copy from before its migration still has to send.
  const held = isMigrated ? " Email that was queued is held until: posthorn release." : "";
  throw new Error(
    `${version} did not start: ${problem}. ${build().version} runs again; the new one is ${executable}.refused.${held} Its log: journalctl -u ${SERVICE}`,
  );
}

function backupBefore(version: string, { data }: Config): string {
  return join(data.dir, `before-${version}.backup`);
}

async function problemOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function releaseKeyFor(call: VerbCall, { key }: UpgradedMachine): ReleaseKey {
  const file = call.text("key");
  const text = file === undefined ? key : readFileSync(file, "utf8");
  if (text === null) throw new Error("This executable knows no key of releases: give one with --key FILE.");
  return releaseKeyOf(text);
}

/** The surroundings of the service, unless the call names its own. */
function surroundingsOf({ configOptions }: VerbCall, machine: UpgradedMachine): Surroundings {
  const isNamed = configOptions.file !== undefined || configOptions.dataDir !== undefined;
  const service = machine.service();
  const places = service !== null && !isNamed ? { ...service, env: {} } : inFull(configOptions);
  const { file, dataDir } = places;
  const around = [...(file ? ["--config", file] : []), ...(dataDir ? ["--data", dataDir] : [])];
  // Runs as the service's user: the service could not write files of root.
  const asUser = service === null ? [] : ["runuser", "-u", USER, "--"];
  return {
    config: loadConfig(places),
    isService: service !== null,
    // By hand, ./config.toml is found. The user of the service may not read the folder of the user who upgrades.
    posthorn: (executable, ...words) =>
      machine.run([...asUser, executable, ...words, ...around], service === null ? "." : "/"),
  };
}

function inFull({ file, dataDir, env }: ConfigOptions): ConfigOptions {
  return { file: file && resolve(file), dataDir: dataDir && resolve(dataDir), env };
}

function thisMachine(): UpgradedMachine {
  const { platform, key } = releaseFacts();
  return {
    executable: process.execPath,
    platform: platform ?? `${process.platform === "darwin" ? "macos" : process.platform}-${process.arch}`,
    key,
    run: (words, folder = "/") => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([...words], { cwd: folder, timeout: HOUR_MS });
      if (exitCode !== 0) throw new Error(`${words.join(" ")}: ${`${stderr}${stdout}`.trim()}`);
    },
    service: () =>
      Bun.which("systemctl") !== null && Bun.spawnSync(["systemctl", "is-active", "--quiet", SERVICE]).exitCode === 0
        ? { file: CONFIG_FILE, dataDir: DATA_DIR }
        : null,
    getsReady: async (version, config) => {
      for (let second = 0; second < READY_WITHIN_SECONDS; second++) {
        const { answer } = await askServer({ config: () => config });
        if (answer.ready && answer.version === version) return true;
        await Bun.sleep(1_000);
      }
      return false;
    },
  };
}
