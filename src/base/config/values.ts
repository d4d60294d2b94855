// The values of keys: of each, that of the strongest source which sets it, checked.
import { readSecret } from "./file.ts";
import type { ConfigValues } from "./keys.ts";
import { BadValue, inContext, text } from "./kinds.ts";
import { keysOfTable, type NamedTables } from "./named-tables.ts";
import { fileVariant, knownKeys, type KnownKey } from "./paths.ts";
import type { ConfigReport, ConfigSource, TableNames } from "./sources.ts";

/** `sources`: the strongest first. A refused value is reported, and its key keeps the default. */
export type GivenValues = { readonly sources: readonly ConfigSource[]; readonly report: ConfigReport };

export function settingsFrom(given: GivenValues): ConfigValues {
  // Every key of the table was visited, and its kind has checked the type.
  return groupsFrom(knownKeys(), given) as unknown as ConfigValues;
}

/** The settings of the tables of one kind, in the form `One` of it. */
export function tablesFrom<One>(kind: NamedTables, names: TableNames, given: GivenValues): readonly One[] {
  return (names.get(kind) ?? []).map((name) => {
    const { own, ...groups } = groupsFrom(keysOfTable(kind, name), given);
    return { name, ...own, ...groups } as One;
  });
}

type Groups = Record<string, Record<string, unknown>>;

/** By the sections of the keys. */
function groupsFrom(keys: readonly KnownKey[], given: GivenValues): Groups {
  const groups: Groups = {};
  for (const known of keys) {
    const group = (groups[known.section] ??= {});
    group[known.property] = configValue(known, given);
  }
  return groups;
}

function configValue(known: KnownKey, { sources, report }: GivenValues): unknown {
  const { path, key } = known;
  const isSet = ({ values }: ConfigSource): boolean =>
    values.has(path) || (key.secret && values.has(fileVariant(path)));
  const source = sources.find(isSet);
  if (!source) return key.fallback;
  const given = source.values.has(path) ? path : fileVariant(path);
  try {
    return valueOf(known, source.values);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    report(given, `${error.message} ${source.place(given)}`);
    return key.fallback;
  }
}

function valueOf({ path, key }: KnownKey, values: ReadonlyMap<string, unknown>): unknown {
  const inFile = fileVariant(path);
  if (!key.secret || !values.has(inFile)) return key.kind.check(values.get(path));
  if (values.has(path)) throw new BadValue(`is set twice, also as ${inFile}; keep one of the two`);
  const content = readSecret(text().check(values.get(inFile)));
  return inContext("names a file whose text", () => key.kind.check(content));
}
