// The canvas or the list of steps, with the form of the chosen step or the people of a number beside it.
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { DrawnHere, type Drawn } from "./canvas/on-canvas.ts";
import { StepsList } from "./canvas/steps-list.tsx";
import { FaultBanner } from "../parts/form.tsx";
import type { Counts } from "./calls.ts";
import type { Checked } from "./checked.ts";
import type { Workflow } from "./drawing.ts";
import { insert, leadTo, newStep } from "./edits.ts";
import type { History } from "./history.ts";
import { useNarrow } from "./narrow.ts";
import { PeopleAt } from "./people-at.tsx";
import type { Words } from "./said.ts";
import { StepPanel } from "./step-panel.tsx";
import { NO_CHOICES, useTrial, type Choices } from "./trial.ts";
import { TryBar } from "./try-bar.tsx";
import { useAsked } from "./search.ts";

/** The library of the canvas comes with it. */
const Canvas = lazy(() => import("./canvas/canvas.tsx").then(({ Canvas }) => ({ default: Canvas })));

type EditorProps = {
  readonly workflow: Workflow;
  readonly words: Words;
  readonly history: History;
  readonly checked: Checked;
  readonly counts: Counts | undefined;
  readonly disabledReason: string | undefined;
  readonly fault: unknown;
  readonly showPast: () => void;
};

export function Editor({ workflow, words, history, checked, counts, disabledReason, fault, showPast }: EditorProps) {
  const { id } = workflow;
  const search = useAsked();
  const navigate = useNavigate();
  const isNarrow = useNarrow();
  const [choices, choose] = useState<Choices>(NO_CHOICES);
  const drawing = history.now;
  const trial = useTrial(workflow, drawing, checked.isFaulty ? NO_CHOICES : choices);
  const open = (step: string | undefined) =>
    void navigate({
      to: "/workflows/$id",
      params: { id },
      search: { ...(search.view ? { view: search.view } : {}), ...(step ? { step } : {}) },
      replace: true,
    });
  const drawn: Drawn = {
    id,
    drawing,
    words,
    counts,
    search,
    faults: checked.byStep,
    lit: trial.lit,
    chosen: search.step,
    disabledReason: isNarrow ? words.t.readOnly : disabledReason,
    choose: open,
    insert: (exit, type) => {
      const step = newStep({ type, name: words.t.types[type] });
      history.set(insert(drawing, exit, step));
      open(step.ref);
    },
    connect: (exit, to) => history.set(leadTo(drawing, exit, to)),
  };
  const chosen = drawing.steps.find(({ ref }) => ref === search.step);
  const isList = isNarrow || search.view === "list";
  return (
    <DrawnHere value={drawn}>
      {fault != null && <FaultBanner fault={fault} />}
      <div className={chosen ? "flow-split open" : "flow-split"}>
        <section className="first">
          <TryBar choices={choices} choose={choose} trial={trial} checked={checked} showPast={showPast} />
          {isList ? (
            <StepsList />
          ) : (
            <Suspense fallback={<div className="canvas" aria-busy="true" />}>
              <Canvas />
            </Suspense>
          )}
        </section>
        {chosen && (
          <section className="second">
            {search.state || search.branch ? (
              <PeopleAt
                key={`${chosen.ref} ${search.state} ${search.branch}`}
                step={chosen}
                close={() => open(chosen.ref)}
              />
            ) : (
              <StepPanel
                key={chosen.ref}
                step={chosen}
                history={history}
                checked={checked}
                trial={trial}
                choices={choices}
                choose={choose}
                close={() => open(undefined)}
              />
            )}
          </section>
        )}
      </div>
    </DrawnHere>
  );
}
