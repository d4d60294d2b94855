// API calls to check and import a file.
import { queryOptions } from "@tanstack/react-query";
import { api, Fault, unwrap } from "../../api.ts";
import type { BulkJob, Check, ImportJob } from "../calls.ts";
import type { useIdempotencyKey } from "../../idempotency-key.ts";
import type { Encoding, FileHead, Mapping } from "./file-head.ts";

export type Marketing = "yes" | "no" | "confirm";

export type ImportInput = {
  readonly head: FileHead;
  readonly mapping: Mapping;
  /** Null = the server finds it out. */
  readonly encoding: Encoding | null;
  readonly resubscribe: boolean;
  /** Whether new people may get marketing mail of whom the file does not say it. */
  readonly marketing: Marketing | null;
  readonly consent: string;
};

/** The file comes last, because the fields before it say how to read it. */
function formData({ head, mapping, encoding, resubscribe, marketing, consent }: ImportInput) {
  const form = new FormData();
  form.append("columns", JSON.stringify(mapping));
  if (encoding !== null) form.append("encoding", encoding);
  form.append("resubscribe", String(resubscribe));
  if (marketing !== null) form.append("marketing", marketing);
  if (marketing === "yes") form.append("consent", consent);
  form.append("file", head.file);
  return { body: form as never, bodySerializer: () => form };
}

/** The source of consent changes no count, so the preview does not wait for it. */
export const checkQuery = (given: ImportInput, number: number) =>
  queryOptions({
    queryKey: ["import check", number, given.mapping, given.encoding, given.resubscribe, given.marketing],
    queryFn: async () =>
      (await unwrap(
        api.POST("/contacts/import/check", formData({ ...given, consent: given.consent || "-" })),
      )) as Check,
    staleTime: Infinity,
    gcTime: 0,
    throwOnError: false,
  });

/** No column is mapped to the email address. */
export function hasNoEmailColumn(error: unknown): boolean {
  return error instanceof Fault && error.errors.some(({ code }) => code === "missing_column");
}

export async function startImport(given: ImportInput): Promise<string> {
  return ((await unwrap(api.POST("/contacts/import", formData(given)))) as { readonly jobId: string }).jobId;
}

const POLL_MS = 500;

export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ["import", jobId],
    queryFn: async () =>
      (await unwrap(api.GET("/contacts/import/{jobId}", { params: { path: { jobId } } }))) as ImportJob,
    refetchInterval: ({ state: { data } }) =>
      data?.status === "COMPLETED" || data?.status === "FAILED" ? false : POLL_MS,
    throwOnError: false,
  });

type Idempotent = ReturnType<typeof useIdempotencyKey>;

/** Returns the job that undoes it. */
export async function undo(jobId: string, once: Idempotent): Promise<string> {
  return (await unwrap(api.POST("/contacts/import/{jobId}/undo", { ...once, params: { path: { jobId } } }))).jobId;
}

export const undoQuery = (jobId: string) =>
  queryOptions({
    queryKey: ["bulk", jobId],
    queryFn: async () => (await unwrap(api.GET("/contacts/bulk/{jobId}", { params: { path: { jobId } } }))) as BulkJob,
    refetchInterval: ({ state: { data } }) =>
      data?.status === "COMPLETED" || data?.status === "FAILED" ? false : POLL_MS,
    throwOnError: false,
  });
