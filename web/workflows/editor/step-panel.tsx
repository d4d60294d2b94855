// Beside the canvas: the selected step's form, exits, people and test result.
import { PeopleLink } from "../canvas/badges.tsx";
import { countsAt, useDrawn } from "../canvas/on-canvas.ts";
import { Button } from "../../parts/button.tsx";
import { DisabledFields, Field } from "../../parts/fields/form.tsx";
import { Icon, StatusIcon } from "../../parts/icons/icon.tsx";
import { Select } from "../../parts/fields/select.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import type { StepCounts } from "../calls.ts";
import type { Validation } from "../use-validation.ts";
import { exitsOf, transitionAt, type DrawnStep } from "../drawing.ts";
import { change, canConnect, remove } from "../edits.ts";
import { StepFields } from "../forms/step-fields.tsx";
import { TriggerFields } from "../forms/trigger-fields.tsx";
import type { History } from "./history.ts";
import { StepEmails } from "./step-emails.tsx";
import { isRetriable, RetryAll } from "../executions/retry-all.tsx";
import { branchName, ICON_OF, titleOf } from "../describe-step.ts";
import { TestedStepPanel } from "../test-run/tested-step.tsx";
import type { Choices, TestRun } from "../test-run/test-run.ts";

type PanelProps = {
  readonly step: DrawnStep;
  readonly history: History;
  readonly checked: Validation;
  readonly trial: TestRun;
  readonly choices: Choices;
  readonly close: () => void;
};

export function StepPanel({ step, history, checked, trial, choices, close }: PanelProps) {
  const { words, drawing, disabledReason } = useDrawn();
  const { t } = words;
  const faults = checked.besides(step.ref);
  const faultOf = (field: string) => checked.faultOf(step.ref, field);
  const isTrigger = step.type === "TRIGGER";
  const set: History["set"] = (next, merge) => {
    if (disabledReason === undefined) history.set(next, merge);
  };
  return (
    <>
      <div className="panel-head">
        <span className="inline">
          <Icon name={ICON_OF[step.type]} />
          <h2>{t.types[step.type]}</h2>
        </span>
        <Button kind="quiet" small icon="x" className="push" label={t.panel.close} onClick={close} />
      </div>
      <div className="scroll">
        <div className="page">
          {faults.length > 0 && (
            <ul className="faults">
              {faults.map((fault) => (
                <li key={fault}>
                  <StatusIcon name="warn" tone="warn" />
                  {fault}
                </li>
              ))}
            </ul>
          )}
          <DisabledFields reason={disabledReason}>
            {!isTrigger && (
              <Field
                name="name"
                label={t.panel.name}
                maxLength={100}
                value={step.name}
                fault={faultOf("name")}
                onChange={({ currentTarget: { value } }) =>
                  history.set(change(drawing, step.ref, { name: value }), `name ${step.ref}`)
                }
              />
            )}
            {isTrigger ? (
              <TriggerFields drawing={drawing} words={words} faultOf={faultOf} set={set} />
            ) : (
              <StepFields
                step={step}
                words={words}
                faultOf={faultOf}
                set={(config, merge) => set(change(drawing, step.ref, { config }), merge && `${merge} ${step.ref}`)}
              />
            )}
            <Exits step={step} />
          </DisabledFields>
          <PeopleAtStep step={step} />
          {step.type === "SEND_EMAIL" && <StepEmails step={step.ref} />}
          {choices.person && <TestedStepPanel step={step} person={choices.person} trial={trial} />}
          {!isTrigger && (
            <div>
              <Button
                kind="risk"
                icon="trash"
                disabledReason={disabledReason}
                onClick={() => {
                  history.set(remove(drawing, step.ref));
                  showToast(t.panel.removed(titleOf(step, drawing, words)));
                  close();
                }}
              >
                {t.panel.remove}
              </Button>
            </div>
          )}
        </div>
      </div>
      <SavingNote isChanged={history.isChanged} />
    </>
  );
}

function SavingNote({ isChanged }: { readonly isChanged: boolean }) {
  const { words, counts } = useDrawn();
  const { t, number } = words;
  const inside = counts?.executions.inside ?? 0;
  if (!isChanged) return null;
  return (
    <div className="foot">
      <span>{inside > 0 ? t.insideGoOn(number(inside), inside) : t.panel.newStep}</span>
    </div>
  );
}

const ENDS = "nowhere";

/** Connects exits without the canvas. */
function Exits({ step }: { readonly step: DrawnStep }) {
  const { drawing, words, connect } = useDrawn();
  const { t } = words;
  const targets = drawing.steps.filter(({ ref }) => canConnect(drawing, step.ref, ref));
  return exitsOf(step).map((exit) => {
    const to = transitionAt(drawing, exit)?.to;
    return (
      <Select
        key={exit.branch ?? ""}
        name="to"
        label={exit.branch === null ? t.panel.goesOn : t.panel.goesOnBy(branchName(exit.branch, step, words))}
        value={to ?? ENDS}
        options={[
          { id: ENDS, name: t.panel.nowhere },
          ...targets.map((target) => ({ id: target.ref, name: titleOf(target, drawing, words) })),
        ]}
        onChange={(id) => id !== (to ?? ENDS) && connect(exit, id === ENDS ? null : id)}
      />
    );
  });
}

function PeopleAtStep({ step }: { readonly step: DrawnStep }) {
  const { counts, words } = useDrawn();
  const { t, number } = words;
  const own = countsAt({ counts }, step.ref);
  if (!counts) return null;
  return (
    <section className="stack tight" aria-label={t.panel.people}>
      <h3>{t.panel.people}</h3>
      {own === undefined && <p className="help">{t.panel.newStep}</p>}
      {own?.reached === 0 && <p className="help">{t.panel.none}</p>}
      {own !== undefined && own.reached > 0 && (
        <dl className="facts sums">
          <Part step={step} counts={own} state="here" word={t.panel.here} />
          <Part
            step={step}
            counts={own}
            state="passed"
            word={step.type === "EXIT" ? t.panel.passedEnd : t.panel.passed}
          />
          <Part step={step} counts={own} state="stopped" word={t.panel.stopped} />
          <Part step={step} counts={own} state="cancelled" word={t.panel.cancelled} />
          <dt className="total">
            <b>{t.panel.reached}</b>
          </dt>
          <dd className="total end">
            <b>
              <PeopleLink step={step.ref} state="reached">
                {number(own.reached)}
              </PeopleLink>
            </b>
          </dd>
          <Part step={step} counts={own} state="skipped" word={t.panel.skipped} />
          {own.failed > 0 && (
            <>
              <dt>{t.panel.failed}</dt>
              <dd className="end">
                {isRetriable(step) && <RetryAll step={step.ref} />}
                <PeopleLink step={step.ref} state="failed">
                  {number(own.failed)}
                </PeopleLink>
              </dd>
            </>
          )}
        </dl>
      )}
    </section>
  );
}

type PartProps = {
  readonly step: DrawnStep;
  readonly counts: StepCounts;
  readonly state: "here" | "passed" | "stopped" | "cancelled" | "skipped";
  readonly word: string;
};

function Part({ step, counts, state, word }: PartProps) {
  const { words } = useDrawn();
  if (counts[state] === 0) return null;
  return (
    <>
      <dt>{word}</dt>
      <dd className="end">
        <PeopleLink step={step.ref} state={state}>
          {words.number(counts[state])}
        </PeopleLink>
      </dd>
    </>
  );
}
