// The number of people left after each filter of a condition: every filter is evaluated once per contact, and the
// numbers are computed from these results.
import { joined, literal, type Sql, sql } from "../../../store/sql.ts";
import type { Condition, ConditionGroup } from "./check.ts";
import { filterSql, type ConditionTerms } from "./condition.ts";

/** `at`: the place of a filter or group, such as `groups.0.filters.1`; `left`: true for people left after it. */
type FunnelStep = { readonly at: string; readonly left: Sql };

export type FunnelCounts = {
  /** The verdicts of contacts `c`: 1, 0 or null. */
  readonly verdicts: readonly { readonly at: string; readonly verdict: Sql; readonly name: Sql }[];
  /** Refer to the verdicts by name. */
  readonly steps: readonly FunnelStep[];
  readonly matches: Sql;
};

type FunnelWalk = {
  readonly verdicts: FunnelCounts["verdicts"][number][];
  readonly steps: FunnelStep[];
  readonly reading: ConditionTerms;
};

export function fallingOf(condition: Condition, reading: ConditionTerms): FunnelCounts {
  const walk: FunnelWalk = { verdicts: [], steps: [], reading };
  const matches = alongCondition(walk, condition, "", []);
  return { ...walk, matches };
}

/** With AND, each part is counted after those before it; with OR, each starts from the people before the first. */
function alongCondition(walk: FunnelWalk, { logic, groups }: Condition, at: string, before: readonly Sql[]): Sql {
  const held: Sql[] = [];
  for (const [index, group] of groups.entries()) {
    const come = logic === "OR" ? before : [...before, ...held];
    held.push(alongGroup(walk, group, `${at}groups.${index}`, come));
  }
  return sql`(${joined(held, logic === "OR" ? " or " : " and ")})`;
}

function alongGroup(
  walk: FunnelWalk,
  { filters, conditions }: ConditionGroup,
  at: string,
  before: readonly Sql[],
): Sql {
  const held: Sql[] = [];
  const step = (place: string, holds: Sql): void => {
    held.push(holds);
    walk.steps.push({ at: place, left: all([...before, ...held]) });
  };
  for (const [index, filter] of filters.entries()) {
    const name = columnNamed("f", walk.verdicts.length);
    const place = `${at}.filters.${index}`;
    walk.verdicts.push({ at: place, verdict: filterSql(filter, walk.reading), name });
    step(place, sql`${name} = 1`);
  }
  if (conditions) step(`${at}.conditions`, alongCondition(walk, conditions, `${at}.conditions.`, [...before, ...held]));
  walk.steps.push({ at, left: all([...before, ...held]) });
  return all(held);
}

function all(parts: readonly Sql[]): Sql {
  return sql`(${joined(parts, " and ")})`;
}

/** A generated name, never one from a caller. */
export function columnNamed(kind: "f" | "m" | "s", index: number): Sql {
  return literal(`${kind}${index}`);
}
