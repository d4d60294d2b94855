// What two versions of a record differ in, field by field.

/** `path`: `name.de`, `suppressions.softBounces`. */
export type Difference = { readonly path: string; readonly theirs: unknown; readonly mine: unknown };

type Fields = Readonly<Record<string, unknown>>;

/** What a person looks at as one thing. */
const WHOLE: readonly string[] = ["condition", "audienceCondition"];
/** What says when and by whom, not what. */
const ASIDE: readonly string[] = ["ifUpdatedAt", "updatedAt", "updatedBy", "design"];

/** `mine`: what is to be saved. Fields that it does not name are nobody's loss. */
export function differencesBetween(theirs: object, mine: object): readonly Difference[] {
  return inFields("", theirs as Fields, mine as Fields, Object.keys(mine));
}

/** Whether they have changed something since I saw it that mine would take back. */
export function isOverwritten(seen: object, theirs: object, mine: object): boolean {
  return inFields("", theirs as Fields, mine as Fields, Object.keys(mine), true).some(
    ({ path, theirs: now }) => !isSame(now, valueAt(seen, path)),
  );
}

/** What an item of a list is called, and its labels: two that differ in those alone must not look the same. */
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

/** Nothing is nothing, however it is written; and the order of fields says nothing. */
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
