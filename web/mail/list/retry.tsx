// Retries failed emails as a job, whose progress is shown below the list.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../calls/api.ts";
import { useTexts } from "../../base/language.ts";
import { Button } from "../../parts/button.tsx";
import { Question } from "../../parts/fields/form-dialog.tsx";
import { queries } from "../../calls/queries.ts";
import { useDisabledReason } from "../../calls/session.ts";
import { signal, useSignal } from "../../base/signal.ts";
import { mailTexts } from "../../texts/areas.ts";
import { useCommands } from "../../commands.ts";
import { queryOf, tokensOf } from "../filter/search-query.ts";
import type { MailFilters } from "../filter/filters.ts";
import { retryQuery } from "../calls.ts";
import { RetryProgress } from "./retry-progress.tsx";

/** The id of the job that is shown, under any filters of the list; null = none. */
export const retryJob = signal<string | null>(null);

type RetryStatus = "FAILED" | "BOUNCED";

export function Retry({ filters }: { readonly filters: MailFilters }) {
  const t = useTexts(mailTexts);
  const [isAsking, ask] = useState(false);
  const job = useSignal(retryJob);
  const role = useDisabledReason("mail.send");
  const disabledReason = role ?? (filters.search === undefined ? undefined : t.retry.noWords);
  const begin = () => disabledReason === undefined && ask(true);
  useCommands([{ id: "retry", name: t.retry.name, icon: "again", run: begin, disabledReason }]);
  if (job !== null) return <FollowedJob job={job} />;
  return (
    <>
      <Button kind="quiet" small icon="again" disabledReason={disabledReason} onClick={begin}>
        {t.retry.name}
      </Button>
      {isAsking && <RetryDialog filters={filters} close={() => ask(false)} />}
    </>
  );
}

function FollowedJob({ job }: { readonly job: string }) {
  const { data } = useQuery(retryQuery(job));
  return data ? <RetryProgress job={data} close={() => retryJob.set(null)} /> : null;
}

/** Whether the list shows emails that a retry may help. */
export function mayRetry({ status }: MailFilters): boolean {
  return status !== undefined && statusesIn(status).length === status.split(",").length;
}

function statusesIn(status = ""): readonly RetryStatus[] {
  return status.split(",").filter((one): one is RetryStatus => one === "FAILED" || one === "BOUNCED");
}

function RetryDialog({ filters, close }: { readonly filters: MailFilters; readonly close: () => void }) {
  const t = useTexts(mailTexts);
  const { mutate, isPending, error } = useRetry(filters, close);
  const tokens = tokensOf(filters);
  return (
    <Question
      title={t.retry.title}
      close={close}
      action={t.retry.begin}
      icon="again"
      autoFocus
      busy={isPending}
      fault={error}
      run={() => mutate()}
    >
      <div className="stack">
        <p className="inline wrap">
          {tokens.map(({ name, text }) => (
            <span className="tok" key={name}>
              {text}
            </span>
          ))}
        </p>
        <p>{t.retry.text}</p>
        <p className="dim">{t.retry.but}</p>
      </div>
    </Question>
  );
}

function useRetry(filters: MailFilters, close: () => void) {
  return useMutation({
    meta: { inForm: true },
    mutationFn: async () => {
      const { held: _, search: __, retrying: ___, scheduled: ____, status, ...filter } = filters;
      const body = { filter: { ...queryOf(filter), status: [...statusesIn(status)] } };
      return call("POST /emails/retry", { body });
    },
    onSuccess: ({ jobId }) => {
      retryJob.set(jobId);
      void queries.invalidateQueries({ queryKey: ["mails"] });
      close();
    },
  });
}
