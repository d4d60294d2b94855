// The people of a number of a step, beside the canvas.
import { useDrawn } from "./canvas/on-canvas.ts";
import { Button } from "../parts/button.tsx";
import type { Step } from "./drawing.ts";
import { PeopleRows } from "./people-rows.tsx";
import { branchName, titleOf } from "./said.ts";
import { isRetriable, RetryAll } from "./retry-all.tsx";
import { useAsked } from "./search.ts";

export function PeopleAt({ step, close }: { readonly step: Step; readonly close: () => void }) {
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
