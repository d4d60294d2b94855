// Trying a file, and importing it.
import { queryOptions } from "@tanstack/react-query";
import { api, Fault, told } from "../../api.ts";
import type { BulkJob, Check, ImportJob } from "../calls.ts";
import type { useOnce } from "../../once.ts";
import { fileFor, type Head, type Mapping } from "./head.ts";

export type Given = { readonly head: Head; readonly mapping: Mapping; readonly resubscribe: boolean };

function sent({ head, mapping, resubscribe }: Given) {
  const form = new FormData();
  form.append("file", fileFor(head, mapping));
  return { params: { query: { resubscribe } }, body: form as never, bodySerializer: () => form };
}

export const checkQuery = (given: Given, number: number) =>
  queryOptions({
    queryKey: ["import check", number, given.mapping, given.resubscribe],
    queryFn: async () => (await told(api.POST("/contacts/import/check", sent(given)))) as Check,
    enabled: given.mapping.includes("email"),
    staleTime: Infinity,
    gcTime: 0,
    throwOnError: false,
  });

/** The file is not what its beginning looked like. */
export function isOtherEncoding(error: unknown): boolean {
  return error instanceof Fault && error.errors.some(({ code }) => code === "invalid_encoding");
}

export async function begin(given: Given): Promise<string> {
  return ((await told(api.POST("/contacts/import", sent(given)))) as { readonly jobId: string }).jobId;
}

const LOOK_MS = 500;

export const jobQuery = (jobId: string) =>
  queryOptions({
    queryKey: ["import", jobId],
    queryFn: async () =>
      (await told(api.GET("/contacts/import/{jobId}", { params: { path: { jobId } } }))) as ImportJob,
    refetchInterval: ({ state: { data } }) =>
      data?.status === "COMPLETED" || data?.status === "FAILED" ? false : LOOK_MS,
    throwOnError: false,
  });

type Once = ReturnType<typeof useOnce>;

/** Answers the job that undoes it. */
export async function undo(jobId: string, once: Once): Promise<string> {
  return (await told(api.POST("/contacts/import/{jobId}/undo", { ...once, params: { path: { jobId } } }))).jobId;
}

export const undoQuery = (jobId: string) =>
  queryOptions({
    queryKey: ["bulk", jobId],
    queryFn: async () => (await told(api.GET("/contacts/bulk/{jobId}", { params: { path: { jobId } } }))) as BulkJob,
    refetchInterval: ({ state: { data } }) =>
      data?.status === "COMPLETED" || data?.status === "FAILED" ? false : LOOK_MS,
    throwOnError: false,
  });
