// An import under way: how far it is, and at its end what became of the rows.
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useFormats } from "../../formats.ts";
import { useTexts } from "../../language.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { FaultBanner } from "../../parts/form.tsx";
import { Panel } from "../../parts/layout.tsx";
import { Number, Sum } from "../../parts/number.tsx";
import { peopleTexts } from "../../texts/people.ts";
import { peopleChanged } from "../calls.ts";
import { Lines, SaveErrors } from "./bad-rows.tsx";
import { jobQuery } from "./calls.ts";

type JobProps = { readonly id: string; readonly name: string; readonly again: () => void };

export function Job({ id, name, again }: JobProps) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const { data: job, error } = useQuery(jobQuery(id));
  const isOver = job?.status === "COMPLETED" || job?.status === "FAILED";
  useEffect(() => {
    if (isOver) peopleChanged();
  }, [isOver]);
  if (error && !job) return <FaultBanner fault={error} />;
  const { totalRows = 0, createdCount = 0, updatedCount = 0, failureCount = 0, errors = [] } = job?.result ?? {};
  const title = job?.status === "FAILED" ? t.import.failed : isOver ? t.import.done : t.import.running;
  return (
    <>
      <Panel title={title}>
        <div className="pad stack l" role="status">
          {!isOver && (
            <>
              <progress
                className="import-progress"
                max={100}
                value={job?.progress ?? 0}
                aria-label={t.import.running}
              />
              <p className="dim row-text">{t.import.goesOn}</p>
            </>
          )}
          {job?.failedReason && <p>{job.failedReason}</p>}
          {isOver && (
            <Sum
              parts={[
                { id: "rows", value: totalRows, label: t.import.rows },
                { id: "created", value: createdCount, label: t.import.parts.created, mark: "plus" },
                { id: "updated", value: updatedCount, label: t.import.seen, mark: "changed" },
                { id: "failed", value: failureCount, label: t.import.parts.failed, mark: "failed", tone: "bad" },
              ]}
            />
          )}
          {isOver && (
            <span className="inline">
              <ButtonLink kind="first" to="/people" search={{ since: "24h" }}>
                {t.import.show}
              </ButtonLink>
              <Button onClick={again}>{t.import.another}</Button>
            </span>
          )}
          {!isOver && <Number value={totalRows} label={t.import.rows} />}
        </div>
      </Panel>
      {failureCount > 0 && (
        <section className="panel" aria-label={t.import.badTitle}>
          <header>
            <h2>{t.import.bad(failureCount, number(failureCount))}</h2>
            <SaveErrors errors={errors} name={name} />
          </header>
          <Lines errors={errors} failed={failureCount} />
        </section>
      )}
    </>
  );
}
