// The counts on a step: people who wait there, and those for whom it failed. Each links to its people.
import { Link } from "@tanstack/react-router";
import { StatusIcon } from "../../parts/icons/icon.tsx";
import type { StateAtStep, WorkflowSearch } from "../search.ts";
import { countsAt, useDrawn } from "./on-canvas.ts";

export function Badges({ step }: { readonly step: string }) {
  const drawn = useDrawn();
  const { t, number } = drawn.words;
  const counts = countsAt(drawn, step);
  const faults = drawn.faults.get(step)?.length ?? 0;
  if (!counts) return faults > 0 ? <Faults count={faults} /> : null;
  const { here, failed } = counts;
  return (
    <>
      {faults > 0 && <Faults count={faults} />}
      {here > 0 && (
        <PeopleLink step={step} state="here" className="here" label={t.hereNow(number(here))}>
          <StatusIcon name="scheduled" tone="dim" />
          {number(here)}
        </PeopleLink>
      )}
      {failed > 0 && (
        <PeopleLink step={step} state="failed" className="here bad" label={t.failedHere(number(failed))}>
          <StatusIcon name="failed" tone="bad" />
          {number(failed)}
        </PeopleLink>
      )}
    </>
  );
}

function Faults({ count }: { readonly count: number }) {
  const { words } = useDrawn();
  return (
    <span className="here warn" title={words.t.faultsHere(count)}>
      <StatusIcon name="warn" tone="warn" />
      {count}
      <span className="hidden-text">{words.t.faultsHere(count)}</span>
    </span>
  );
}

type PeopleLinkProps = {
  readonly step: string;
  readonly state: StateAtStep;
  readonly branch?: string | null;
  readonly className?: string;
  readonly label?: string;
  readonly children: React.ReactNode;
};

/** A link to the people behind a number. */
export function PeopleLink({ step, state, branch, className = "opens", label, children }: PeopleLinkProps) {
  const { id, search } = useDrawn();
  const { branch: _, ...rest } = search;
  const asked: WorkflowSearch = { ...rest, step, state, ...(branch ? { branch } : {}) };
  return (
    <Link
      className={className}
      to="/workflows/$id"
      params={{ id }}
      search={asked}
      title={label}
      {...(label ? { "aria-label": label } : {})}
    >
      {children}
    </Link>
  );
}
