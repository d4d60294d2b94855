// The canvas or the list of steps, with the form of the chosen step or the people of a number beside it.
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { compact } from "../compact.ts";
import { DrawnHere, type Drawn, useDrawn } from "./canvas/on-canvas.ts";
import { StepsList } from "./canvas/steps-list.tsx";
import { FaultBanner } from "../parts/form.tsx";
import type { Counts } from "./calls.ts";
import type { Checked } from "./checked.ts";
import type { Workflow, Step } from "./drawing.ts";
import { insert, leadTo, newStep } from "./edits.ts";
import type { History } from "./history.ts";
import { useNarrow } from "./narrow.ts";
import { type Words, branchName, titleOf } from "./said.ts";
import { StepPanel } from "./step-panel.tsx";
import { NO_CHOICES, useTrial, type Choices } from "./trial.ts";
import { TryBar } from "./try-bar.tsx";
import { useAsked } from "./search.ts";
import { Button } from "../parts/button.tsx";
import { PeopleRows } from "./people-rows.tsx";
import { isRetriable, RetryAll } from "./retry-all.tsx";

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
      search: compact({ view: search.view, step }),
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

/** The people of a number of a step, beside the canvas. */
function PeopleAt({ step, close }: { readonly step: Step; readonly close: () => void }) {
  const { id, words, drawing, disabledReason } = useDrawn();
  const { t } = words;
  const { state = "passed", branch } = useAsked();
  const word = branch ? branchName(branch, step, words) : t.panel[state];
  return (
    <>
      <div className="panel-head">
        <h2 className="cut">{t.people.of(word, titleOf(step, drawing, words))}</h2>
        <Button kind="quiet" small icon="x" className="push" label={t.people.back} onClick={close} />
      </div>
      {state === "failed" && isRetriable(step) && (
        <div className="actions-row">
          <RetryAll step={step.ref} />
        </div>
      )}
      <div className="scroll">
        <PeopleRows id={id} of={{ stepId: step.ref, state, branch }} words={words} disabledReason={disabledReason} />
      </div>
    </>
  );
}
