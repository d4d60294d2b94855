// A running import: its progress, then its result.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useFormats } from "../../../base/formats.ts";
import { useTexts } from "../../../base/language.ts";
import { Button, ButtonLink } from "../../../parts/button.tsx";
import { FaultBanner } from "../../../parts/fields/form.tsx";
import { Panel } from "../../../parts/layout.tsx";
import { Number, Sum } from "../../../parts/number.tsx";
import { Time } from "../../../parts/time.tsx";
import { peopleTexts } from "../../../texts/areas.ts";
import { peopleChanged } from "../../calls.ts";
import { RowLines, SaveErrors } from "../invalid-rows.tsx";
import { SkippedCells } from "../skipped-cells.tsx";
import { isOver, jobQuery } from "../calls.ts";
import { Imported, Invalid, invalidRows, knowsContacts } from "./links.tsx";
import { UndoProgress, UndoImport } from "./undo.tsx";

type JobProps = { readonly id: string; readonly again: () => void };

export function ImportJobPanel({ id, again }: JobProps) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const { data: job, error } = useQuery(jobQuery(id));
  const [begun, undo] = useState<string>();
  const undoneBy = begun ?? (job?.undo?.status === "FAILED" ? undefined : job?.undo?.jobId);
  const hasEnded = job !== undefined && isOver(job);
  useEffect(() => {
    if (hasEnded) peopleChanged();
  }, [hasEnded]);
  if (error && !job) return <FaultBanner fault={error} />;
  const {
    totalRows = 0,
    createdCount = 0,
    updatedCount = 0,
    repeatedCount = 0,
    failureCount = 0,
    errors = [],
    skippedCellCount = 0,
    skippedCells = [],
  } = job?.result ?? {};
  const title = job?.status === "FAILED" ? t.import.failed : hasEnded ? t.import.done : t.import.running;
  return (
    <>
      <Panel
        title={title}
        actions={
          job && (
            <span className="dim row-text cut">
              {[job.fileName, job.by.name ?? t.import.list.by[job.by.kind]].filter(Boolean).join(", ")}{" "}
              <Time at={job.createdAt} as="exact" />
            </span>
          )
        }
      >
        <div className="pad stack l" role="status">
          {!hasEnded && (
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
          {hasEnded && (
            <Sum
              parts={[
                { id: "rows", value: totalRows, label: t.import.rows },
                {
                  id: "created",
                  value: createdCount,
                  label: t.import.parts.created,
                  icon: "plus" as const,
                  open: (shown) => (
                    <Imported job={job} imported="ADDED">
                      {shown}
                    </Imported>
                  ),
                },
                {
                  id: "updated",
                  value: updatedCount - repeatedCount,
                  label: t.import.seen,
                  icon: "changed" as const,
                  open: (shown) => (
                    <Imported job={job} imported="FOUND">
                      {shown}
                    </Imported>
                  ),
                },
                ...(repeatedCount > 0
                  ? [{ id: "repeated", value: repeatedCount, label: t.import.parts.repeated }]
                  : []),
                {
                  id: "failed",
                  value: failureCount,
                  label: t.import.parts.failed,
                  icon: "failed" as const,
                  tone: "bad" as const,
                  ...(failureCount > 0
                    ? {
                        open: (shown: string) => <Invalid job={job}>{shown}</Invalid>,
                      }
                    : {}),
                },
              ]}
            />
          )}
          {hasEnded && (
            <span className="inline after-import">
              {createdCount > 0 && knowsContacts(job) && (
                <ButtonLink kind="first" to="/people" search={{ importId: id, imported: "ADDED" }}>
                  {t.import.show}
                </ButtonLink>
              )}
              <Button onClick={again}>{t.import.list.all}</Button>
              {undoneBy === undefined && <UndoImport job={job} onStart={undo} />}
            </span>
          )}
          {!hasEnded && <Number value={totalRows} label={t.import.rows} />}
        </div>
      </Panel>
      {undoneBy !== undefined && <UndoProgress id={undoneBy} />}
      {failureCount > 0 && (
        <section className="panel" {...invalidRows} aria-label={t.import.badTitle}>
          <header>
            <h2>{t.import.bad(failureCount, number(failureCount))}</h2>
            <SaveErrors errors={errors} name={job?.fileName ?? "import.csv"} />
          </header>
          <RowLines errors={errors} failed={failureCount} />
        </section>
      )}
      {skippedCellCount > 0 && <SkippedCells cells={skippedCells} count={skippedCellCount} />}
    </>
  );
}
