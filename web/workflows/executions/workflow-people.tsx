// The tabs beside the canvas: the people behind each number of the whole workflow.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/overlays/dialog.tsx";
import { FaultBanner } from "../../parts/fields/form.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { PersonPicker } from "../../writing/preview/person-picker.tsx";
import type { Person } from "../../writing/preview/people.ts";
import { useStart } from "../calls.ts";
import type { Workflow } from "../drawing.ts";
import { ExecutionRows } from "./execution-rows.tsx";
import { ENDED, INSIDE, useWorkflowSearch, type StateInWorkflow, type WorkflowTab } from "../search.ts";
import type { StepNames } from "../describe-step.ts";

type PeopleProps = {
  readonly workflow: Workflow;
  readonly words: StepNames;
  readonly tab: Exclude<WorkflowTab, "canvas" | "unstarted">;
  readonly disabledReason: string | undefined;
};

export function WorkflowPeople({ workflow, words, tab, disabledReason }: PeopleProps) {
  const { id } = workflow;
  const { people: t } = words.t;
  const navigate = useNavigate();
  const { of: asked } = useWorkflowSearch();
  const choices: readonly StateInWorkflow[] = tab === "people" ? INSIDE : ENDED;
  const state = choices.find((one) => one === asked) ?? (choices[0] as StateInWorkflow);
  return (
    <div className="page">
      <div className="inline l">
        <SegmentedControl
          label={t.heads.state}
          value={state}
          onChange={(of) => void navigate({ to: "/workflows/$id", params: { id }, search: { tab, of }, replace: true })}
          choices={choices.map((value) => ({ value, content: words.t[value] }))}
        />
        {tab === "people" && workflow.triggerType === "MANUAL" && (
          <StartPerson workflow={workflow} words={words} disabledReason={disabledReason} />
        )}
      </div>
      <section className="panel" aria-label={words.t[state]}>
        <ExecutionRows key={state} id={id} of={{ state }} words={words} disabledReason={disabledReason} isWide />
      </section>
    </div>
  );
}

type StartProps = Omit<PeopleProps, "tab">;

function StartPerson({ workflow: { id, enabled }, words, disabledReason }: StartProps) {
  const { people: t } = words.t;
  const [isOpen, open] = useState(false);
  const [person, choose] = useState<Person | null>(null);
  const { mutate, isPending, error } = useStart(id, () => {
    showToast(t.startedOne(person?.name ?? ""));
    open(false);
    choose(null);
  });
  return (
    <>
      <Button
        icon="plus"
        className="push"
        disabledReason={disabledReason ?? (enabled ? undefined : t.startOff)}
        onClick={() => open(true)}
      >
        {t.start}
      </Button>
      <Dialog
        title={t.startTitle}
        isOpen={isOpen}
        onClose={() => open(false)}
        actions={
          <Button
            kind="first"
            busy={isPending}
            disabledReason={person ? undefined : words.t.trial.choose}
            onClick={() => person && mutate(person.id)}
          >
            {t.start}
          </Button>
        }
      >
        {error != null && <FaultBanner fault={error} />}
        <PersonPicker chosen={person} choose={choose} otherwise={words.t.trial.choose} />
      </Dialog>
    </>
  );
}
