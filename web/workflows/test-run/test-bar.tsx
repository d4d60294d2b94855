// Above the canvas: the person of the test run, and the result of each wait.
import { useDrawn } from "../canvas/on-canvas.ts";
import { Button } from "../../parts/button.tsx";
import { Icon, StatusIcon } from "../../parts/icons/icon.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { TestedEvent } from "./event-data.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { PersonPicker } from "../../writing/preview/person-picker.tsx";
import type { Validation } from "../use-validation.ts";
import { NO_CHOICES, type Choices, type TestRun } from "./test-run.ts";

type TestBarProps = {
  readonly choices: Choices;
  readonly choose: (choices: Choices) => void;
  readonly trial: TestRun;
  readonly checked: Validation;
  readonly showPast: () => void;
};

export function TestBar({ choices, choose, trial, checked, showPast }: TestBarProps) {
  const { words } = useDrawn();
  const { trial: t } = words.t;
  const { person } = choices;
  return (
    <div className="trybar" role="group" aria-label={t.open}>
      <Icon name="play" />
      <span className="said">{person ? t.with : t.open}</span>
      <PersonPicker
        chosen={person}
        choose={(next) => choose({ ...choices, person: next, event: null })}
        otherwise={t.choose}
      />
      {!person && (
        <Button small icon="clock" className="push" onClick={showPast}>
          {words.t.pastCheck.open}
        </Button>
      )}
      {person && (
        <>
          {trial.found && <TestedEvent choices={choices} choose={choose} event={trial.found.event} />}
          {checked.isFaulty ? (
            <span className="inline warn-ink">
              <StatusIcon name="warn" tone="warn" />
              {t.faulty}
            </span>
          ) : (
            <Waits choices={choices} choose={choose} trial={trial} />
          )}
          <Outcome trial={trial} />
          <Button kind="quiet" small icon="x" label={t.end} className="push" onClick={() => choose(NO_CHOICES)} />
        </>
      )}
    </div>
  );
}

type WaitsProps = Omit<TestBarProps, "checked" | "showPast">;

/** The waits that the person of the test run reaches. */
function Waits({ choices, choose, trial }: WaitsProps) {
  const { words } = useDrawn();
  const { t } = words;
  const waits = trial.found?.steps.filter(({ type }) => type === "WAIT_FOR_EVENT") ?? [];
  return waits.map(({ stepId, name }) => (
    <span className="inline said" key={stepId}>
      <span className="dim cut wait-name">{t.trial.at(name)}</span>
      <SegmentedControl
        small
        label={t.trial.at(name)}
        value={choices.branches[stepId] ?? "event"}
        onChange={(branch) => choose({ ...choices, branches: { ...choices.branches, [stepId]: branch } })}
        choices={(["event", "timeout"] as const).map((value) => ({ value, content: t.branches[value] ?? value }))}
      />
    </span>
  ));
}

function Outcome({ trial: { found, fault } }: { readonly trial: TestRun }) {
  const { words } = useDrawn();
  const { trial: t } = words.t;
  if (fault)
    return (
      <span className="bad-ink cut" role="alert">
        <Refusal fault={fault} />
      </span>
    );
  if (!found) return null;
  const { status, reason, obstacleReason } = found;
  const text = status === "FAILED" ? t.failed(reason ?? "") : t.nothingIsSent;
  return (
    <span className="outcome" role="status">
      {obstacleReason !== null && (
        <span className="inline warn-ink">
          <StatusIcon name="warn" tone="warn" />
          {t.obstacles[obstacleReason]}
        </span>
      )}
      <span className="dim">{text}</span>
    </span>
  );
}
