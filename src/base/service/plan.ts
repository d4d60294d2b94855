// The installation of Posthorn as a service of systemd: a user, directories, a configuration, a unit; as steps that can
// be shown first.
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import unit from "../../../packaging/posthorn.service" with { type: "text" };
import { configFor, type SetupAnswers } from "./first-config.ts";

export const EXECUTABLE = "/usr/local/bin/posthorn";
/** The executable that has not been started yet, and its predecessor. */
const [NEW, PREVIOUS] = [`${EXECUTABLE}.new`, `${EXECUTABLE}.previous`];
export const CONFIG_FILE = "/etc/posthorn/config.toml";
export const DATA_DIR = "/var/lib/posthorn";
const UNIT_FILE = "/etc/systemd/system/posthorn.service";
export const USER = "posthorn";
const AROUND = ["--config", CONFIG_FILE, "--data", DATA_DIR];
/** Runs as the user of the service, which may not read the folder of the installing user. */
export const AS_SERVICE = (words: string) => `cd / && sudo -u ${USER} posthorn ${words} ${AROUND.join(" ")}`;

/**
 * A program to run, or a file to write. `root`: it belongs to root; else to the user of the service, at least to read.
 */
export type SetupStep =
  | {
      readonly kind: "run";
      readonly words: readonly string[];
      readonly unless?: string;
      /** The start of the service, or the check of the new executable before it replaces another. */
      readonly is?: "start" | "check";
    }
  | {
      readonly kind: "file";
      readonly path: string;
      readonly text: string;
      readonly mode: number;
      readonly isShared: boolean;
    }
  | { readonly kind: "copy"; readonly from: string; readonly to: string }
  /** The file at `to` is kept at `kept`. */
  | { readonly kind: "replace"; readonly from: string; readonly to: string; readonly kept: string };

type SetupRequest = {
  /** Null: there is a configuration, which stays as it is. */
  readonly answers: SetupAnswers | null;
  /** The executable that is running. */
  readonly self: string;
};

/** In this order. A step that was done already changes nothing. */
export function stepsFor({ answers, self }: SetupRequest): readonly SetupStep[] {
  const home = ["--home-dir", DATA_DIR, "--no-create-home", "--shell", "/usr/sbin/nologin"];
  const isThere = self === EXECUTABLE;
  return [
    ...(isThere ? [] : [{ kind: "copy", from: self, to: NEW } as const]),
    { kind: "run", words: ["useradd", "--system", "--user-group", ...home, USER], unless: `id -u ${USER}` },
    { kind: "run", words: ["install", "-d", "-o", USER, "-g", USER, "-m", "0700", DATA_DIR] },
    { kind: "run", words: ["install", "-d", "-o", "root", "-g", USER, "-m", "0750", dirname(CONFIG_FILE)] },
    ...(answers === null
      ? []
      : [{ kind: "file", path: CONFIG_FILE, text: configFor(answers), mode: 0o640, isShared: true } as const]),
    // An executable that refuses the configuration or the store replaces nothing.
    {
      kind: "run",
      words: ["runuser", "-u", USER, "--", isThere ? EXECUTABLE : NEW, "check-config", ...AROUND],
      is: "check",
    },
    ...(isThere ? [] : [{ kind: "replace", from: NEW, to: EXECUTABLE, kept: PREVIOUS } as const]),
    { kind: "file", path: UNIT_FILE, text: unit, mode: 0o644, isShared: false },
    { kind: "run", words: ["systemctl", "daemon-reload"] },
    { kind: "run", words: ["systemctl", "enable", "posthorn"] },
    // Starts the new executable, or replaces the running one.
    { kind: "run", words: ["systemctl", "restart", "posthorn"], is: "start" },
  ];
}

/** As lines of a shell. */
export function shellLines(step: SetupStep): string {
  if (step.kind === "run")
    return `${step.words[0] === "runuser" ? "cd / && " : ""}${step.unless ? `${step.unless} >/dev/null 2>&1 || ` : ""}${step.words.join(" ")}`;
  if (step.kind === "copy") return `install -m 0755 ${step.from} ${step.to}`;
  if (step.kind === "replace")
    return `[ ! -e ${step.to} ] || ln -f ${step.to} ${step.kept}\nmv -f ${step.from} ${step.to}`;
  const owner = step.isShared ? `root:${USER}` : "root:root";
  return `cat >${step.path} <<'END'   # mode ${step.mode.toString(8)}, ${owner}\n${step.text.trimEnd()}\nEND`;
}

/** @throws Error with the program's own words */
export function carryOut(step: SetupStep): void {
  if (step.kind === "run") return runUnless(step);
  if (step.kind === "copy") return copyExecutable(step.from, step.to);
  if (step.kind === "replace") return replace(step);
  writeFileSync(step.path, step.text, { mode: step.mode });
  chmodSync(step.path, step.mode);
  if (step.isShared) chownSync(step.path, 0, groupOf(USER));
}

/** From `/`: the user of the service may not look into /root, nor into a closed home. */
function run(words: readonly string[]) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...words], { cwd: "/" });
  return { isDone: exitCode === 0, said: `${stderr}${stdout}`.trim() };
}

function runUnless({ words, unless, is }: Extract<SetupStep, { kind: "run" }>): void {
  if (unless && run(unless.split(" ")).isDone) return;
  const { isDone, said } = run(words);
  if (isDone) return;
  const more = { start: afterFailedStart, check: afterRefusal };
  throw new Error([`${words.join(" ")}: ${said}`, ...(is === undefined ? [] : more[is]())].join("\n"));
}

/** Systemd also logs under the name of the unit; these lines come from the service's own processes. */
const LAST_LINE = ["journalctl", "_SYSTEMD_UNIT=posthorn.service", "-n", "1", "-o", "cat", "--no-pager"];

function afterFailedStart(): string[] {
  const line = run(LAST_LINE).said;
  return [
    ...(line === "" ? [] : [`The service says: ${line}`]),
    ...(existsSync(PREVIOUS)
      ? [`The executable of before is ${PREVIOUS}. To go back to it: sudo ${PREVIOUS} install-service`]
      : []),
  ];
}

function afterRefusal(): string[] {
  rmSync(NEW, { force: true });
  return ["Nothing was replaced, and a service that runs goes on as it is."];
}

function copyExecutable(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, 0o755);
}

/** The file of a running executable cannot be written to, but can be replaced; it is never missing. */
function replace({ from, to, kept }: Extract<SetupStep, { kind: "replace" }>): void {
  if (existsSync(to)) {
    rmSync(kept, { force: true });
    linkSync(to, kept);
  }
  renameSync(from, to);
}

function groupOf(user: string): number {
  return Number(Bun.spawnSync(["id", "-g", user]).stdout.toString());
}

/** @throws Error if this machine or user cannot run the steps */
export function refuseUnfit(): void {
  if (run(["dpkg-query", "--show", "--showformat=${db:Status-Status}", "posthorn"]).said === "installed")
    throw new Error(
      "The package posthorn is installed, and has a service: upgrade it with apt install ./posthorn_….deb, or remove it first (apt remove posthorn keeps email and configuration).",
    );
  if (process.platform !== "linux" || !existsSync("/run/systemd/system"))
    throw new Error("This machine does not run systemd. See what would be done: posthorn install-service --dry-run");
  if (process.getuid?.() !== 0) throw new Error("This needs root: sudo posthorn install-service");
}
