// The order in which items are written and removed: an item is written after those that it refers to, and removed
// before them.
import { segmentsIn, type Names } from "./names.ts";
import { KINDS, MOST_ITEMS, type FileItem, type FileKind } from "./record.ts";

/** `at`: its place in the request. */
type PlacedItem = { readonly at: number; readonly item: FileItem };

/** Kinds that others refer to come first, and segments before those that refer to them. */
export function inOrder(items: readonly FileItem[]): PlacedItem[] {
  const all = items.map((item, at) => ({ at, item }));
  return KINDS.flatMap((kind) => {
    const own = all.filter(({ item }) => item.kind === kind);
    if (kind === "topics") return own.sort((one, other) => positionOf(one) - positionOf(other));
    return kind === "segments" ? namedFirst(own) : own;
  });
}

function positionOf({ item: { fields } }: PlacedItem): number {
  return typeof fields?.["position"] === "number" ? fields["position"] : MOST_ITEMS;
}

function namedFirst(segments: readonly PlacedItem[]): PlacedItem[] {
  const left = new Map(segments.map((one) => [one.item.name, one]));
  const visit = (one: PlacedItem): PlacedItem[] => {
    if (!left.delete(one.item.name)) return [];
    const named = segmentsIn(one.item.fields?.["condition"]).flatMap((name) => left.get(name) ?? []);
    return [...named.flatMap(visit), one];
  };
  return segments.flatMap(visit);
}

type Removal = [at: number, one: { readonly kind: FileKind; readonly name: string }];

/** Later kinds first, and the newest of each kind. */
export function lastFirst(names: Names): (one: Removal, other: Removal) => number {
  const rank = ([, { kind, name }]: Removal) =>
    KINDS.indexOf(kind) * 1e6 + (names.all.get(kind) ?? []).findIndex((one) => one.name === name);
  return (one, other) => rank(other) - rank(one);
}
