// The settings of a way that owners have added: the keys of [[ways]] under the names of the API, checked as in the
// configuration. Secrets are kept separately, encrypted.
import type { Config } from "../../base/config.ts";
import { BadValue } from "../../base/config/kinds.ts";
import { faultsOfWay, keysOfWay, wayName, type WaySettings } from "../../base/config/ways.ts";
import { invalidField, refuse, type FieldError } from "../../base/errors.ts";
import type { Secrets } from "../../base/secrets.ts";

/** By the name of the setting; a missing setting has its default. */
export type SettingValues = Readonly<Record<string, unknown>>;
export type WaySettingsRow = { readonly settings: SettingValues; readonly secrets: string | null };

/** Only the operator may name files of the server. */
const NOT_HERE: readonly string[] = ["caFile"];
const KEYS = keysOfWay("").filter(({ property }) => !NOT_HERE.includes(property));
const SECRET: readonly string[] = KEYS.filter(({ key }) => key.secret).map(({ property }) => property);

/** The setting that the configuration calls `name`, with the value in `text`; null = there is no such setting. */
export function fromText(name: string, text: string): { readonly field: string; readonly value: unknown } | null {
  const known = KEYS.find(({ path }) => path.endsWith(`.${name}`));
  return known ? { field: known.property, value: known.key.kind.fromText(text) } : null;
}

export function isSecret(field: string): boolean {
  return SECRET.includes(field);
}

/** @throws AppError VALIDATION_ERROR */
export function checkedName(name: string): string {
  try {
    return wayName(name);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    throw invalidField("name", `The name ${error.message}.`, "way_name");
  }
}

/** Settings that require another one. */
const NEEDED: Readonly<Record<string, string>> = {
  host: "A relay needs a host.",
  user: "A login needs a user.",
  password: "A user needs a password.",
  provider: "Name the provider whose reports are taken.",
  providerKey: "The reports of this provider need its signing key.",
  clientId: "OAuth 2.0 needs a client ID.",
  region: "Amazon SES needs a region.",
  accessKeyId: "A secret access key needs an access key ID.",
  secretAccessKey: "An access key ID needs a secret access key.",
};

/** The way that `given` describes. @throws AppError VALIDATION_ERROR with all faults */
export function checkedWay(config: Config, name: string, given: SettingValues): WaySettings {
  const faults: FieldError[] = [];
  const add = (field: string, message: string) =>
    faults.push({ field, message: `This ${message}.`, code: "bad_setting" });
  const way = wayOf(name, given, add);
  refuse(faults);
  for (const { key, message } of faultsOfWay(config, way)) {
    const field = fieldOf(name, key);
    const needed = message.startsWith("must be set") ? NEEDED[field] : undefined;
    if (needed === undefined) add(field, message);
    else faults.push({ field, message: needed, code: "needed" });
  }
  refuse(faults);
  return way;
}

/** The way with these settings. `report`: a setting cannot be used, and its default replaces it. */
export function wayOf(
  name: string,
  given: SettingValues,
  report: (field: string, message: string) => void,
): WaySettings {
  const groups: Record<string, Record<string, unknown>> = {};
  for (const { section, property, key } of keysOfWay(name)) {
    const value = NOT_HERE.includes(property) ? null : (given[property] ?? null);
    const group = (groups[section] ??= {});
    group[property] = key.fallback;
    try {
      if (value !== null) group[property] = key.kind.check(value);
    } catch (error) {
      if (!(error instanceof BadValue)) throw error;
      report(property, error.message);
    }
  }
  const { own, relay, ses } = groups;
  // Every key was visited, and its kind has checked the type.
  return { name, ...own, relay, ses } as unknown as WaySettings;
}

function fieldOf(name: string, path: string): string {
  return keysOfWay(name).find((key) => key.path === path)?.property ?? path;
}

/** The settings in the form of the store. */
export function keptOf(secrets: Secrets, given: SettingValues): WaySettingsRow {
  const set = Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
  const secret = set.filter(([field]) => SECRET.includes(field));
  const open = set.filter(([field]) => !SECRET.includes(field));
  const encrypted = secret.length === 0 ? null : secrets.encrypt(JSON.stringify(Object.fromEntries(secret)));
  return { settings: Object.fromEntries(open), secrets: encrypted };
}

/** @throws UnreadableError if its secrets were encrypted with another key */
export function givenOf(secrets: Secrets, { settings, secrets: encrypted }: WaySettingsRow): SettingValues {
  if (encrypted === null) return settings;
  return { ...settings, ...(JSON.parse(secrets.decrypt(encrypted)) as SettingValues) };
}

/** `given` after a change: null removes a setting. */
export function changed(given: SettingValues, change: SettingValues): SettingValues {
  return { ...given, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) };
}
