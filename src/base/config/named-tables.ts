// Lists of tables in the file, such as [[ways]]: each table has a name, and its keys are known as `ways.<name>.<key>`.
import type { ConfigKey } from "./key.ts";
import { BadValue, text } from "./kinds.ts";
import { fileKey, fileVariant, type KnownKey } from "./paths.ts";

export type NamedTables = {
  /** As in the file: `ways`. */
  readonly list: string;
  /** One of them, in words. */
  readonly one: string;
  readonly most: number;
  /** By their groups, which the settings have as well. */
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

/** The keys of one table. */
export function keysOfTable({ list, groups }: NamedTables, name: string): readonly KnownKey[] {
  return Object.entries(groups).flatMap(([section, keys]) =>
    Object.entries<ConfigKey>(keys as Readonly<Record<string, ConfigKey>>).map(([property, known]) => {
      const path = `${list}.${name}.${fileKey(property, known)}`;
      return { section, property, path, key: known };
    }),
  );
}

type NamedTable = { readonly name: string; readonly values: ReadonlyMap<string, unknown> };

/** The tables of a file, each with its values by path. `report` gets each fault, by key. */
export function namedTablesIn(
  kind: NamedTables,
  tables: unknown,
  report: (key: string, fault: string) => void,
): readonly NamedTable[] {
  const { list, most } = kind;
  if (!Array.isArray(tables)) {
    report(list, `must be a list of tables: [[${list}]] on a line of its own before each`);
    return [];
  }
  if (tables.length > most) report(list, `must be at most ${most}, not ${tables.length}`);
  const names = new Set<string>();
  return tables.slice(0, most).flatMap((table: Readonly<Record<string, unknown>>, index) => {
    const { name: given, ...rest } = table;
    const name = freeName(kind, given, { names, report: (fault) => report(`${list}.${index + 1}.name`, fault) });
    if (name === null) return [];
    names.add(name);
    return [{ name, values: valuesOfTable(kind, { name, given: rest }, report) }];
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

/** Those that are known, by path. `report` gets the others. */
export function valuesOfTable(
  kind: NamedTables,
  { name, given }: { readonly name: string; readonly given: Readonly<Record<string, unknown>> },
  report: (key: string, fault: string) => void,
): ReadonlyMap<string, unknown> {
  const known = new Set(
    keysOfTable(kind, name).flatMap(({ path, key: { secret } }) => (secret ? [path, fileVariant(path)] : [path])),
  );
  const values = new Map<string, unknown>();
  for (const [own, value] of Object.entries(given)) {
    const path = `${kind.list}.${name}.${own}`;
    if (known.has(path)) values.set(path, value);
    else report(path, `is not a known key of a ${kind.one}: it has ${kind.keys}`);
  }
  return values;
}
