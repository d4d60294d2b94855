// A verb of the command line: its options and its surroundings.
import type { Config, ConfigOptions } from "../../base/config.ts";
import type { Environment } from "../../base/config/sources.ts";

/** The process around a verb; tests replace it. */
export interface Io {
  out(line: string): void;
  err(line: string): void;
  /** Replaces the line shown before, "" removes it; a line that ends in a line feed stays. Only on a terminal. */
  readonly show?: (line: string) => void;
  /** Shows the question and answers the line that was typed, "" at the end of the input. */
  ask(question: string): Promise<string>;
  /**
   * Resolves at the first signal to end, and calls `again` at the second; after this call, only a third one ends the
   * process immediately.
   */
  untilStopped(again: () => void): Promise<void>;
  /** After this call, SIGHUP calls `reload` and no longer ends the process. */
  onHangUp(reload: () => void): void;
  /** The file behind `out`, as `device:inode`. */
  readonly outPlace?: string;
  /** The whole standard input. */
  input?(): Promise<Uint8Array>;
  /** Waits, of a verb that a server asks to. */
  readonly pause?: (ms: number) => Promise<unknown>;
  /** For the configuration; the environment of the process unless given. */
  readonly env?: Environment;
}

export type Option = {
  /** Its value as the help shows it; an option without one is a flag. */
  readonly value?: string;
  readonly several?: true;
  readonly needed?: true;
  readonly help: string;
};
export type VerbOptions = Readonly<Record<string, Option>>;

export type Verb = {
  /** One word, or two: verbs with the same first word are a family. */
  readonly name: string;
  /** Its argument as the help shows it, in brackets if it may be left out; a verb without one takes none. */
  readonly argument?: string;
  readonly summary: string;
  /** More lines of its help. */
  readonly notes?: readonly string[];
  readonly options?: VerbOptions;
  /** Calls a server by its API, so it needs neither configuration nor data directory. */
  readonly isRemote?: true;
  /** Reads its words itself, because another program has defined their meaning. */
  readonly ownWords?: true;
  /** Answers the exit code; undefined means 0. */
  readonly run: (call: VerbCall) => Promise<number | void>;
};

/** One use of a verb. */
export interface VerbCall {
  readonly io: Io;
  /** "" = none. */
  readonly argument: string;
  /** All words after the verb. */
  readonly words: readonly string[];
  text(option: string): string | undefined;
  texts(option: string): readonly string[];
  flag(option: string): boolean;
  readonly configOptions: ConfigOptions;
  /** Reads the configuration. @throws ConfigError */
  config(): Config;
}

export const JSON_OPTION: VerbOptions = { json: { help: "Print JSON, for programs" } };

/** The options of every verb that works on an installation. */
export const COMMON_OPTIONS: VerbOptions = {
  config: { value: "FILE", help: "The configuration file (default: POSTHORN_CONFIG, or ./config.toml if it exists)" },
  data: { value: "DIR", help: "The data directory; overrides the configuration" },
  help: { help: "Show this help" },
};

export function optionsOf({ options, isRemote }: Verb): VerbOptions {
  const { config, data, help } = COMMON_OPTIONS as Record<"config" | "data" | "help", Option>;
  return isRemote ? { ...options, help } : { ...options, config, data, help };
}
