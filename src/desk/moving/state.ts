// How far a move is, and what came of it so far: whoever runs it keeps it, and goes on from it.
import { STANDINGS, type ConsentStanding } from "../../audience/csv/consent.ts";
import type { ProductName } from "./products.ts";
import { RECORD_GROUPS, type RecordGroup, type SourceGap } from "./source.ts";

/** `added`, `changed`: here. `known`: was here already. `refused`: did not come. */
export type MoveCounts = { read: number; added: number; changed: number; known: number; refused: number };

/** Records that do not come for the same reason; the first examples. */
export type MoveGap = Pick<SourceGap, "what" | "why"> & { count: number; examples: string[] };

export type MoveState = {
  readonly id: string;
  readonly product: ProductName;
  /** The address of the product's API. */
  readonly from: string;
  /** The workspace, by its id. */
  readonly into: string;
  readonly startedAt: string;
  finishedAt: string | null;
  /** The number of the part, and where in it the next page begins. */
  part: number;
  at: string;
  /** The page before, by its hash. */
  seen: string;
  /** Ours, by theirs: keys of topics, ids of segments. */
  readonly topics: Record<string, string>;
  readonly segments: Record<string, string>;
  readonly counts: Record<RecordGroup, MoveCounts>;
  readonly standings: Record<ConsentStanding, number>;
  readonly gaps: MoveGap[];
  /** The jobs that imported people. */
  readonly imports: string[];
};

export const MOST_EXAMPLES = 5;
const [MAX_WHY_CHARS, MAX_EXAMPLE_CHARS] = [300, 100];
/** Reasons with words of the data in them are many. */
export const MOST_GAPS = 500;

export function newState(about: Pick<MoveState, "id" | "product" | "from" | "into" | "startedAt">): MoveState {
  const none = (): MoveCounts => ({ read: 0, added: 0, changed: 0, known: 0, refused: 0 });
  return {
    ...about,
    finishedAt: null,
    part: 0,
    at: "",
    seen: "",
    topics: {},
    segments: {},
    counts: Object.fromEntries(RECORD_GROUPS.map((group) => [group, none()])) as MoveState["counts"],
    standings: Object.fromEntries(STANDINGS.map((one) => [one, 0])) as MoveState["standings"],
    gaps: [],
    imports: [],
  };
}

/** Texts of others go to a terminal: without its control characters. */
function shown(text: string, maxChars: number): string {
  return text
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, maxChars);
}

export function noteGap(state: MoveState, about: Pick<SourceGap, "what" | "why">, example: string, count = 1): void {
  const [why, one] = [shown(about.why, MAX_WHY_CHARS), shown(example, MAX_EXAMPLE_CHARS)];
  const known = state.gaps.find((gap) => gap.what === about.what && gap.why === why);
  const gap = known ?? { what: about.what, why, count: 0, examples: [] };
  if (!known && state.gaps.length < MOST_GAPS) state.gaps.push(gap);
  gap.count += count;
  if (one !== "" && gap.examples.length < MOST_EXAMPLES && !gap.examples.includes(one)) gap.examples.push(one);
}
