// What `serve` says besides the log: plain lines for people, lines of the log where that is JSON.
import { MINUTE_MS, systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { SparseWarnings } from "../jobs/sparse-warnings.ts";
import { createLog, type Log } from "../log.ts";
import { explained } from "./faults.ts";
import type { Io } from "./verb.ts";

export type Voice = {
  /** `fields`: what programs read; people find it in the line. */
  readonly say: (line: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Answers the exit code for a fault that is told here; null leaves it to whoever tells faults of all verbs. */
  readonly fail: (error: unknown) => number | null;
};

/** What is said at the start and the end is said whatever `log.level` is. */
export function voiceOf({ log }: Config, io: Io): Voice {
  if (log.format === "text") return { say: (line) => io.out(line), fail: () => null };
  const lines = { level: "info", format: "json", clock: systemClock } as const;
  return {
    say: createLog({ ...lines, write: io.out }).info,
    fail: (error) => {
      const { text, exitCode } = explained(error);
      createLog({ ...lines, write: io.err }).error(text);
      return exitCode;
    },
  };
}

/** For `console.warn`: Bun's client of PostgreSQL writes there each time that it cannot connect again. */
export function warningsInto(log: Log): typeof console.warn {
  const warnings = new SparseWarnings(log, systemClock, MINUTE_MS);
  return (...words: readonly unknown[]) => warnings.warn(words.join(" "));
}
