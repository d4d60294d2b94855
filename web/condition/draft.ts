// The builder's condition: a tree of filters and groups, read from the API's condition and written back to it.
import type { components } from "../api.gen.ts";
import { takesNoValue, takesSpan, type ConditionFilter, type ValueKind } from "./subjects.ts";

export type SegmentCondition = components["schemas"]["Condition"];

/** `value` undefined: still to be filled in. */
export type FilterNode = Omit<ConditionFilter, "value"> & {
  readonly kind: "filter";
  readonly id: number;
  readonly value?: ConditionFilter["value"] | undefined;
  /** The type of a data value, if one was chosen. */
  readonly valueKind?: ValueKind;
};
export type GroupNode = {
  readonly kind: "group";
  readonly id: number;
  readonly join: "all" | "any";
  readonly items: readonly ConditionNode[];
};
export type ConditionNode = FilterNode | GroupNode;

let lastId = 0;

export function newId(): number {
  return ++lastId;
}

export function newGroup(join: GroupNode["join"], items: readonly ConditionNode[]): GroupNode {
  return { kind: "group", id: newId(), join, items };
}

/** Null gives an empty draft. */
export function draftOf(condition: SegmentCondition | null): GroupNode {
  if (!condition) return newGroup("all", []);
  const { logic, groups } = condition;
  if (logic === "AND") return newGroup("all", groups.flatMap(itemsOf));
  return newGroup("any", groups.map(nodeOf));
}

type ConditionGroup = SegmentCondition["groups"][number];

function itemsOf({ filters, conditions }: ConditionGroup): ConditionNode[] {
  const own = filters.map((filter): FilterNode => ({ kind: "filter", id: newId(), ...filter }));
  return conditions ? [...own, draftOf(conditions)] : own;
}

function nodeOf(group: ConditionGroup): ConditionNode {
  const items = itemsOf(group);
  const [only] = items;
  return only && items.length === 1 ? only : newGroup("all", items);
}

/** `places`: the API's path of each filter and group, by its id in the draft: `groups.0.filters.1`; "" = the whole. */
export type ConditionPaths = { readonly condition: SegmentCondition; readonly places: ReadonlyMap<number, string> };

/** Null while a filter is not filled in. */
export function placed(draft: GroupNode): ConditionPaths | null {
  if (!isFilled(draft)) return null;
  const places = new Map<number, string>([[draft.id, ""]]);
  return { condition: conditionIn(draft, "", places), places };
}

/** The condition as the builder writes it. Request counts and faults with this form: their paths refer to it. */
export function canonical(condition: SegmentCondition): SegmentCondition {
  return placed(draftOf(condition))?.condition ?? condition;
}

/** The group without unfilled filters; null if nothing remains. */
export function filledPart(group: GroupNode): GroupNode | null {
  const items = group.items.flatMap((item): readonly ConditionNode[] => {
    const part = item.kind === "group" ? filledPart(item) : isFilled(item) ? item : null;
    return part ? [part] : [];
  });
  if (items.length === 0) return null;
  return items.length === group.items.length && items.every((item, at) => item === group.items[at])
    ? group
    : { ...group, items };
}

export function isFilled(node: ConditionNode): boolean {
  if (node.kind === "group") return node.items.length > 0 && node.items.every(isFilled);
  if (takesNoValue(node.operator)) return true;
  return takesSpan(node.operator) ? typeof node.value === "number" && node.value > 0 : node.value !== undefined;
}

type PathsById = Map<number, string>;

function conditionIn({ join, items }: GroupNode, at: string, places: PathsById): SegmentCondition {
  const placeOf = (index: number) => `${at}groups.${index}`;
  if (join === "any")
    return { logic: "OR", groups: items.map((item, index) => alternative(item, placeOf(index), places)) };
  return { logic: "AND", groups: runsOf(items).map((run, index) => groupIn(run, placeOf(index), places)) };
}

/** A group in the API has filters, then at most one condition. */
function runsOf(items: readonly ConditionNode[]): ConditionNode[][] {
  const runs: ConditionNode[][] = [[]];
  for (const item of items) {
    const last = runs.at(-1) as ConditionNode[];
    if (last.at(-1)?.kind === "group") runs.push([item]);
    else last.push(item);
  }
  return runs;
}

function groupIn(run: readonly ConditionNode[], at: string, places: PathsById): ConditionGroup {
  const filters = run.flatMap((item, index) => {
    if (item.kind === "group") return [];
    places.set(item.id, `${at}.filters.${index}`);
    return [filterOf(item)];
  });
  const last = run.at(-1);
  if (last?.kind !== "group") return { filters };
  places.set(last.id, `${at}.conditions`);
  return { filters, conditions: conditionIn(last, `${at}.conditions.`, places) };
}

/** Uses one API group where possible, so that it is read back as one. */
function alternative(item: ConditionNode, at: string, places: PathsById): ConditionGroup {
  if (item.kind === "filter" || item.join === "any" || item.items.length < 2 || runsOf(item.items).length > 1)
    return groupIn([item], at, places);
  places.set(item.id, at);
  return groupIn(item.items, at, places);
}

function filterOf({ field, operator, value, unit, tag }: FilterNode): ConditionFilter {
  const happened = { field, operator, ...(tag ? { tag } : {}) };
  if (takesNoValue(operator)) return happened;
  const filter = { ...happened, ...(value === undefined ? {} : { value }) };
  return takesSpan(operator) ? { ...filter, unit: unit ?? "days" } : filter;
}
