// A transition on the canvas: its branch, the number of people who passed, and a plus to insert a step.
import { BaseEdge, EdgeLabelRenderer, getSmoothStepPath, getStraightPath, type EdgeProps } from "@xyflow/react";
import { branchName } from "../describe-step.ts";
import type { Exit } from "../drawing.ts";
import { PeopleLink } from "./badges.tsx";
import { InsertMenu, useExitName } from "./insert-menu.tsx";
import { exitKey, passedAt, useDrawn } from "./on-canvas.ts";

/** Distance from the target step. */
const LABEL_ABOVE = 30;
/** Large enough to touch at a low zoom. */
const LABELS_APART = 40;
/** The line bends just below its source step. */
const BEND_BELOW = 18;

export function TransitionEdge({
  id,
  data,
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourcePosition,
  targetPosition,
}: EdgeProps) {
  const { highlighted } = useDrawn();
  const { exit, twin } = data as { readonly exit: Exit; readonly twin: number };
  const ends = { sourceX, sourceY, targetX, targetY };
  const bent = { ...ends, sourcePosition, targetPosition, borderRadius: 8, centerY: sourceY + BEND_BELOW };
  const [path] = Math.abs(sourceX - targetX) < 1 ? getStraightPath(ends) : getSmoothStepPath(bent);
  const [x, y] = [targetX, targetY - LABEL_ABOVE - twin * LABELS_APART];
  return (
    <>
      <BaseEdge id={id} path={path} className={highlighted?.has(exitKey(exit)) ? "lit" : ""} />
      <EdgeLabelRenderer>
        <div
          className="edge nopan"
          style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px) scale(var(--unzoom))` }}
        >
          <TransitionLabel exit={exit} />
        </div>
      </EdgeLabelRenderer>
    </>
  );
}

function TransitionLabel({ exit }: { readonly exit: Exit }) {
  const drawn = useDrawn();
  const { drawing, words, disabledReason } = drawn;
  const step = drawing.steps.find(({ ref }) => ref === exit.from);
  const passed = passedAt(drawn, exit);
  const name = useExitName(exit);
  return (
    <>
      {exit.branch !== null && <span className="dim">{branchName(exit.branch, step, words)}</span>}
      {passed !== undefined && (
        <b>
          <PeopleLink
            step={exit.from}
            state="passed"
            branch={exit.branch}
            label={words.t.passedHere(words.number(passed), name)}
          >
            {words.number(passed)}
          </PeopleLink>
        </b>
      )}
      {disabledReason === undefined && <InsertMenu exit={exit} />}
    </>
  );
}
