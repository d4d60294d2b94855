// Selects the verb for the words of a command line, runs it, and returns an exit code.
import { fstatSync } from "node:fs";
import { constants } from "node:os";
import { leaveTimeZone, loadConfig } from "../../base/config.ts";
import { readArguments, type OptionValues } from "./arguments.ts";
import { explained } from "./faults.ts";
import { helpFor } from "./help.ts";
import type { VerbCall, Io, Verb } from "./verb.ts";

/** Answers the exit code: 0 = done, 1 = failed, 2 = the command line, the configuration or the store is wrong. */
export async function runOneOf(verbs: readonly Verb[], argv: readonly string[], io: Io): Promise<number> {
  try {
    const command = readArguments(argv, verbs);
    if (command.kind === "run") return (await command.verb.run(callOf(command, io))) ?? 0;
    io.out(helpFor(command.verbs));
    return 0;
  } catch (error) {
    const { text, exitCode } = explained(error);
    io.err(text);
    return exitCode;
  }
}

type CommandArguments = { readonly argument: string; readonly words: readonly string[]; readonly values: OptionValues };

function callOf({ argument, words, values }: CommandArguments, io: Io): VerbCall {
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

/** console.log has written before it returns, even into a pipe, so the exit does not cut anything off. */
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
 * The first signal requests an orderly end. Supervisors and people often send a second one, and mail that is cut off
 * may leave twice, so only a signal after the last step ends the process immediately.
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

/** Runs the process's own command line, and ends the process. */
export async function endWith(verbs: readonly Verb[]): Promise<never> {
  leaveTimeZone();
  process.exit(await runOneOf(verbs, process.argv.slice(2), PROCESS));
}
