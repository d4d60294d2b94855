// The canvas or the list of steps; beside it the form of the selected step, or the people behind a number.
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { compact } from "../../base/compact.ts";
import { DrawnContext, type CanvasDrawing, useDrawn } from "../canvas/on-canvas.ts";
import { StepsList } from "../canvas/steps-list.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import type { WorkflowCounts } from "../calls.ts";
import type { Validation } from "../use-validation.ts";
import type { Workflow, DrawnStep } from "../drawing.ts";
import { insert, connect, newStep } from "../edits.ts";
import type { History } from "./history.ts";
import { useNarrow } from "./use-narrow.ts";
import { type StepNames, branchName, titleOf } from "../describe-step.ts";
import { StepPanel } from "./step-panel.tsx";
import { NO_CHOICES, useTestRun, type Choices } from "../test-run/test-run.ts";
import { TestBar } from "../test-run/test-bar.tsx";
import { useWorkflowSearch } from "../search.ts";
import { Button } from "../../parts/button.tsx";
import { ExecutionRows } from "../executions/execution-rows.tsx";
import { isRetriable, RetryAll } from "../executions/retry-all.tsx";
import { lazyPart } from "../../chunks.tsx";

/** Loaded lazily, because it contains the canvas library. */
const Canvas = lazyPart(() => import("../canvas/canvas.tsx"), "Canvas");

type EditorProps = {
  readonly workflow: Workflow;
  readonly words: StepNames;
  readonly history: History;
  readonly checked: Validation;
  /** Marks a step as new. */
  readonly bear: (step: DrawnStep) => void;
  readonly counts: WorkflowCounts | undefined;
  readonly disabledReason: string | undefined;
  readonly fault: unknown;
  readonly showPast: () => void;
};

export function Editor({ workflow, words, history, checked, bear, ...rest }: EditorProps) {
  const { counts, disabledReason, fault, showPast } = rest;
  const { id } = workflow;
  const search = useWorkflowSearch();
  const navigate = useNavigate();
  const isNarrow = useNarrow();
  const [choices, choose] = useState<Choices>(NO_CHOICES);
  const drawing = history.now;
  const trial = useTestRun(workflow, drawing, checked.isFaulty ? NO_CHOICES : choices);
  const open = (step: string | undefined) =>
    void navigate({
      to: "/workflows/$id",
      params: { id },
      search: compact({ view: search.view, step }),
      replace: true,
    });
  const drawn: CanvasDrawing = {
    id,
    drawing,
    words,
    counts,
    search,
    faults: checked.byStep,
    highlighted: trial.highlighted,
    chosen: search.step,
    disabledReason: isNarrow ? words.t.readOnly : disabledReason,
    choose: open,
    insert: (exit, type) => {
      const step = newStep({ type, name: words.t.types[type] });
      bear(step);
      history.set(insert(drawing, exit, step));
      open(step.ref);
    },
    connect: (exit, to) => history.set(connect(drawing, exit, to)),
  };
  const chosen = drawing.steps.find(({ ref }) => ref === search.step);
  const isList = isNarrow || search.view === "list";
  return (
    <DrawnContext value={drawn}>
      {fault != null && <FaultBanner fault={fault} />}
      <div className={chosen ? "flow-split open" : "flow-split"}>
        <section className="first">
          <TestBar choices={choices} choose={choose} trial={trial} checked={checked} showPast={showPast} />
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
                close={() => open(undefined)}
              />
            )}
          </section>
        )}
      </div>
    </DrawnContext>
  );
}

/** The people behind a step's number. */
function PeopleAt({ step, close }: { readonly step: DrawnStep; readonly close: () => void }) {
  const { id, words, drawing, disabledReason } = useDrawn();
  const { t } = words;
  const { state = "passed", branch } = useWorkflowSearch();
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
        <ExecutionRows id={id} of={{ stepId: step.ref, state, branch }} words={words} disabledReason={disabledReason} />
      </div>
    </>
  );
}
