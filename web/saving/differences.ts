// The differences between two versions of a record, by field.

/** `path`: `name.de`, `suppressions.softBounces`. */
export type Difference = { readonly path: string; readonly theirs: unknown; readonly mine: unknown };

type Fields = Readonly<Record<string, unknown>>;

/** Compared as a whole, because they are shown as one value. */
const WHOLE: readonly string[] = ["condition", "audienceCondition"];
/** Not compared: the version itself, and the source of the visual editor, whose HTML is in `body`. */
const ASIDE: readonly string[] = ["ifUpdatedAt", "updatedAt", "updatedBy", "design"];

/** Fields not in `mine` are ignored. */
export function differencesBetween(theirs: object, mine: object): readonly Difference[] {
  return inFields("", theirs as Fields, mine as Fields, Object.keys(mine));
}

/** Whether `mine` would overwrite a change that `theirs` has made since `seen`. */
export function isOverwritten(seen: object, theirs: object, mine: object): boolean {
  return inFields("", theirs as Fields, mine as Fields, Object.keys(mine), true).some(
    ({ path, theirs: now }) => !isSame(now, valueAt(seen, path)),
  );
}

/** The name of a list item and its labels: items that differ only in labels must not look the same. */
export function itemIn(item: unknown): { readonly name: unknown; readonly labels: readonly string[] } {
  if (!isFields(item)) return { name: item, labels: [] };
  const { name, title, field, key, label } = item;
  const labels = (isFields(label) ? Object.values(label) : [label]).filter((one) => typeof one === "string");
  return { name: name ?? title ?? field ?? key ?? item, labels: labels.filter((one) => one !== "") };
}

function inFields(
  before: string,
  theirs: Fields,
  mine: Fields,
  names: readonly string[],
  isPart = false,
): readonly Difference[] {
  return names
    .filter((name) => before !== "" || !ASIDE.includes(name))
    .flatMap((name) => inField(`${before}${name}`, theirs[name], mine[name], isPart));
}

function inField(path: string, theirs: unknown, mine: unknown, isPart: boolean): readonly Difference[] {
  if (mine === undefined || isSame(theirs, mine)) return [];
  if (WHOLE.includes(path) || !isFields(mine) || !(isFields(theirs) || theirs == null)) return [{ path, theirs, mine }];
  const names =
    isPart || path === "data" ? Object.keys(mine) : [...new Set([...Object.keys(theirs ?? {}), ...Object.keys(mine)])];
  return inFields(
    `${path}.`,
    theirs ?? {},
    { ...Object.fromEntries(names.map((name) => [name, null])), ...mine },
    names,
    isPart,
  );
}

function valueAt(record: object, path: string): unknown {
  return path.split(".").reduce<unknown>((value, name) => (isFields(value) ? value[name] : undefined), record);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** null, undefined and empty are equal; key order is ignored. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

function plain(value: unknown): unknown {
  if (value === undefined || value === "") return null;
  if (Array.isArray(value)) return value.length === 0 ? null : value.map(plain);
  if (!isFields(value)) return value;
  const fields = Object.entries(value)
    .map(([name, one]) => [name, plain(one)] as const)
    .filter(([, one]) => one !== null);
  return fields.length === 0 ? null : Object.fromEntries(fields.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
