// Undoes an import: a question, the progress, and the contacts that could not be undone, with the reason.
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useFormats } from "../../../base/formats.ts";
import { useTexts } from "../../../base/language.ts";
import { useIdempotencyKey } from "../../../base/idempotency-key.ts";
import { queries } from "../../../calls/queries.ts";
import { Button } from "../../../parts/button.tsx";
import { Question } from "../../../parts/fields/form-dialog.tsx";
import { Panel } from "../../../parts/layout.tsx";
import { useDisabledReason } from "../../../calls/session.ts";
import { peopleTexts } from "../../../texts/areas.ts";
import { displayName, peopleChanged, personQuery, type BulkJob, type ListedImport } from "../../calls.ts";
import { isOver, jobQuery, undo, bulkQuery } from "../calls.ts";

const SHOWN = 8;

type UndoImportProps = {
  readonly job: ListedImport;
  /** The accessible name of the button in a row. */
  readonly name?: string;
  readonly small?: boolean;
  /** `jobId`: the job that undoes the import. */
  readonly onStart: (jobId: string) => void;
};

export function UndoImport({ job, name, small = false, onStart }: UndoImportProps) {
  const t = useTexts(peopleTexts);
  const words = t.import.undo;
  const { number, exact } = useFormats();
  const idempotencyKey = useIdempotencyKey();
  const mayNot = useDisabledReason("people.bulk");
  const [isAsked, ask] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => undo(job.id, idempotencyKey),
    onSuccess: (jobId) => {
      ask(false);
      peopleChanged();
      void queries.invalidateQueries({ queryKey: jobQuery(job.id).queryKey });
      onStart(jobId);
    },
  });
  const disabledReason = mayNot ?? (Date.parse(job.undoableUntil) <= Date.now() ? words.over : undefined);
  const { createdCount } = job.result;
  return (
    <>
      <Button
        kind={small ? "quiet" : "risk"}
        small={small}
        icon="undo"
        {...(name === undefined ? {} : { label: name })}
        disabledReason={disabledReason}
        onClick={() => ask(true)}
      >
        {small ? words.short : words.open}
      </Button>
      {isAsked && (
        <Question
          title={words.title}
          close={() => ask(false)}
          action={words.action}
          risk
          busy={isPending}
          run={() => mutate()}
        >
          <div className="stack">
            <p>{words.means(createdCount, number(createdCount))}</p>
            <p>{words.stays}</p>
            <p className="dim">{words.until(exact(new Date(job.undoableUntil)))}</p>
          </div>
        </Question>
      )}
    </>
  );
}

export function UndoProgress({ id }: { readonly id: string }) {
  const words = useTexts(peopleTexts).import.undo;
  const { number } = useFormats();
  const { data: job } = useQuery(bulkQuery(id));
  const hasEnded = job !== undefined && isOver(job);
  useEffect(() => {
    if (hasEnded) peopleChanged();
  }, [hasEnded]);
  const { successCount = 0, failureCount = 0 } = job?.result ?? {};
  return (
    <Panel title={hasEnded ? words.done(successCount, number(successCount)) : words.running}>
      <div className="pad stack" role="status">
        {!hasEnded && (
          <progress className="import-progress" max={100} value={job?.progress ?? 0} aria-label={words.running} />
        )}
        {job?.failedReason && <p>{job.failedReason}</p>}
        {failureCount > 0 && <p>{words.stayed(failureCount, number(failureCount))}</p>}
      </div>
      {job && failureCount > 0 && <NotUndone job={job} />}
    </Panel>
  );
}

function NotUndone({ job: { result } }: { readonly job: BulkJob }) {
  const words = useTexts(peopleTexts).import.undo;
  const { number } = useFormats();
  const shown = result.errors.slice(0, SHOWN);
  return (
    <ul className="rows stayed">
      {shown.map(({ contactId, error }) => (
        <li className="line" key={contactId}>
          <Person id={contactId} />
          <span>{words.reasons[error] ?? error}</span>
        </li>
      ))}
      {result.failureCount > shown.length && (
        <li className="line">
          <span className="dim">{words.more(number(result.failureCount - shown.length))}</span>
          <span />
        </li>
      )}
    </ul>
  );
}

function Person({ id }: { readonly id: string }) {
  const { data } = useQuery(personQuery(id));
  return (
    <Link to="/people/$id" params={{ id }} className="opens cut">
      {data ? displayName(data) : "…"}
    </Link>
  );
}
