// Events that did not start the workflow, by reason and person.
import { Link } from "@tanstack/react-router";
import { More } from "../../parts/rows.tsx";
import { Skeleton } from "../../parts/layout.tsx";
import { Time } from "../../parts/time.tsx";
import { useNotStarted } from "../calls.ts";
import type { StepNames } from "../describe-step.ts";

export function NotStarted({ id, words: { t: texts, number } }: { readonly id: string; readonly words: StepNames }) {
  const { unstarted: t } = texts;
  const { first, all, ...pages } = useNotStarted(id);
  if (!first || !all) return <Skeleton of={pages} rows={6} columns={3} className="executions wide" />;
  const shown = first.isLowerBound ? texts.atLeast(number(first.total)) : number(first.total);
  return (
    <div className="page">
      <section className="panel" aria-label={t.title}>
        {all.length === 0 ? (
          <p className="pad dim row-text">{t.none}</p>
        ) : (
          <p className="pad row-text">
            {t.of(shown, first.total)}{" "}
            {first.counts.map(({ reason, events }) => `${number(events)} × ${t.reasons[reason]}`).join(", ")}.{" "}
            <span className="dim">{t.mend}</span>
          </p>
        )}
        <div className="rows executions unstarted">
          {all.map(({ eventId, contact, reason, createdAt }) => (
            <div key={eventId} className="one line">
              {contact ? (
                <Link to="/people/$id" params={{ id: contact.id }} className="cut">
                  {contact.email}
                </Link>
              ) : (
                <span className="dim">{t.nobody}</span>
              )}
              <span className="dim cut">{t.reasons[reason]}</span>
              <span className="dim small end">
                <Time at={createdAt} as="brief" />
              </span>
            </div>
          ))}
        </div>
        <More {...pages} name={t.more} className="foot" />
      </section>
    </div>
  );
}
