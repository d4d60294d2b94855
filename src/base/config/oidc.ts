// [team.oidc]: a provider of sign-ins (OpenID Connect). Each further one is a table below it with a name, [team.oidc.google], and
// has the same keys.
import type { ConfigKey } from "./key.ts";
import { KEYS, type ConfigValues } from "./keys.ts";
import { BadValue } from "./kinds.ts";
import { checkedTableName, keysOfTable, valuesOfTable, type NamedTables } from "./named-tables.ts";
import { fileKey, type KnownKey } from "./paths.ts";
import type { ConfigRule } from "./relay-rules.ts";

type TomlTable = Readonly<Record<string, unknown>>;
type OidcTable = ConfigValues["team.oidc"];

/** One that people can sign in with. */
export type ProviderSettings = Omit<OidcTable, "issuer" | "clientId" | "label"> & {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** On its button. */
  readonly label: string;
};

const SECTION = "team.oidc";
/** The name of the provider that [team.oidc] itself describes. */
export const DEFAULT_PROVIDER = "default";

const KEYS_OF_ONE = Object.entries<ConfigKey>(KEYS[SECTION]).map(([property, key]) => fileKey(property, key));

const PROVIDER_TABLES: NamedTables = {
  list: SECTION,
  one: "provider",
  most: Infinity,
  groups: { [SECTION]: KEYS[SECTION] },
  keys: KEYS_OF_ONE.join(", "),
  reserved: { [DEFAULT_PROVIDER]: `that is [${SECTION}] itself` },
};

/** The keys of a further provider, as `team.oidc.<name>.<key>`. */
export const keysOfProvider = (name: string): readonly KnownKey[] => keysOfTable(PROVIDER_TABLES, name);

/** The tables of a file with those of `team` beside the others, as `team.oidc`. */
export function withTeam({ team, ...others }: TomlTable): TomlTable {
  if (!isTable(team)) return team === undefined ? others : { ...others, team };
  const inner = Object.entries(team).map(([name, table]) => [`team.${name}`, table]);
  return { ...others, ...Object.fromEntries(inner) };
}

type ProviderTables = {
  /** What is left of the tables of the file. */
  readonly sections: TomlTable;
  readonly names: readonly string[];
  /** By path. */
  readonly values: ReadonlyMap<string, unknown>;
};

/** The further providers. `report` gets each fault, by key. */
export function takeProviders(sections: TomlTable, report: (key: string, fault: string) => void): ProviderTables {
  const own = sections[SECTION];
  if (!isTable(own)) return { sections, names: [], values: new Map() };
  const isNamed = ([name, value]: [string, unknown]): boolean => isTable(value) && !KEYS_OF_ONE.includes(name);
  const named = Object.entries(own)
    .filter(isNamed)
    .filter(([name]) => isFit(name, report)) as [string, TomlTable][];
  const values = named.flatMap(([name, given]) => [...valuesOfTable(PROVIDER_TABLES, { name, given }, report)]);
  const keys = Object.entries(own).filter((entry) => !isNamed(entry));
  const rest = keys.length > 0 ? { [SECTION]: Object.fromEntries(keys) } : {};
  const { [SECTION]: _, ...others } = sections;
  return { sections: { ...others, ...rest }, names: named.map(([name]) => name), values: new Map(values) };
}

function isFit(name: string, report: (key: string, fault: string) => void): boolean {
  try {
    return checkedTableName(PROVIDER_TABLES, name) === name;
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    report(`${SECTION}.${name}`, error.message);
    return false;
  }
}

/** Of [team.oidc]; those of a further provider are asked with its values there. */
export const PROVIDER_RULES: readonly ConfigRule[] = [
  {
    key: "team.oidc.issuer",
    isBroken: ({ [SECTION]: { issuer, ...rest } }) => issuer === null && Object.values(rest).some(isGiven),
    message: "must be set: the address of the provider, as it names itself",
  },
  {
    key: "team.oidc.client_id",
    isBroken: ({ [SECTION]: { issuer, clientId } }) => issuer !== null && clientId === null,
    message: "must be set when team.oidc.issuer is",
  },
];

/** Something that is no default: a text, a list with entries, a flag that is on. */
function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null && value !== false && value !== DEFAULT_CLAIM;
}
const DEFAULT_CLAIM = KEYS[SECTION].groupsClaim.fallback;

type ProviderFault = { readonly key: string; readonly message: string };

/** `further`: by name. The rules of [team.oidc], applied to each; and no two may be the same. */
export function faultsOfProviders(
  settings: ConfigValues,
  further: readonly (readonly [name: string, values: OidcTable])[],
): readonly ProviderFault[] {
  const seen = new Set([settings[SECTION].issuer]);
  return further.flatMap(([name, values]): ProviderFault[] => {
    const { issuer } = values;
    const as = { ...settings, [SECTION]: values };
    const place = `${SECTION}.${name}`;
    if (issuer === null) return [{ key: `${place}.issuer`, message: "must be set: the address of the provider" }];
    if (seen.has(issuer))
      return [{ key: `${place}.issuer`, message: "must be another one than that of a provider before" }];
    seen.add(issuer);
    const broken = PROVIDER_RULES.filter(({ isBroken }) => isBroken(as));
    return broken.map(({ key, message }) => ({
      key: key.replace(SECTION, place),
      message: message.replace(SECTION, place),
    }));
  });
}

/** Those that are set up, that of [team.oidc] first. */
export function providersOf(
  settings: ConfigValues,
  further: readonly (readonly [name: string, values: OidcTable])[],
): readonly ProviderSettings[] {
  return [[DEFAULT_PROVIDER, settings[SECTION]] as const, ...further].flatMap(([name, { label, ...values }]) => {
    const { issuer, clientId } = values;
    if (issuer === null || clientId === null) return [];
    return [{ ...values, name, issuer, clientId, label: label ?? new URL(issuer).hostname }];
  });
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
