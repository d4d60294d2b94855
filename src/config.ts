// The configuration: TOML file, environment and command line, checked as a whole, as one frozen value.
import { existsSync } from "node:fs";
import { isIPv6 } from "node:net";
import { environmentName, type Settings } from "./config/keys.ts";
import { CAUTIONS, RULES } from "./config/rules.ts";
import { settingsFrom } from "./config/settle.ts";
import {
  commandLineSource,
  environmentSource,
  fileSource,
  type Environment,
  type Report,
  type Source,
} from "./config/sources.ts";

/** A value for every key of the table in config/keys.ts; null where a key is unset and has no default. */
export type Config = Settings & {
  /** Scheme, host and port, no slash at the end; of `http.host` and `http.port` when it is unset. */
  readonly http: { readonly baseUrl: string };
};

export type Problem = { readonly key: string; readonly message: string };

/** Everything that is wrong with the configuration. No message shows a secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(readonly problems: readonly Problem[]) {
    const count = problems.length === 1 ? "1 fault" : `${problems.length} faults`;
    super([`${count} in the configuration:`, ...problems.map(({ key, message }) => `  ${key}: ${message}`)].join("\n"));
  }
}

export type ConfigOptions = {
  readonly file?: string | undefined;
  readonly dataDir?: string | undefined;
  readonly env?: Environment | undefined;
};

const STANDARD_FILE = "config.toml";
const NO_FILE: Source = { values: new Map(), place: () => "" };

/** The configuration of an empty file. */
export const DEFAULTS: Config = complete(settingsFrom([], () => undefined));

/**
 * Reads and checks the configuration (interface-gaps.md §10). The command line wins over the environment, and that over the
 * file. `file` is a path; without it POSTHORN_CONFIG, else config.toml in the working directory if there is one. `dataDir` is
 * the argument of `--data`. `env` is the environment of the process unless given. Throws ConfigError with every fault at once.
 */
export function loadConfig(options: ConfigOptions): Config {
  const env = options.env ?? process.env;
  const problems: Problem[] = [];
  const report: Report = (key, message) => void problems.push({ key, message });
  const path = fileNamed(options, env);
  const file = path === null ? NO_FILE : fileSource(path, report);
  const sources = [commandLineSource(options.dataDir), environmentSource(env, report), file ?? NO_FILE];
  const settings = settingsFrom(sources, report);
  // What an unreadable file would have set is not known, so nothing can be said to be missing.
  if (file) problems.push(...brokenRules(settings, problems));
  if (problems.length > 0) throw new ConfigError(problems);
  return complete(settings);
}

/** What an operator should change, though Posthorn runs without: a line each. */
export function cautionsOf(config: Config): readonly string[] {
  return CAUTIONS.filter((caution) => caution.isBroken(config)).map(({ key, message }) => `${key} ${message}`);
}

/** Where `loadConfig` looks: the file, null if there is none, and the variables of the environment that set something. */
export function configOrigin(options: ConfigOptions): {
  readonly file: string | null;
  readonly variables: readonly string[];
} {
  const env = options.env ?? process.env;
  const { values } = environmentSource(env, () => undefined);
  return { file: fileNamed(options, env), variables: [...values.keys()].map(environmentName) };
}

/** Whether a file, as `device:inode`, is the connection to the journal that systemd has named (systemd.exec(5)). */
export function isJournal(place: string | undefined, env: Environment = process.env): boolean {
  return place !== undefined && env["JOURNAL_STREAM"] === place;
}

function fileNamed({ file }: ConfigOptions, env: Environment): string | null {
  return file ?? env["POSTHORN_CONFIG"] ?? (existsSync(STANDARD_FILE) ? STANDARD_FILE : null);
}

/** Rules about keys that were not refused already: one mistake is told once. */
function brokenRules(settings: Settings, known: readonly Problem[]): readonly Problem[] {
  const isTold = (key: string): boolean => known.some((problem) => [key, `${key}_file`].includes(problem.key));
  return RULES.filter((rule) => !isTold(rule.key) && rule.isBroken(settings)).map(({ key, message }) => ({
    key,
    message,
  }));
}

function complete(settings: Settings): Config {
  const baseUrl = settings.http.baseUrl ?? ownAddress(settings.http);
  return frozen({ ...settings, http: { ...settings.http, baseUrl } });
}

/** The unspecified address can be listened on but not opened in every browser, so its links go to loopback. */
export function ownAddress({ host, port }: { readonly host: string; readonly port: number }): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return new URL(`http://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`).origin;
}

/** What we call ourselves to other servers, and in a certificate of our own. */
export function ownName({ smtp, http }: Config): string {
  return smtp.hostname ?? new URL(http.baseUrl).hostname.replace(/^\[|\]$/g, "");
}

function frozen<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === "object" && inner !== null) frozen(inner);
  return Object.freeze(value);
}
