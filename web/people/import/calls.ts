// Trying a file, and importing it.
import { queryOptions } from "@tanstack/react-query";
import { api, Fault, unwrap } from "../../api.ts";
import type { BulkJob, Check, ImportJob } from "../calls.ts";
import type { useIdempotencyKey } from "../../idempotency-key.ts";
import type { Head, Mapping } from "./head.ts";

export type Marketing = "yes" | "no" | "confirm";

export type Given = {
  readonly head: Head;
  readonly mapping: Mapping;
  readonly resubscribe: boolean;
  /** Whether new people may get marketing mail of whom the file does not say it. */
  readonly marketing: Marketing | null;
  readonly consent: string;
};

/** The file comes last: what stands before it says how it is read. */
function sent({ head, mapping, resubscribe, marketing, consent }: Given) {
  const form = new FormData();
  form.append("columns", JSON.stringify(mapping));
  form.append("resubscribe", String(resubscribe));
  if (marketing !== null) form.append("marketing", marketing);
  if (marketing === "yes") form.append("consent", consent);
  form.append("file", head.file);
  return { body: form as never, bodySerializer: () => form };
}

/** Where the consent comes from changes no count, so a trial run does not wait for it. */
export const checkQuery = (given: Given, number: number) =>
  queryOptions({
    queryKey: ["import check", number, given.mapping, given.resubscribe, given.marketing],
    queryFn: async () =>
      (await unwrap(api.POST("/contacts/import/check", sent({ ...given, consent: given.consent || "-" })))) as Check,
    staleTime: Infinity,
    gcTime: 0,
    throwOnError: false,
  });

/** No column is known to hold the addresses. */
export function lacksAddress(error: unknown): boolean {
  return error instanceof Fault && error.errors.some(({ code }) => code === "missing_column");
}

export async function begin(given: Given): Promise<string> {
  return ((await unwrap(api.POST("/contacts/import", sent(given)))) as { readonly jobId: string }).jobId;
}

const LOOK_MS = 500;

export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ["import", jobId],
    queryFn: async () =>
      (await unwrap(api.GET("/contacts/import/{jobId}", { params: { path: { jobId } } }))) as ImportJob,
    refetchInterval: ({ state: { data } }) =>
      data?.status === "COMPLETED" || data?.status === "FAILED" ? false : LOOK_MS,
    throwOnError: false,
  });

type Once = ReturnType<typeof useIdempotencyKey>;

/** Answers the job that undoes it. */
export async function undo(jobId: string, once: Once): Promise<string> {
  return (await unwrap(api.POST("/contacts/import/{jobId}/undo", { ...once, params: { path: { jobId } } }))).jobId;
}

export const undoQuery = (jobId: string) =>
  queryOptions({
    queryKey: ["bulk", jobId],
    queryFn: async () => (await unwrap(api.GET("/contacts/bulk/{jobId}", { params: { path: { jobId } } }))) as BulkJob,
    refetchInterval: ({ state: { data } }) =>
      data?.status === "COMPLETED" || data?.status === "FAILED" ? false : LOOK_MS,
    throwOnError: false,
  });
