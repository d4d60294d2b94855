// Tables of the file that have names, such as [[ways]] and [team.oidc.google]: their keys are `ways.<name>.<key>`.
import type { ConfigKey } from "./key.ts";
import { BadValue, text } from "./kinds.ts";
import { fileKey, settable, type KnownKey } from "./paths.ts";

export type NamedTables = {
  /** As in the file: `ways`. */
  readonly list: string;
  /** One of them, in words. */
  readonly one: string;
  readonly most: number;
  /** `own`: keys that the settings have directly; others are in a group of their own there. */
  readonly groups: Readonly<Record<string, object>>;
  /** The keys, in words. */
  readonly keys: string;
  /** Names that none may have, each with the reason. */
  readonly reserved: Readonly<Record<string, string>>;
};

/** The values of the keys of a group. */
export type TableValues<Keys> = {
  readonly [P in keyof Keys]: Keys[P] extends { readonly fallback: infer T } ? T : never;
};

/** The keys of one table, which is in the file alone. */
export function keysOfTable({ list, groups }: NamedTables, name: string): readonly KnownKey[] {
  return Object.entries(groups).flatMap(([section, keys]) =>
    Object.entries<ConfigKey>(keys as Readonly<Record<string, ConfigKey>>).map(([property, known]) => {
      const path = `${list}.${name}.${fileKey(property, known)}`;
      return { section, property, path, key: { ...known, change: "RESTART" as const } };
    }),
  );
}

/** A table as it is in the file. `place`: what a fault of its name names. */
export type GivenTable = { readonly name: unknown; readonly place: string; readonly keys: TomlTable };
export type TomlTable = Readonly<Record<string, unknown>>;
type TableReport = (key: string, fault: string) => void;

/** The tables of a list: [[ways]]. `report` gets each fault, by key. */
export function tablesInList({ list, most }: NamedTables, tables: unknown, report: TableReport): readonly GivenTable[] {
  if (!Array.isArray(tables)) {
    report(list, `must be a list of tables: [[${list}]] on a line of its own before each`);
    return [];
  }
  if (tables.length > most) report(list, `must be at most ${most}, not ${tables.length}`);
  return tables.slice(0, most).map(({ name, ...keys }: TomlTable, index) => {
    return { name, place: `${list}.${index + 1}.name`, keys };
  });
}

type NamedTable = { readonly name: string; readonly values: ReadonlyMap<string, unknown> };

/** The tables that have a name, each with its values by path. `report` gets each fault, by key. */
export function namedTables(
  kind: NamedTables,
  given: readonly GivenTable[],
  report: TableReport,
): readonly NamedTable[] {
  const names = new Set<string>();
  return given.flatMap(({ name: wanted, place, keys }) => {
    const name = freeName(kind, wanted, { names, report: (fault) => report(place, fault) });
    if (name === null) return [];
    names.add(name);
    return [{ name, values: valuesOf(kind, { name, keys }, report) }];
  });
}

type TakenNames = { readonly names: ReadonlySet<string>; readonly report: (fault: string) => void };

function freeName(kind: NamedTables, given: unknown, { names, report }: TakenNames): string | null {
  try {
    const name = text((value) => checkedTableName(kind, value)).check(given ?? "");
    if (!names.has(name)) return name;
    report(`is the name of another ${kind.one} as well: ${name}`);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    report(given === undefined ? "must be set: a name of its own" : error.message);
  }
  return null;
}

/** A short name, since logs, metrics and timelines show it. @throws BadValue */
export function checkedTableName({ reserved }: NamedTables, value: string): string {
  const reason = reserved[value];
  if (reason !== undefined) throw new BadValue(`must not be "${value}": ${reason}`);
  if (/^[a-z][a-z0-9]{0,29}$/.test(value)) return value;
  throw new BadValue("must be 1 to 30 lower-case letters and digits, a letter first");
}

/** The values of the known keys, by path. `report` gets the others. */
function valuesOf(
  kind: NamedTables,
  { name, keys }: { readonly name: string; readonly keys: TomlTable },
  report: TableReport,
): ReadonlyMap<string, unknown> {
  const known = new Map(settable(keysOfTable(kind, name)));
  const values = new Map<string, unknown>();
  for (const [own, value] of Object.entries(keys)) {
    const path = `${kind.list}.${name}.${own}`;
    if (known.has(path)) values.set(path, value);
    else report(path, `is not a known key of a ${kind.one}: it has ${kind.keys}`);
  }
  return values;
}
