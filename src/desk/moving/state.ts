// How far a move is, and what it has copied. Its caller keeps this between the steps: the server stores nothing of it.
import { STANDINGS } from "../../audience/csv/consent.ts";
import { iso } from "../../base/clock.ts";
import { newId } from "../../base/ids.ts";
import { COUNTS, MOST_EXAMPLES, MOST_GAPS, recordOf, type MoveState } from "./record.ts";
import { RECORD_GROUPS, type SourceGap } from "./source.ts";

const [MAX_EXAMPLE_CHARS, MAX_WHY_CHARS] = [100, 300];

const OTHERS = { product: "of another product", from: "from another address", into: "into another workspace" } as const;

export type MoveAbout = Pick<MoveState, keyof typeof OTHERS>;

export function newState(about: MoveAbout, nowMs: number): MoveState {
  return {
    ...{ id: newId(nowMs), ...about, startedAt: iso(nowMs), finishedAt: null },
    ...{ part: 0, at: "", seen: "", topics: {}, segments: {} },
    counts: recordOf(RECORD_GROUPS, () => recordOf(COUNTS, () => 0)),
    standings: recordOf(STANDINGS, () => 0),
    ...{ gaps: [], imports: [] },
  };
}

/** Why the state is that of another move, in words; null = it is that of this one. */
export function otherMove(state: MoveState, about: MoveAbout): string | null {
  const names = Object.keys(OTHERS) as (keyof MoveAbout)[];
  const other = names.find((name) => state[name] !== about[name]);
  return other === undefined ? null : `is that of another move (${OTHERS[other]})`;
}

/** Texts of others go to a terminal: without its control characters. */
function oneLine(text: string, maxChars: number): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, maxChars);
}

/** Counts what did not come, with the first examples for each reason. */
export function noteGap(state: MoveState, about: Pick<SourceGap, "what" | "why">, example: string, count = 1): void {
  const [why, one] = [oneLine(about.why, MAX_WHY_CHARS), oneLine(example, MAX_EXAMPLE_CHARS)];
  const known = state.gaps.find((gap) => gap.what === about.what && gap.why === why);
  const gap = known ?? { what: about.what, why, count: 0, examples: [] };
  if (!known && state.gaps.length < MOST_GAPS) state.gaps.push(gap);
  gap.count += count;
  if (one !== "" && gap.examples.length < MOST_EXAMPLES && !gap.examples.includes(one)) gap.examples.push(one);
}
