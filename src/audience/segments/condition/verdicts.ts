// The verdict on a condition whose filters have been evaluated for one contact: whether it matches, and when the
// passing of time will change that.
import { momentOf } from "../../../base/moments.ts";
import { placedFilters, type Condition, type ConditionGroup } from "./check.ts";
import { countsTime, spanMs, type ConditionFilter } from "./filter.ts";

/** Keyed by the place of the filter in the condition: `groups.0.filters.1`. */
export type FilterVerdicts = ReadonlyMap<string, boolean>;
export type GroupVerdict = { readonly at: string; readonly matches: boolean };

/** Each group, and each condition within it. */
export function groupsOf(condition: Condition, verdicts: FilterVerdicts, at = ""): readonly GroupVerdict[] {
  return condition.groups.flatMap((group, index) => {
    const place = `${at}groups.${index}`;
    const inside = `${place}.conditions`;
    const nested = group.conditions
      ? [
          { at: inside, matches: holdsAs(group.conditions, verdicts, `${inside}.`) },
          ...groupsOf(group.conditions, verdicts, `${inside}.`),
        ]
      : [];
    return [{ at: place, matches: groupHolds(group, verdicts, place) }, ...nested];
  });
}

export function holdsAs({ logic, groups }: Condition, verdicts: FilterVerdicts, at = ""): boolean {
  const parts = groups.map((group, index) => groupHolds(group, verdicts, `${at}groups.${index}`));
  return logic === "OR" ? parts.some(Boolean) : parts.every(Boolean);
}

function groupHolds({ filters, conditions }: ConditionGroup, verdicts: FilterVerdicts, at: string): boolean {
  const own = filters.every((_, index) => verdicts.get(`${at}.filters.${index}`) === true);
  return own && (!conditions || holdsAs(conditions, verdicts, `${at}.conditions.`));
}

export type FilterPosition = { readonly at: string; readonly filter: ConditionFilter };

/** Every filter with its place in the condition, in the order of evaluation. */
export function filtersIn(condition: Condition): readonly FilterPosition[] {
  return placedFilters(condition, "").map(({ at, filter }) => ({ at: at.slice(1), filter }));
}

type FilterTurn = { readonly atMs: number; readonly holds: boolean };

/** The future changes of a filter's verdict by time alone, in order. */
export function turnsOf(filter: ConditionFilter, seen: unknown, nowMs: number): readonly FilterTurn[] {
  const moment = countsTime(filter.operator) && typeof seen === "string" ? momentOf(seen) : null;
  if (moment === null) return [];
  const isInside = filter.operator === "within" || filter.operator === "triggeredWithin";
  const fromMs = Date.parse(`${moment.slice(0, MOMENT_CHARS)}Z`);
  const begin = isInside ? [{ atMs: fromMs, holds: true }] : [];
  const end = { atMs: fromMs + spanMs(filter) + 1, holds: !isInside };
  return [...begin, end].filter(({ atMs }) => atMs > nowMs);
}

/** The length of a moment to the millisecond. */
const MOMENT_CHARS = 23;

/** The time at which the whole condition's verdict changes by time alone; null = never. */
export function turnOfAll(
  condition: Condition,
  verdicts: FilterVerdicts,
  turns: ReadonlyMap<string, readonly FilterTurn[]>,
): number | null {
  const now = holdsAs(condition, verdicts);
  const moments = [...new Set([...turns.values()].flat().map(({ atMs }) => atMs))].sort((one, other) => one - other);
  const then = (ms: number): FilterVerdicts =>
    new Map(
      [...verdicts].map(([at, holds]) => {
        const last = turns.get(at)?.findLast(({ atMs }) => atMs <= ms);
        return [at, last?.holds ?? holds];
      }),
    );
  return moments.find((ms) => holdsAs(condition, then(ms)) !== now) ?? null;
}
