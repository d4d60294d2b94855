// The emails of a step by status; each number links to its list.
import { Fragment } from "react";
import { Link } from "@tanstack/react-router";
import { MailLink, emailsAt } from "../canvas/email-badges.tsx";
import { countsAt, useDrawn } from "../canvas/on-canvas.ts";

export function StepEmails({ step }: { readonly step: string }) {
  const { counts, words, id } = useDrawn();
  const { t, number } = words;
  const own = countsAt({ counts }, step);
  if (!own || own.passed === 0) return null;
  return (
    <section className="stack tight" aria-label={t.panel.mailsSent}>
      <h3>{t.panel.mailsSent}</h3>
      <dl className="facts sums">
        {emailsAt(own.mails).map(([kind, count]) => (
          <Fragment key={kind}>
            <dt>{t.panel.mailsAre[kind]}</dt>
            <dd className="end">
              <MailLink step={step} kind={kind} className="opens">
                {number(count)}
              </MailLink>
            </dd>
          </Fragment>
        ))}
      </dl>
      <Link className="row-text" to="/mail" search={{ workflowId: id, stepId: step }}>
        {t.panel.mailsAll}
      </Link>
    </section>
  );
}
