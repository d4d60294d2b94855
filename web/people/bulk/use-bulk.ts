// Runs bulk jobs to their end. Undo runs the opposite job for the changed contacts.
import { useMutation } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { showToast } from "../../parts/overlays/toast.tsx";
import { peopleTexts } from "../../texts/areas.ts";
import { peopleChanged, type BulkJob } from "../calls.ts";
import type { ContactSelection } from "../filters.ts";

export type Operation = "subscribe" | "unsubscribe" | "delete";
type BulkSelection = { readonly contactIds: readonly string[] } | { readonly filter: ContactSelection };
/** The change of a topic for all selected people. */
export type BulkTopicChange = { readonly key: string; readonly name: string; readonly choice: "in" | "out" };
type Work =
  | { readonly operation: Operation; readonly selection: BulkSelection; readonly undo: readonly string[] }
  | { readonly operation: "topics"; readonly selection: BulkSelection; readonly topic: BulkTopicChange };

const OPPOSITE = { subscribe: "unsubscribe", unsubscribe: "subscribe" } as const;
const POLL_MS = 400;

export function useBulk(done: () => void) {
  const t = useTexts(peopleTexts);
  const { number } = useFormats();
  const { mutate: undo } = useMutation({ mutationFn: runJob, onSettled: peopleChanged });
  const { mutate, isPending } = useMutation({
    mutationFn: runJob,
    onSuccess: ({ result: { successCount, failureCount } }, work) => {
      done();
      const failed = failureCount > 0 ? ` ${t.bulk.failed(failureCount, number(failureCount))}` : "";
      if (work.operation === "topics") {
        const { choice, name } = work.topic;
        return showToast(t.bulk.topicDone[choice](successCount, number(successCount), name) + failed);
      }
      const { operation, undo: ids } = work;
      const text = t.bulk.done[operation](successCount, number(successCount)) + failed;
      const opposite = operation === "delete" ? null : OPPOSITE[operation];
      if (opposite === null || ids.length === 0) return showToast(text);
      const back = { operation: opposite, selection: { contactIds: ids }, undo: [] };
      showToast(text, { name: t.undo, icon: "undo", run: () => undo(back) });
    },
    onSettled: peopleChanged,
  });
  return { run: mutate, isRunning: isPending };
}

function start(work: Work) {
  const { operation, selection } = work;
  if (operation !== "topics") return call(`POST /contacts/bulk-${operation}`, { body: selection });
  const { key, choice } = work.topic;
  return call("POST /contacts/bulk-topics", { body: { ...selection, topics: { [key]: choice } } });
}

async function runJob(work: Work): Promise<BulkJob> {
  return jobDone((await start(work)).jobId);
}

/** Waits for the end of a job. @throws Error with the reason if the job fails */
export async function jobDone(jobId: string): Promise<BulkJob> {
  for (;;) {
    const job = await call("GET /contacts/bulk/{jobId}", { jobId });
    if (job.status === "COMPLETED") return job;
    if (job.status === "FAILED") throw new Error(job.failedReason ?? "");
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
