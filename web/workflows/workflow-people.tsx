// The tabs beside the canvas: active and ended executions.
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { FaultBanner } from "../parts/form.tsx";
import { SegmentedControl } from "../parts/segmented-control.tsx";
import { showToast } from "../parts/toast.tsx";
import { PersonPicker } from "../writing/preview/person-picker.tsx";
import type { Person } from "../writing/preview/people.ts";
import { useStart, type Execution } from "./calls.ts";
import type { Workflow } from "./drawing.ts";
import { ExecutionRows } from "./execution-rows.tsx";
import { useWorkflowSearch, type Tab } from "./search.ts";
import type { StepNames } from "./describe-step.ts";

type PeopleProps = {
  readonly workflow: Workflow;
  readonly words: StepNames;
  readonly tab: Exclude<Tab, "canvas" | "unstarted">;
  readonly disabledReason: string | undefined;
};

const INSIDE = ["WAITING", "RUNNING"] as const;
const ENDED = ["COMPLETED", "EXITED", "FAILED", "CANCELLED"] as const;

export function WorkflowPeople({ workflow, words, tab, disabledReason }: PeopleProps) {
  const { id } = workflow;
  const { people: t } = words.t;
  const navigate = useNavigate();
  const { status: asked } = useWorkflowSearch();
  const [inside, setInside] = useState<(typeof INSIDE)[number]>("WAITING");
  const past = ENDED.find((one) => one === asked) ?? "COMPLETED";
  const status: Execution["status"] = tab === "people" ? inside : past;
  return (
    <div className="page">
      <div className="inline l">
        {tab === "people" ? (
          <SegmentedControl
            label={t.heads.state}
            value={inside}
            onChange={setInside}
            choices={INSIDE.map((value) => ({ value, content: t.statuses[value] }))}
          />
        ) : (
          <SegmentedControl
            label={t.heads.state}
            value={past}
            onChange={(next) =>
              void navigate({ to: "/workflows/$id", params: { id }, search: { tab, status: next }, replace: true })
            }
            choices={ENDED.map((value) => ({ value, content: t.statuses[value] }))}
          />
        )}
        {tab === "people" && workflow.triggerType === "MANUAL" && (
          <StartPerson workflow={workflow} words={words} disabledReason={disabledReason} />
        )}
      </div>
      <section className="panel" aria-label={t.statuses[status]}>
        <ExecutionRows key={status} id={id} of={{ status }} words={words} disabledReason={disabledReason} isWide />
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
