// Every setting with its value, and where it is set: for owners, so without secrets.
import type { Config } from "../config.ts";
import { environmentName, fileVariant, knownKeys, type KnownKey } from "./paths.ts";
import type { ConfigSource } from "./sources.ts";
import { keysOfWay } from "./ways.ts";

export const SETTING_SOURCES = ["COMMAND_LINE", "ENVIRONMENT", "FILE", "DEFAULT"] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** `place`: the argument, the variable or the file. */
export type SettingOrigin = { readonly source: SettingSource; readonly place: string | null };
/** By path, of what is set; a secret may be set as `<path>_file`. */
export type SettingOrigins = ReadonlyMap<string, SettingOrigin>;

export type SettingValue = string | number | boolean | readonly (string | number)[] | null;
export type Setting = SettingOrigin & {
  /** As in the file. */
  readonly key: string;
  /** Null = unset, or not shown. */
  readonly value: SettingValue;
  readonly isSecret: boolean;
};

/** Slack and others put a secret into the address that is called. */
const NOT_SHOWN: readonly string[] = ["alerts.webhook"];
const UNSET: SettingOrigin = { source: "DEFAULT", place: null };

/** The weakest source first: a stronger one takes its place. */
export function originsOf(
  file: { readonly path: string; readonly values: ConfigSource["values"] } | null,
  variables: Iterable<string>,
  commandLine: Iterable<string>,
): SettingOrigins {
  return new Map<string, SettingOrigin>([
    ...[...(file?.values.keys() ?? [])].map((path) => [path, { source: "FILE", place: file?.path ?? null }] as const),
    ...[...variables].map((path) => [path, { source: "ENVIRONMENT", place: environmentName(path) }] as const),
    ...[...commandLine].map((path) => [path, { source: "COMMAND_LINE", place: "--data" }] as const),
  ]);
}

/** In the order of the table, then those of each way. */
export function settingsOf(config: Config, origins: SettingOrigins): readonly Setting[] {
  const sections = config as unknown as Readonly<Record<string, Readonly<Record<string, SettingValue>>>>;
  const ofWays = config.ways.flatMap((way) => {
    const { relay, ses, ...own } = way;
    const groups: Readonly<Record<string, object>> = { own, relay, ses };
    return keysOfWay(way.name).map((known) =>
      setting(known, (groups[known.section] as Record<string, SettingValue>)[known.property], origins),
    );
  });
  return [...knownKeys().map((known) => setting(known, sections[known.section]?.[known.property], origins)), ...ofWays];
}

function setting({ path, key }: KnownKey, value: SettingValue = null, origins: SettingOrigins): Setting {
  const isSecret = key.secret || NOT_SHOWN.includes(path);
  const { source, place } = origins.get(path) ?? origins.get(fileVariant(path)) ?? UNSET;
  return { key: path, value: isSecret ? null : value, isSecret, source, place };
}
