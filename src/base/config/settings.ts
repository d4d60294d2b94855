// Every setting with its value, and where it is set: for owners, so without secrets.
import type { KeyChange } from "./key.ts";
import type { ConfigValues } from "./keys.ts";
import type { ValueKind } from "./kinds.ts";
import { environmentName, fileVariant, knownKeys, type KnownKey } from "./paths.ts";
import type { ConfigSource } from "./sources.ts";
import { keysOfTable } from "./named-tables.ts";
import { MAILBOX_TABLES, type MailboxSettings } from "./mailboxes.ts";
import { DEFAULT_PROVIDER, PROVIDER_TABLES, type ProviderSettings } from "./oidc.ts";
import { WAY_TABLES, type WaySettings } from "./ways.ts";

/** The strongest first. */
export const SETTING_SOURCES = ["COMMAND_LINE", "ENVIRONMENT", "FILE", "INTERFACE", "DEFAULT"] as const;
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** `place`: the argument, the variable or the file. */
export type SettingOrigin = { readonly source: SettingSource; readonly place: string | null };
/** By path, for keys that are set; a secret may be set as `<path>_file`. */
export type SettingOrigins = ReadonlyMap<string, SettingOrigin>;

export type SettingValue = string | number | boolean | readonly (string | number)[] | null;
export type Setting = SettingOrigin & {
  /** As in the file. */
  readonly key: string;
  /** Null = unset, or not shown. */
  readonly value: SettingValue;
  readonly isSecret: boolean;
  /** The value that counts where none is set. */
  readonly fallback: SettingValue;
  readonly change: KeyChange;
  readonly form: ValueKind<unknown>["form"];
  readonly choices: readonly string[];
};

/** Slack and others put a secret into the address that is called. */
const NOT_SHOWN: readonly string[] = ["alerts.webhook"];
const HIDDEN: ReadonlySet<string> = new Set(
  knownKeys()
    .filter(isHidden)
    .map(({ path }) => path),
);
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

type NamedValues = {
  readonly ways: readonly WaySettings[];
  readonly bounceMailboxes: readonly MailboxSettings[];
  readonly oidc: readonly ProviderSettings[];
};

/** In the order of the table, then those of each way, mailbox and further provider of sign-ins. */
export function settingsOf(config: ConfigValues & NamedValues, origins: SettingOrigins): readonly Setting[] {
  const { ways, bounceMailboxes, oidc } = config;
  const further = oidc.filter(({ name }) => name !== DEFAULT_PROVIDER);
  const tables = [
    [WAY_TABLES, ways] as const,
    [MAILBOX_TABLES, bounceMailboxes] as const,
    [PROVIDER_TABLES, further] as const,
  ];
  const named = tables.flatMap(([kind, those]) => those.map((one) => [keysOfTable(kind, one.name), one] as const));
  return [[knownKeys(), config] as const, ...named].flatMap(([keys, values]) =>
    keys.map((known) => setting(known, valueOf(known, values), origins)),
  );
}

/** `values`: a configuration, or one of a named table, in whose settings the group `own` has no name. */
export function valueOf({ section, property }: KnownKey, values: object): SettingValue {
  const groups = values as Readonly<Record<string, object>>;
  return ((groups[section] ?? values) as Readonly<Record<string, SettingValue>>)[property] ?? null;
}

function setting(known: KnownKey, value: SettingValue, origins: SettingOrigins): Setting {
  const { path, key } = known;
  const isSecret = isHidden(known);
  const { kind, change, fallback } = key;
  return {
    ...{ key: path, value: isSecret ? null : value, isSecret, ...originOf(known, origins) },
    ...{ fallback: fallback as SettingValue, change, form: kind.form, choices: (kind.choices ?? []) as string[] },
  };
}

/** Its value is never shown. */
function isHidden({ path, key }: KnownKey): boolean {
  return key.secret || NOT_SHOWN.includes(path);
}

/** As `isHidden`, by its path. */
export function isHiddenKey(path: string): boolean {
  return HIDDEN.has(path);
}

/** Whether something else than a default counts. */
export function isSet(known: KnownKey, origins: SettingOrigins): boolean {
  return originOf(known, origins).source !== "DEFAULT";
}

/** Where it is set, in words. */
export function placeOf(known: KnownKey, origins: SettingOrigins): string {
  return originOf(known, origins).place ?? "nothing";
}

/** A secret is set by its value or by the name of its file: the stronger source counts. */
function originOf({ path, key }: KnownKey, origins: SettingOrigins): SettingOrigin {
  const set = [path, ...(key.secret ? [fileVariant(path)] : [])].flatMap((one) => origins.get(one) ?? []);
  return SETTING_SOURCES.flatMap((source) => set.filter((one) => one.source === source))[0] ?? UNSET;
}
