// argv → a verb → an exit code.
import { fstatSync } from "node:fs";
import { constants } from "node:os";
import { readArguments } from "./cli/arguments.ts";
import { CHECK_CONFIG } from "./cli/check-config.ts";
import { DOMAIN_VERBS } from "./cli/domain.ts";
import { explained } from "./cli/faults.ts";
import { helpFor } from "./cli/help.ts";
import { KEY_VERBS } from "./cli/key.ts";
import type { Values } from "./cli/options.ts";
import { MIGRATE } from "./cli/migrate.ts";
import { MIGRATE_STORE } from "./cli/migrate-store.ts";
import { SERVE } from "./cli/serve.ts";
import type { Call, Io, Verb } from "./cli/verb.ts";
import { VERSION } from "./cli/version.ts";
import { WORKSPACE_VERBS } from "./cli/workspace.ts";
import { loadConfig } from "./config.ts";

const VERBS: readonly Verb[] = [
  SERVE,
  ...WORKSPACE_VERBS,
  ...KEY_VERBS,
  ...DOMAIN_VERBS,
  MIGRATE,
  MIGRATE_STORE,
  CHECK_CONFIG,
  VERSION,
];

/** Answers the exit code: 0 = done, 1 = it did not succeed, 2 = what was asked or configured makes no sense. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  try {
    const wish = readArguments(argv, VERBS);
    if (wish.kind === "run") return await wish.verb.run(callOf(wish.argument, wish.values, io));
    io.out(helpFor(wish.verbs));
    return 0;
  } catch (error) {
    const { text, exitCode } = explained(error);
    io.err(text);
    return exitCode;
  }
}

function callOf(argument: string, values: Values, io: Io): Call {
  const text = (option: string) => values[option] as string | undefined;
  const configOptions = { file: text("config"), dataDir: text("data"), env: io.env };
  return {
    io,
    argument,
    text,
    texts: (option) => (values[option] ?? []) as string[],
    flag: (option) => values[option] === true,
    configOptions,
    config: () => loadConfig(configOptions),
  };
}

/** Output is written before it returns, also into a pipe, so that the exit cuts nothing off. */
const PROCESS: Io = {
  out: (line) => console.log(line),
  err: (line) => console.error(line),
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
 * The first signal asks for an orderly end. Supervisors and people often send a second one, and mail that is cut off may leave
 * twice, so only a signal for which there is no step left ends the process at once.
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

if (import.meta.main) process.exit(await run(process.argv.slice(2), PROCESS));
