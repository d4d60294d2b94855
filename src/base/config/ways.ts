// [[ways]]: further ways out, each with the keys of [relay] or [ses] and a pace of its own. Owners may add more
// (src/ground/ways).
import { key, unset } from "./key.ts";
import { KEYS, type ConfigValues } from "./keys.ts";
import { choice, number, wholeNumber } from "./kinds.ts";
import { checkedTableName, keysOfTable, type NamedTables, type TableValues } from "./named-tables.ts";
import type { KnownKey } from "./paths.ts";
import { RULES } from "./rules.ts";

const OWN = {
  kind: unset(choice("smtp", "ses", "graph", "capture")),
  /** 0: no limit. */
  ratePerSecond: key(number(0, 10_000), 14),
  burst: key(wholeNumber(1, 10_000), 1),
  concurrency: key(wholeNumber(1, 500), 10),
  /** For a thousand emails, in any currency: for information. */
  price: unset(number(0, 1_000_000)),
} as const;

export type WaySettings = Omit<TableValues<typeof OWN>, "kind"> & {
  readonly name: string;
  readonly kind: "smtp" | "ses" | "graph" | "capture";
  readonly relay: ConfigValues["relay"];
  readonly ses: ConfigValues["ses"];
};

const GROUPS = { own: OWN, relay: KEYS.relay, ses: KEYS.ses } as const;
/** The most ways besides the default one. */
export const MOST_WAYS = 10;
/** The way that [delivery], [relay] and [ses] describe. */
export const DEFAULT_WAY = "default";

/** [[ways]] in the file. */
export const WAY_TABLES: NamedTables = {
  list: "ways",
  one: "way",
  most: MOST_WAYS,
  groups: GROUPS,
  keys: "those of [relay] and [ses], and kind, rate_per_second, burst, concurrency, price",
  reserved: { [DEFAULT_WAY]: "that is the way of [delivery]" },
};

/** The keys of a way, as `ways.<name>.<key>`. */
export function keysOfWay(name: string): readonly KnownKey[] {
  return keysOfTable(WAY_TABLES, name);
}

/** @throws BadValue */
export function wayName(value: string): string {
  return checkedTableName(WAY_TABLES, value);
}

type WayFault = { readonly key: string; readonly message: string; readonly instead?: readonly string[] };

/** The rules of [relay] and [ses], applied to each, and that there is another way out before them. */
export function faultsOfWays(settings: ConfigValues, ways: readonly WaySettings[]): readonly WayFault[] {
  const faults = ways.flatMap((way) => faultsOfWay(settings, way));
  if (ways.length === 0 || settings.delivery.transport !== "capture") return faults;
  const message =
    'must be "smtp", "ses" or "graph" when there are [[ways]]: nothing that is captured needs another sending route';
  return [{ key: "delivery.transport", message }, ...faults];
}

/** The rules of [relay] and [ses], applied to the way. */
export function faultsOfWay(settings: ConfigValues, way: WaySettings): readonly WayFault[] {
  const { name, kind, relay, ses } = way;
  if ((kind as string | null) === null)
    return [{ key: `ways.${name}.kind`, message: 'must be set: "smtp", "ses", "graph" or "capture"' }];
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
