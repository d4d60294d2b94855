// Executions as rows: person, step, time. Each expands to its steps.
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../parts/button.tsx";
import { ColumnNames, More } from "../../parts/rows.tsx";
import { StatusIcon, type StatusIconName, type Tone } from "../../parts/icons/icon.tsx";
import { Skeleton, Timeline } from "../../parts/layout.tsx";
import { Label } from "../../parts/state.tsx";
import { Time } from "../../parts/time.tsx";
import { showToast } from "../../parts/overlays/toast.tsx";
import { useCancelExecution, useExecutions, useTrace, type Execution, type PeopleOf } from "../calls.ts";
import "./people.css";
import type { StepNames } from "../describe-step.ts";

const STATUS_ICONS: Readonly<Record<Execution["status"], { readonly icon: StatusIconName; readonly tone?: Tone }>> = {
  RUNNING: { icon: "sending", tone: "note" },
  WAITING: { icon: "scheduled" },
  COMPLETED: { icon: "delivered", tone: "ok" },
  EXITED: { icon: "on" },
  FAILED: { icon: "failed", tone: "bad" },
  CANCELLED: { icon: "cancelled" },
};

type RowsProps = {
  readonly id: string;
  readonly of: PeopleOf;
  readonly words: StepNames;
  readonly disabledReason: string | undefined;
  readonly isWide?: boolean;
};

export function ExecutionRows({ id, of, words, disabledReason, isWide = false }: RowsProps) {
  const { people: t } = words.t;
  const [open, setOpen] = useState<string | null>(null);
  const { all, ...pages } = useExecutions(id, of);
  const className = isWide ? "executions wide" : "executions";
  if (!all) return <Skeleton of={pages} rows={6} columns={3} className={className} />;
  if (all.length === 0) return <p className="pad dim row-text">{t.none}</p>;
  return (
    <>
      <div className={`rows ${className}`}>
        {isWide && <Heads words={words} isInside={all[0]?.endedAt === null} />}
        {all.map((execution) => (
          <div key={execution.id} className="one">
            <Row
              execution={execution}
              words={words}
              isWide={isWide}
              isOpen={open === execution.id}
              toggle={() => setOpen(open === execution.id ? null : execution.id)}
            />
            {open === execution.id && (
              <Trace id={id} execution={execution} words={words} disabledReason={disabledReason} />
            )}
          </div>
        ))}
      </div>
      <More {...pages} name={t.more} className="foot" />
    </>
  );
}

function Heads({ words, isInside }: { readonly words: StepNames; readonly isInside: boolean }) {
  const { people: t } = words.t;
  return (
    <ColumnNames
      columns={[
        t.heads.person,
        t.heads.state,
        t.heads.at,
        { end: t.heads.since },
        { end: isInside ? t.heads.goesOn : t.heads.until },
      ]}
    />
  );
}

type RowProps = {
  readonly execution: Execution;
  readonly words: StepNames;
  readonly isWide: boolean;
  readonly isOpen: boolean;
  readonly toggle: () => void;
};

function Row({ execution, words, isWide, isOpen, toggle }: RowProps) {
  const { people: t } = words.t;
  const { contact, status, currentStep, startedAt, endedAt, resumesAt, reason, waitingFor } = execution;
  const then = endedAt ?? resumesAt;
  const { icon, tone } = STATUS_ICONS[status];
  return (
    <button type="button" className="line" aria-expanded={isOpen} onClick={toggle}>
      <b className="cut">{contact.email}</b>
      <Label icon={icon} tone={tone}>
        {t.statuses[status]}
      </Label>
      <span className="dim cut">{reason ?? (waitingFor ? t.waitsFor(waitingFor) : (currentStep?.name ?? ""))}</span>
      {isWide && (
        <span className="dim small end">
          <Time at={startedAt} as="brief" />
        </span>
      )}
      <span className="dim small end">
        {isWide ? then && <Time at={then} as="brief" /> : <Time at={endedAt ?? startedAt} as="brief" />}
      </span>
    </button>
  );
}

const STEP_MARKS: Readonly<Record<string, { readonly icon: StatusIconName; readonly tone: Tone }>> = {
  WAITING: { icon: "scheduled", tone: "dim" },
  COMPLETED: { icon: "delivered", tone: "ok" },
  SKIPPED: { icon: "skipped", tone: "dim" },
  FAILED: { icon: "failed", tone: "bad" },
  CANCELLED: { icon: "cancelled", tone: "dim" },
};

type TraceProps = {
  readonly id: string;
  readonly execution: Execution;
  readonly words: StepNames;
  readonly disabledReason: string | undefined;
};

function Trace({ id, execution, words, disabledReason }: TraceProps) {
  const { people: t } = words.t;
  const { data, ...asked } = useTrace(id, execution.id);
  const { mutate, isPending } = useCancelExecution(id);
  const { email } = execution.contact;
  const isInside = execution.endedAt === null;
  if (!data) return <Skeleton of={asked} rows={3} columns={2} className="executions" />;
  return (
    <section className="way" aria-label={t.showTrace(email)}>
      <Timeline
        moments={data.steps.map(({ id: run, name, type, status, output, attempts, startedAt }) => ({
          id: run,
          ...(STEP_MARKS[status] ?? { icon: "dot" as const }),
          title: `${name}: ${t.stepStates[status]}`,
          when: <Time at={startedAt} as="brief" />,
          children: (
            <>
              {typeof output?.["reason"] === "string" && <span className="dim">{output["reason"]}</span>}
              {typeof output?.["branch"] === "string" && (
                <span className="dim">{words.t.branches[output["branch"]] ?? output["branch"]}</span>
              )}
              {type === "WEBHOOK" &&
                attempts.map(({ number, status: code, answer, at }) => (
                  <span className="dim small" key={number}>
                    {number}. {code ?? ""} {answer?.slice(0, 200) ?? ""} · <Time at={at} as="brief" />
                  </span>
                ))}
              {typeof output?.["emailId"] === "string" && (
                <Link className="row-text" to="/mail/$id" params={{ id: output["emailId"] }}>
                  {t.mail}
                </Link>
              )}
            </>
          ),
        }))}
      />
      <Link className="row-text" to="/people/$id" params={{ id: execution.contact.id }}>
        {t.person}
      </Link>
      {data.reason && (
        <p className="inline row-text">
          <StatusIcon name="info" /> {data.reason}
        </p>
      )}
      {isInside && (
        <Button
          kind="risk"
          small
          busy={isPending}
          disabledReason={disabledReason}
          onClick={() => mutate(execution.id, { onSuccess: () => showToast(t.stopped(email)) })}
        >
          {t.stop}
        </Button>
      )}
    </section>
  );
}
