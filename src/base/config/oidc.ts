// [team.oidc]: a provider of sign-ins (OpenID Connect). Each further one is a table below it with a name,
// [team.oidc.google], and has the same keys.
import type { ConfigKey } from "./key.ts";
import { KEYS, type ConfigValues } from "./keys.ts";
import type { GivenTable, NamedTables, TomlTable } from "./named-tables.ts";
import { fileKey } from "./paths.ts";
import type { ConfigRule } from "./relay-rules.ts";

type OidcTable = ConfigValues["team.oidc"];

/** A provider that people can sign in with. */
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

/** The further ones in the file. */
export const PROVIDER_TABLES: NamedTables = {
  list: SECTION,
  one: "provider",
  most: Infinity,
  groups: { own: KEYS[SECTION] },
  keys: KEYS_OF_ONE.join(", "),
  reserved: { [DEFAULT_PROVIDER]: `that is [${SECTION}] itself` },
};

/** Splits `team` of the file into its sections and the tables of further providers. */
export function teamTables(team: unknown): {
  readonly sections: TomlTable;
  readonly providers: readonly GivenTable[];
} {
  if (!isTable(team)) return { sections: { team }, providers: [] };
  const { oidc = {}, ...others } = team;
  const entries = isTable(oidc) ? Object.entries(oidc) : [];
  const own = isTable(oidc) ? Object.fromEntries(entries.filter((entry) => !isProvider(entry))) : oidc;
  const sections = Object.entries({ ...others, oidc: own }).map(([name, section]) => [`team.${name}`, section]);
  const providers = entries.filter(isProvider).map(([name, keys]) => ({ name, place: `${SECTION}.${name}`, keys }));
  return { sections: Object.fromEntries(sections), providers };
}

function isProvider(entry: [name: string, value: unknown]): entry is [string, TomlTable] {
  const [name, value] = entry;
  return isTable(value) && !KEYS_OF_ONE.includes(name);
}

function isTable(value: unknown): value is TomlTable {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Rules of [team.oidc]; a further provider is checked with its own values. */
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

/** A table below [team.oidc]. */
export type FurtherProvider = OidcTable & { readonly name: string };

/** The rules of [team.oidc], applied to each further provider; and no two may be the same. */
export function faultsOfProviders(
  settings: ConfigValues,
  further: readonly FurtherProvider[],
): readonly ProviderFault[] {
  const seen = new Set([settings[SECTION].issuer]);
  return further.flatMap(({ name, ...values }): ProviderFault[] => {
    const { issuer } = values;
    const place = `${SECTION}.${name}`;
    if (issuer === null) return [{ key: `${place}.issuer`, message: "must be set: the address of the provider" }];
    if (seen.has(issuer))
      return [{ key: `${place}.issuer`, message: "must be another one than that of a provider before" }];
    seen.add(issuer);
    const broken = PROVIDER_RULES.filter(({ isBroken }) => isBroken({ ...settings, [SECTION]: values }));
    return broken.map(({ key, message }) => ({
      key: key.replace(SECTION, place),
      message: message.replace(SECTION, place),
    }));
  });
}

/** The providers that are configured, [team.oidc] first. */
export function providersOf(settings: ConfigValues, further: readonly FurtherProvider[]): readonly ProviderSettings[] {
  return [{ ...settings[SECTION], name: DEFAULT_PROVIDER }, ...further].flatMap(
    ({ issuer, clientId, label, ...one }) => {
      if (issuer === null || clientId === null) return [];
      return [{ ...one, issuer, clientId, label: label ?? new URL(issuer).hostname }];
    },
  );
}
