// Merges all contacts with the same mailbox, after a preview; its progress and result.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { Skeleton } from "../../parts/layout.tsx";
import { useDisabledReason } from "../../calls/session.ts";
import { peopleTexts } from "../../texts/areas.ts";
import { peopleChanged, type BulkJob } from "../calls.ts";
import { bulkQuery, isOver } from "../import/calls.ts";
import { textOf } from "../person/values.ts";
import { previewQuery, useMergeAll, type MergePreview } from "./calls.ts";

/** The dialog stays open even if the offer ends. */
export function MergeAll({ isOffered }: { readonly isOffered: boolean }) {
  const { all: t } = useTexts(peopleTexts).duplicates;
  const [isAsking, ask] = useState(false);
  const mayMerge = useDisabledReason("people.bulk");
  return (
    <>
      {isOffered && (
        <div className="inline">
          <Button disabledReason={mayMerge} onClick={() => ask(true)}>
            {t.open}
          </Button>
        </div>
      )}
      {isAsking && <MergeAllQuestion close={() => ask(false)} />}
    </>
  );
}

function MergeAllQuestion({ close }: { readonly close: () => void }) {
  const { all: t } = useTexts(peopleTexts).duplicates;
  const { number } = useFormats();
  const { data, ...query } = useQuery(previewQuery);
  const merging = useMergeAll();
  const groups = data?.groups ?? 0;
  return (
    <Question
      wide
      title={t.title}
      close={close}
      action={t.action(groups, number(groups))}
      busy={merging.isPending}
      disabledReason={groups === 0 ? t.none : undefined}
      fault={merging.error}
      run={() => data && merging.mutate(data.searchId, { onSuccess: close })}
    >
      {data ? <Preview preview={data} /> : <Skeleton of={query} rows={5} columns={2} />}
    </Question>
  );
}

function Preview({ preview }: { readonly preview: MergePreview }) {
  const { all: t } = useTexts(peopleTexts).duplicates;
  const { number } = useFormats();
  const { groups, contacts, unsubscribing, refused, samples } = preview;
  return (
    <div className="stack">
      <p>{groups === 0 ? t.none : t.counts(groups, number(groups), number(contacts))}</p>
      {unsubscribing > 0 && <p>{t.unsubscribing(unsubscribing, number(unsubscribing))}</p>}
      {refused.pending > 0 && <p>{t.pending(refused.pending, number(refused.pending))}</p>}
      {refused.dismissed > 0 && <p>{t.dismissed(refused.dismissed, number(refused.dismissed))}</p>}
      {samples.length > 0 && (
        <section aria-label={t.samples}>
          <h3>{t.samples}</h3>
          <ul className="merge-samples">
            {samples.map((sample) => (
              <Sample key={sample.into.id} sample={sample} />
            ))}
          </ul>
        </section>
      )}
      {groups > 0 && <p className="dim">{t.undo}</p>}
    </div>
  );
}

function Sample({
  sample: { into, from, added, lost, subscribed },
}: {
  readonly sample: MergePreview["samples"][number];
}) {
  const { all: t } = useTexts(peopleTexts).duplicates;
  const pairsText = (values: readonly (readonly [string, unknown])[]) =>
    values.map(([key, value]) => `${key}: ${textOf(value)}`).join(" · ");
  const gets = pairsText(Object.entries(added));
  const loses = pairsText(lost.map(({ key, value }) => [key, value]));
  return (
    <li>
      <b>{t.stays(into.email)}</b>
      <span className="dim">{t.goes(from.map(({ email }) => email).join(", "))}</span>
      {gets && <span>{t.added(gets)}</span>}
      {loses && <span className="warn-words">{t.lost(loses)}</span>}
      {into.subscribed && !subscribed && <span className="warn-words">{t.unsubscribed}</span>}
    </li>
  );
}

/** The last job that merged all; undefined after a new search, and after 30 days. */
export function useMergeAllJob(id: string | null | undefined) {
  const { data: job } = useQuery({ ...bulkQuery(id ?? ""), enabled: id != null });
  const hasEnded = job !== undefined && isOver(job);
  useEffect(() => {
    if (hasEnded) peopleChanged();
  }, [hasEnded]);
  return id == null ? undefined : job;
}

export function MergeAllProgress({ job }: { readonly job: BulkJob }) {
  const { all: t } = useTexts(peopleTexts).duplicates;
  const { number } = useFormats();
  const { successCount, failureCount } = job.result;
  if (!isOver(job))
    return (
      <section className="panel pad stack" role="status">
        <p>{t.running}</p>
        <progress max={100} value={job.progress} aria-label={t.running} />
      </section>
    );
  const left = failureCount > 0 ? ` ${t.left(failureCount, number(failureCount))}` : "";
  return (
    <Banner tone={job.status === "FAILED" ? "bad" : "ok"} role="status">
      {job.failedReason ?? `${t.done(successCount, number(successCount))}${left} ${t.undoBelow}`}
    </Banner>
  );
}
