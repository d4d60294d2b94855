// Edits of a draft; each returns a new draft.
import { newGroup, newId, type FilterNode, type GroupNode, type ConditionNode } from "./draft.ts";
import { FITTING, subjectOf, takesNoValue, takesSpan, type SubjectKind, type FilterOperator } from "./subjects.ts";

/** The API's limits. */
export const MAX_FILTERS = 100;
export const MAX_DEPTH = 8;

export function countFilters(node: ConditionNode): number {
  return node.kind === "filter" ? 1 : node.items.reduce((sum, item) => sum + countFilters(item), 0);
}

type NodeEdit = (node: ConditionNode) => readonly ConditionNode[];

/** Replaces the node by the result of `change` and drops groups left empty. */
function changed(group: GroupNode, id: number, change: NodeEdit): GroupNode {
  const items = group.items.flatMap((item): readonly ConditionNode[] => {
    if (item.id === id) return change(item);
    if (item.kind === "filter") return [item];
    const inside = changed(item, id, change);
    return inside.items.length === 0 && item.items.length > 0 ? [] : [inside];
  });
  return items.length === group.items.length && items.every((item, at) => item === group.items[at])
    ? group
    : { ...group, items };
}

export function replace(draft: GroupNode, node: ConditionNode): GroupNode {
  if (node.id === draft.id) return node as GroupNode;
  return changed(draft, node.id, () => [node]);
}

export function remove(draft: GroupNode, id: number): GroupNode {
  return changed(draft, id, () => []);
}

/** Adds the node at the end of the group with this id. */
export function add(draft: GroupNode, groupId: number, node: ConditionNode): GroupNode {
  const into = (group: GroupNode): GroupNode =>
    group.id === groupId
      ? { ...group, items: [...group.items, node] }
      : { ...group, items: group.items.map((item) => (item.kind === "group" ? into(item) : item)) };
  return into(draft);
}

export function newFilter(field: string): FilterNode {
  return withField({ kind: "filter", id: newId(), field: "", operator: "equals" }, field);
}

/** Joins the other way than its parent. */
export function newGroupIn(join: GroupNode["join"], field: string): GroupNode {
  return newGroup(join === "all" ? "any" : "all", [newFilter(field)]);
}

const FIRST_VALUES: Readonly<Partial<Record<SubjectKind, FilterNode["value"]>>> = {
  subscribed: true,
  status: "ACTIVE",
  paused: true,
  topic: "in",
};
const FIRST_SPAN = 30;

/** Changes the field and keeps operator and value if they fit. */
export function withField(filter: FilterNode, field: string): FilterNode {
  const before = filter.field === "" ? null : subjectOf(filter).kind;
  const { kind } = subjectOf({ field, operator: "equals" });
  const fits = before !== null && FITTING[kind].includes(filter.operator);
  const operator = fits ? filter.operator : (FITTING[kind][0] as FilterOperator);
  const { value, unit, valueKind: _, tag, ...rest } = filter;
  const isKept = fits && (before === kind || takesSpan(operator)) && kind !== "data";
  const ofMail = kind === "mail" && tag !== undefined ? { tag } : {};
  return withOperator({ ...rest, field, ...ofMail, ...(isKept ? { value, ...(unit ? { unit } : {}) } : {}) }, operator);
}

/** A span starts at 30 days; operators without a value drop it. */
export function withOperator(filter: FilterNode, operator: FilterOperator): FilterNode {
  const { value, unit, ...rest } = filter;
  const { kind } = subjectOf({ field: filter.field, operator });
  if (takesNoValue(operator)) return { ...rest, operator };
  if (takesSpan(operator))
    return { ...rest, operator, value: typeof value === "number" ? value : FIRST_SPAN, unit: unit ?? "days" };
  const stays = takesSpan(filter.operator) ? undefined : value;
  return { ...rest, operator, value: stays ?? FIRST_VALUES[kind] };
}

/** The condition up to this part: with all earlier parts under "all", alone under "any". Null: no such part. */
export function pathTo(group: GroupNode, id: number): GroupNode | null {
  if (group.id === id) return group;
  for (const [at, item] of group.items.entries()) {
    const found = item.id === id ? item : item.kind === "group" ? pathTo(item, id) : null;
    if (found)
      return { ...group, join: "all", items: [...(group.join === "all" ? group.items.slice(0, at) : []), found] };
  }
  return null;
}
