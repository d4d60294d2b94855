// [[ways]]: further ways out, each with the keys of [relay] or [ses] and a pace of its own. Owners may add more
// (src/ground/ways).
import { key, unset, type ConfigKey } from "./key.ts";
import { KEYS, type ConfigValues } from "./keys.ts";
import { BadValue, choice, number, text, wholeNumber } from "./kinds.ts";
import { RULES } from "./rules.ts";
import { fileVariant, fileKey, type KnownKey } from "./paths.ts";

const OWN = {
  kind: unset(choice("smtp", "ses", "capture")),
  /** 0: no limit. */
  ratePerSecond: key(number(0, 10_000), 14),
  burst: key(wholeNumber(1, 10_000), 1),
  concurrency: key(wholeNumber(1, 500), 10),
  /** For a thousand emails, in any currency: for information. */
  price: unset(number(0, 1_000_000)),
} as const;

type TableValues<Table> = { readonly [P in keyof Table]: Table[P] extends { readonly fallback: infer T } ? T : never };

export type WaySettings = Omit<TableValues<typeof OWN>, "kind"> & {
  readonly name: string;
  readonly kind: "smtp" | "ses" | "capture";
  readonly relay: ConfigValues["relay"];
  readonly ses: ConfigValues["ses"];
};

const GROUPS = { own: OWN, relay: KEYS.relay, ses: KEYS.ses } as const;
/** The most ways besides the default one. */
export const MOST_WAYS = 10;
/** The way that [delivery], [relay] and [ses] describe. */
export const DEFAULT_WAY = "default";

/** The keys of a way, as `ways.<name>.<key>`. */
export function keysOfWay(name: string): readonly KnownKey[] {
  return Object.entries(GROUPS).flatMap(([section, keys]) =>
    Object.entries<ConfigKey>(keys).map(([property, known]) => {
      const path = `ways.${name}.${fileKey(property, known)}`;
      return { section, property, path, key: known };
    }),
  );
}

type WayTable = { readonly name: string; readonly values: ReadonlyMap<string, unknown> };

/** The tables of a file, each with its values by path. `report` gets each fault, by key. */
export function tablesOfWays(tables: unknown, report: (key: string, fault: string) => void): readonly WayTable[] {
  if (!Array.isArray(tables)) {
    report("ways", "must be a list of tables: [[ways]] on a line of its own before each");
    return [];
  }
  if (tables.length > MOST_WAYS) report("ways", `must be at most ${MOST_WAYS}, not ${tables.length}`);
  const names = new Set<string>();
  return tables.slice(0, MOST_WAYS).flatMap((table: Readonly<Record<string, unknown>>, index) => {
    const { name: given, ...rest } = table;
    const name = checkedName(given, names, (fault) => report(`ways.${index + 1}.name`, fault));
    if (name === null) return [];
    names.add(name);
    return [{ name, values: valuesOf(name, rest, report) }];
  });
}

function checkedName(given: unknown, taken: ReadonlySet<string>, report: (fault: string) => void): string | null {
  try {
    const name = text(wayName).check(given ?? "");
    if (!taken.has(name)) return name;
    report(`is the name of another way as well: ${name}`);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    report(given === undefined ? "must be set: a name of its own" : error.message);
  }
  return null;
}

/** A short name, since logs, metrics and timelines show it. */
export function wayName(value: string): string {
  if (value === DEFAULT_WAY) throw new BadValue(`must not be "${DEFAULT_WAY}": that is the way of [delivery]`);
  if (/^[a-z][a-z0-9]{0,29}$/.test(value)) return value;
  throw new BadValue("must be 1 to 30 lower-case letters and digits, a letter first");
}

function valuesOf(
  name: string,
  given: Readonly<Record<string, unknown>>,
  report: (key: string, fault: string) => void,
): ReadonlyMap<string, unknown> {
  const known = new Set(
    keysOfWay(name).flatMap(({ path, key: { secret } }) => (secret ? [path, fileVariant(path)] : [path])),
  );
  const values = new Map<string, unknown>();
  for (const [own, value] of Object.entries(given)) {
    const path = `ways.${name}.${own}`;
    if (known.has(path)) values.set(path, value);
    else
      report(
        path,
        "is not a known key of a way: it has those of [relay] and [ses], and kind, rate_per_second, burst, concurrency, price",
      );
  }
  return values;
}

type WayFault = { readonly key: string; readonly message: string; readonly instead?: readonly string[] };

/** The rules of [relay] and [ses], applied to the way. */
export function faultsOfWay(settings: ConfigValues, way: WaySettings): readonly WayFault[] {
  const { name, kind, relay, ses } = way;
  if ((kind as string | null) === null)
    return [{ key: `ways.${name}.kind`, message: 'must be set: "smtp", "ses" or "capture"' }];
  const asDefault: ConfigValues = { ...settings, delivery: { ...settings.delivery, transport: kind }, relay, ses };
  const broken = RULES.filter(({ key: path, isBroken }) => /^(relay|ses)\./.test(path) && isBroken(asDefault));
  const keyOf = (path: string) => `ways.${name}.${ofWay(path)}`;
  return broken.map(({ key: path, message, instead = [] }) => ({
    ...{ key: keyOf(path), message: ofWay(message), instead: instead.map(keyOf) },
  }));
}

function ofWay(words: string): string {
  return words.replaceAll(/\b(relay|ses)\./g, "").replace("delivery.transport", "kind");
}
