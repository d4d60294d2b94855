// The configuration: file, environment and command line, checked as a whole, as one frozen value.
import { existsSync } from "node:fs";
import { isIPv6 } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";
import { environmentName, type KnownKey } from "./config/paths.ts";
import type { ConfigValues } from "./config/keys.ts";
import { faultsOfMailbox, MAILBOX_TABLES, type MailboxSettings } from "./config/mailboxes.ts";
import {
  DEFAULT_PROVIDER,
  faultsOfProviders,
  PROVIDER_TABLES,
  providersOf,
  type FurtherProvider,
  type ProviderSettings,
} from "./config/oidc.ts";
import { faultsOfWays, WAY_TABLES, type WaySettings } from "./config/ways.ts";
import { settingsFrom, tablesFrom, type GivenValues } from "./config/values.ts";
import type { ConfigRule } from "./config/relay-rules.ts";
import { CAUTIONS, RULES } from "./config/rules.ts";
import { originsOf, type SettingOrigins } from "./config/settings.ts";
import {
  commandLineSource,
  environmentSource,
  fileSource,
  NO_FILE,
  REMOTE_VARIABLES,
  type Environment,
  type ConfigReport,
} from "./config/sources.ts";

/** A value for every key of the table in config/keys.ts; null = unset, without a default. */
export type Config = ConfigValues & {
  /** The ways besides that of [delivery], in the order in which they follow it. */
  readonly ways: readonly WaySettings[];
  /** The providers of sign-ins, that of [team.oidc] first. */
  readonly oidc: readonly ProviderSettings[];
  /** The mailboxes to which relays return mail. */
  readonly bounceMailboxes: readonly MailboxSettings[];
  /** Scheme, host and port without a slash at the end; if unset, of `http.host` and `http.port`. */
  readonly http: { readonly baseUrl: string };
};

export type ConfigProblem = { readonly key: string; readonly message: string };

/** All faults of the configuration. No message shows a secret. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(readonly problems: readonly ConfigProblem[]) {
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

/** The configuration of an empty file. */
export const DEFAULTS: Config = complete(settingsFrom({ sources: [], report: () => undefined }), {
  ways: [],
  providers: [],
  bounceMailboxes: [],
});

/**
 * Reads and checks the configuration. The command line wins over the environment, and the environment over the file.
 * `file` is a path; default: POSTHORN_CONFIG, or config.toml in the working directory if it exists. `dataDir` is the
 * argument of `--data`. `env` defaults to the environment of the process. @throws ConfigError with all faults together
 */
export function loadConfig(options: ConfigOptions): Config {
  const env = options.env ?? process.env;
  const problems: ConfigProblem[] = [];
  const report: ConfigReport = (key, message) => void problems.push({ key, message });
  const path = fileNamed(options, env);
  const file = path === null ? NO_FILE : fileSource(path, report);
  const { names } = file ?? NO_FILE;
  const sources = [commandLineSource(options.dataDir), environmentSource(env, report, names), file ?? NO_FILE];
  const given: GivenValues = { sources, report };
  const settings = settingsFrom(given);
  const ways: readonly WaySettings[] = tablesFrom(WAY_TABLES, names, given);
  const providers: readonly FurtherProvider[] = tablesFrom(PROVIDER_TABLES, names, given);
  const bounceMailboxes: readonly MailboxSettings[] = tablesFrom(MAILBOX_TABLES, names, given);
  const broken = brokenRules(settings, { ways, providers, bounceMailboxes });
  // An unreadable file may have set any key, so none counts as missing.
  if (file) problems.push(...unreported(broken, problems));
  if (problems.length > 0) throw new ConfigError(problems);
  return complete(settings, { ways, providers, bounceMailboxes });
}

/** The configuration with other values for these keys; nothing is checked. */
export function withValues(config: Config, values: ReadonlyMap<KnownKey, unknown>): Config {
  const changed: Record<string, object> = {};
  for (const [{ section, property }, value] of values) {
    changed[section] = { ...(changed[section] ?? config[section as keyof ConfigValues]), [property]: value };
  }
  // The kind of each key has checked its value.
  return complete({ ...config, ...changed } as ConfigValues, { ...config, providers: furtherIn(config) });
}

/** The faults of a whole configuration whose values are each right by themselves. */
export function faultsOf(config: Config): readonly ConfigProblem[] {
  return brokenRules(config, { ...config, providers: furtherIn(config) }).map(({ key, message }) => ({ key, message }));
}

function furtherIn({ oidc }: Config): readonly FurtherProvider[] {
  return oidc.filter(({ name }) => name !== DEFAULT_PROVIDER);
}

function brokenRules(settings: ConfigValues, { ways, providers, bounceMailboxes }: TablesByName): readonly Broken[] {
  return [
    ...RULES.filter(({ isBroken }) => isBroken(settings)),
    ...faultsOfWays(settings, ways),
    ...faultsOfProviders(settings, providers),
    ...bounceMailboxes.flatMap((one) => faultsOfMailbox(settings, one)),
  ];
}

/** Advice to the operator about a configuration that works: a line each. */
export function cautionsOf(config: Config): readonly string[] {
  return CAUTIONS.filter((caution) => caution.isBroken(config)).map(({ key, message }) => `${key} ${message}`);
}

/**
 * The sources that `loadConfig` reads: the file (null = none), the variables of the environment that set
 * something, the keys that any of them sets, and which one does.
 */
export function configOrigin(options: ConfigOptions): {
  readonly file: string | null;
  readonly variables: readonly string[];
  readonly keys: readonly string[];
  readonly origins: SettingOrigins;
} {
  const env = options.env ?? process.env;
  const file = fileNamed(options, env);
  const inFile = file === null ? null : fileSource(file, () => undefined);
  const { values } = environmentSource(env, () => undefined, (inFile ?? NO_FILE).names);
  const keys = new Set([...(inFile?.values.keys() ?? []), ...values.keys()]);
  const read = file !== null && inFile ? { path: file, values: inFile.values } : null;
  const origins = originsOf(read, values.keys(), commandLineSource(options.dataDir).values.keys());
  return { file, variables: [...values.keys()].map(environmentName), keys: [...keys].toSorted(), origins };
}

/** Whether a file, as `device:inode`, is the connection to the systemd journal (systemd.exec(5)). */
export function isJournal(place: string | undefined, env: Environment = process.env): boolean {
  return place !== undefined && env["JOURNAL_STREAM"] === place;
}

/** Where systemd listens (sd_notify(3)), and how often it wants to hear from us; null = it does not listen. */
export function supervisorIn(env: Environment = process.env): { socket: string | null; watchdogMs: number | null } {
  const microseconds = Number(env["WATCHDOG_USEC"]);
  return { socket: env["NOTIFY_SOCKET"] || null, watchdogMs: microseconds > 0 ? microseconds / 1000 : null };
}

/**
 * Makes the process, and threads that begin later, independent of the machine's own zone: code that works with times
 * names a zone, or means UTC.
 */
export function leaveTimeZone(): void {
  process.env["TZ"] = "UTC";
}

/** The environment variables for the verbs that call a server by its API; an empty variable counts as unset. */
export function remoteFrom(env: Environment = process.env): Partial<Record<keyof typeof REMOTE_VARIABLES, string>> {
  const found = Object.entries(REMOTE_VARIABLES).map(([name, variable]) => [name, env[variable]]);
  return Object.fromEntries(found.filter(([, value]) => value));
}

/** A variable that files of email as code name; undefined = it is not set. */
export function variableIn(name: string, env: Environment = process.env): string | undefined {
  return env[name];
}

/** The folder of the user's own state (XDG Base Directory Specification). */
export function stateFolder(env: Environment = process.env): string {
  return env["XDG_STATE_HOME"] || join(env["HOME"] || homedir(), ".local/state");
}

/** The environment with these variables added where it does not set them; null = it sets all of them. */
export function environmentWith(variables: Environment, env: Environment = process.env): NodeJS.ProcessEnv | null {
  return Object.keys(variables).every((name) => env[name] !== undefined) ? null : { ...variables, ...env };
}

function fileNamed({ file }: ConfigOptions, env: Environment): string | null {
  return file ?? env["POSTHORN_CONFIG"] ?? (existsSync(STANDARD_FILE) ? STANDARD_FILE : null);
}

type Broken = ConfigProblem & Pick<ConfigRule, "instead">;

/** The problems of keys that were not refused already: each mistake is reported once. */
function unreported(broken: readonly Broken[], known: readonly ConfigProblem[]): readonly ConfigProblem[] {
  const isReported = (key: string): boolean => known.some((problem) => [key, `${key}_file`].includes(problem.key));
  return broken.flatMap(({ key, message, instead = [] }) =>
    [key, ...instead].some(isReported) ? [] : [{ key, message }],
  );
}

type TablesByName = Pick<Config, "ways" | "bounceMailboxes"> & { readonly providers: readonly FurtherProvider[] };

function complete(settings: ConfigValues, { ways, bounceMailboxes, providers }: TablesByName): Config {
  const baseUrl = settings.http.baseUrl ?? ownAddress(settings.http);
  return frozen({
    ...settings,
    ways,
    bounceMailboxes,
    oidc: providersOf(settings, providers),
    http: { ...settings.http, baseUrl },
  });
}

type ListenConfig = Pick<ConfigValues["http"], "host" | "port" | "certFile" | "tls">;

/** Not every browser can open the unspecified address, so links go to loopback instead. */
export function ownAddress(http: ListenConfig): string {
  const { host, port } = http;
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return new URL(`${speaksTls(http) ? "https" : "http"}://${isIPv6(reachable) ? `[${reachable}]` : reachable}:${port}`)
    .origin;
}

/** Whether our own port speaks HTTPS. */
export function speaksTls({ certFile, tls }: Pick<ListenConfig, "certFile" | "tls">): boolean {
  return certFile !== null || tls !== null;
}

/** Our name to other servers, and in our own certificate. */
export function ownName({ smtp, http }: Config): string {
  return smtp.hostname ?? new URL(http.baseUrl).hostname.replace(/^\[|\]$/g, "");
}

/** The names that serve another service's API alone. */
export function compatHosts({ compat }: Pick<ConfigValues, "compat">): readonly string[] {
  return Object.values(compat).filter((name) => name !== null);
}

function frozen<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === "object" && inner !== null) frozen(inner);
  return Object.freeze(value);
}
