// The command line: from its words to a verb, from a verb to an exit code.
import { fstatSync } from "node:fs";
import { constants } from "node:os";
import { ALERTS_TEST } from "./cli/alerts.ts";
import { readArguments, type Values } from "./cli/arguments.ts";
import { BACKUP, BACKUPS, RESTORE } from "./cli/backup.ts";
import { CLOCK_ACCEPT } from "./cli/clock.ts";
import { CHECK_CONFIG } from "./cli/check-config.ts";
import { CONSENT_VERIFY } from "./cli/consent.ts";
import { COMPACT } from "./cli/compact.ts";
import { DOCTOR } from "./cli/doctor.ts";
import { DOMAIN_VERBS } from "./cli/domain.ts";
import { explained } from "./cli/faults.ts";
import { helpFor, VERSION } from "./cli/help.ts";
import { RELEASE } from "./cli/hold.ts";
import { INSTALL_SERVICE } from "./cli/install.ts";
import { KEY_VERBS } from "./cli/key.ts";
import { LICENSES } from "./cli/licenses.ts";
import { MIGRATE, MIGRATE_STORE } from "./cli/migrate.ts";
import { QUEUE_VERBS } from "./cli/queue.ts";
import { BRAKE_VERBS } from "./cli/queue-brakes.ts";
import { READY } from "./cli/ready.ts";
import { RESET } from "./cli/reset.ts";
import { PRUNE } from "./cli/prune.ts";
import { ROLLBACK } from "./cli/rollback.ts";
import { REMOTE_VERBS } from "./cli/remote.ts";
import { SENDMAIL } from "./cli/sendmail.ts";
import { SERVE } from "./cli/serve.ts";
import { STATUS } from "./cli/status.ts";
import { TAIL } from "./cli/tail.ts";
import { USER_VERBS } from "./cli/user.ts";
import { PROMOTE, STANDBY } from "./cli/standby.ts";
import type { Call, Io, Verb } from "./cli/verb.ts";
import { WAY_VERBS } from "./cli/way.ts";
import { WORKSPACE_VERBS } from "./cli/workspace.ts";
import { leaveTimeZone, loadConfig } from "./config.ts";

/** In the order of the help. */
export const VERBS: readonly Verb[] = [
  SERVE,
  READY,
  STATUS,
  DOCTOR,
  ALERTS_TEST,
  TAIL,
  ...QUEUE_VERBS,
  ...BRAKE_VERBS,
  ...WAY_VERBS,
  ...WORKSPACE_VERBS,
  RESET,
  ...KEY_VERBS,
  ...DOMAIN_VERBS,
  ...USER_VERBS,
  ...REMOTE_VERBS,
  SENDMAIL,
  BACKUP,
  BACKUPS,
  RESTORE,
  CONSENT_VERIFY,
  STANDBY,
  PROMOTE,
  RELEASE,
  CLOCK_ACCEPT,
  PRUNE,
  COMPACT,
  MIGRATE,
  ROLLBACK,
  MIGRATE_STORE,
  INSTALL_SERVICE,
  CHECK_CONFIG,
  VERSION,
  LICENSES,
];

/** Answers the exit code: 0 = done, 1 = failed, 2 = the command line, the configuration or the store is wrong. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    const command = readArguments(argv, VERBS);
    if (command.kind === "run") return (await command.verb.run(callOf(command, io))) ?? 0;
    io.out(helpFor(command.verbs));
    return 0;
  } catch (error) {
    const { text, exitCode } = explained(error);
    io.err(text);
    return exitCode;
  }
}

type Words = { readonly argument: string; readonly words: readonly string[]; readonly values: Values };

function callOf({ argument, words, values }: Words, io: Io): Call {
  const texts = (option: string) => (values[option] ?? []) as string[];
  const text = (option: string) => texts(option).at(-1);
  const configOptions = { file: text("config"), dataDir: text("data"), env: io.env };
  return {
    io,
    argument,
    words,
    text,
    texts,
    flag: (option) => values[option] === true,
    configOptions,
    config: () => loadConfig(configOptions),
  };
}

/** console.log has written before it returns, even into a pipe, so the exit cuts nothing off. */
const PROCESS: Io = {
  out: (line) => console.log(line),
  err: (line) => console.error(line),
  input: () => Bun.stdin.bytes(),
  ask: async (question) => prompt(question.replace(/ $/, "")) ?? "",
  outPlace: placeOf(1),
  ...(process.stderr.isTTY ? { show: (line: string) => void process.stderr.write(`\r\x1b[2K${line}`) } : {}),
  untilStopped: (again) => new Promise((stop) => countSignals([stop, again])),
  onHangUp: (reload) => void process.on("SIGHUP", reload),
};

function placeOf(descriptor: number): string {
  const { dev, ino } = fstatSync(descriptor);
  return `${dev}:${ino}`;
}

/**
 * The first signal asks for an orderly end. Supervisors and people often send a second one, and mail that is cut off
 * may leave twice, so only a signal after the last step ends the process at once.
 */
function countSignals(steps: (() => void)[]): void {
  const heard = (signal: "SIGTERM" | "SIGINT") => {
    const step = steps.shift();
    if (step) step();
    else process.exit(128 + constants.signals[signal]);
  };
  process.on("SIGTERM", () => heard("SIGTERM"));
  process.on("SIGINT", () => heard("SIGINT"));
}

/** With the words of the command line; ends the process. */
export async function main(): Promise<never> {
  leaveTimeZone();
  process.exit(await run(process.argv.slice(2), PROCESS));
}

if (import.meta.main) await main();
