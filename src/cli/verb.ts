// What a verb of the command line is: what it takes, what it does, what it works with.
import type { Config, ConfigOptions } from "../config.ts";
import type { Environment } from "../config/sources.ts";

/** The process around a verb, so that tests can stand in for it. */
export interface Io {
  out(line: string): void;
  err(line: string): void;
  /** Shows a line in place of the one shown before, "" for none; with a line end it stays. Only on a terminal. */
  readonly show?: (line: string) => void;
  /** Answers at the first signal to end, and calls `again` at the second; from the call on, only a third ends the process at once. */
  untilStopped(again: () => void): Promise<void>;
  /** From the call on, SIGHUP does that and does not end the process. */
  onHangUp(reload: () => void): void;
  /** The file that `out` writes to, as `device:inode`. */
  readonly outPlace?: string;
  /** For the configuration; the environment of the process unless given. */
  readonly env?: Environment;
}

export type Option = {
  /** What stands for its value in the help; an option without it takes none. */
  readonly value?: string;
  readonly several?: true;
  readonly needed?: true;
  readonly help: string;
};
export type Options = Readonly<Record<string, Option>>;

export type Verb = {
  /** One word, or two: those that begin alike are a family. */
  readonly name: string;
  /** What stands for its argument in the help; a verb without it takes none. */
  readonly argument?: string;
  readonly summary: string;
  /** What its help says besides, line by line. */
  readonly notes?: readonly string[];
  readonly options?: Options;
  /** Answers the exit code. */
  readonly run: (call: Call) => Promise<number>;
};

/** One use of a verb. */
export interface Call {
  readonly io: Io;
  /** "" where the verb takes none. */
  readonly argument: string;
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
  flag(option: string): boolean;
  readonly configOptions: ConfigOptions;
  /** Read when it is asked for. @throws ConfigError */
  config(): Config;
}

export const JSON_OPTION: Options = { json: { help: "Print JSON, for programs" } };

/** What every verb takes. */
export const COMMON_OPTIONS: Options = {
  config: { value: "FILE", help: "The configuration (else POSTHORN_CONFIG, else ./config.toml if there is one)" },
  data: { value: "DIR", help: "The data directory, whatever the configuration says" },
  help: { help: "Show this" },
};
