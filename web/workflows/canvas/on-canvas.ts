// The context of steps and edges on the canvas: drawing, counts, faults and actions.
import { createContext, use } from "react";
import type { WorkflowCounts, StepCounts } from "../calls.ts";
import type { Drawing, Exit, StepType } from "../drawing.ts";
import type { WorkflowSearch } from "../search.ts";
import type { StepNames } from "../describe-step.ts";

export type CanvasDrawing = {
  readonly id: string;
  readonly drawing: Drawing;
  readonly words: StepNames;
  readonly counts: WorkflowCounts | undefined;
  /** The messages by step. */
  readonly faults: ReadonlyMap<string, readonly string[]>;
  /** Steps and exits (`from branch`) that the person of the test run passes; null = no test run. */
  readonly highlighted: ReadonlySet<string> | null;
  readonly chosen: string | undefined;
  readonly search: WorkflowSearch;
  readonly disabledReason: string | undefined;
  readonly choose: (ref: string) => void;
  readonly insert: (exit: Exit, type: Exclude<StepType, "TRIGGER">) => void;
  readonly connect: (exit: Exit, to: string | null) => void;
};

const OnCanvas = createContext<CanvasDrawing | null>(null);
export const DrawnContext = OnCanvas.Provider;

export function useDrawn(): CanvasDrawing {
  return use(OnCanvas) as CanvasDrawing;
}

export function countsAt({ counts }: Pick<CanvasDrawing, "counts">, ref: string): StepCounts | undefined {
  return counts?.steps.find(({ stepId }) => stepId === ref);
}

/** The number of people who passed; undefined if unknown, as for unsaved transitions. */
export function passedAt({ counts, drawing }: Pick<CanvasDrawing, "counts" | "drawing">, { from, branch }: Exit) {
  const own = countsAt({ counts }, from);
  if (!own) return undefined;
  if (branch !== null) return own.branches.find((one) => one.branch === branch)?.passed ?? 0;
  if (own.branches.length === 0) return own.passed;
  const named = new Set(
    drawing.transitions.filter((transition) => transition.from === from).map((transition) => transition.branch),
  );
  return own.branches.reduce((sum, one) => sum + (named.has(one.branch) ? 0 : one.passed), 0);
}

export function exitKey({ from, branch }: Exit): string {
  return `${from} ${branch ?? ""}`;
}
