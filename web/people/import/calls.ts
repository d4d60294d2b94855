// API calls to check and import a file.
import { queryOptions } from "@tanstack/react-query";
import { call, Fault } from "../../calls/api.ts";
import type { useIdempotencyKey } from "../../base/idempotency-key.ts";
import { pages, query } from "../../calls/query.ts";
import type { Encoding, FileHead, Mapping } from "./file/file-head.ts";

export type MarketingConsent = "yes" | "no" | "confirm";

export type ImportInput = {
  readonly head: FileHead;
  readonly mapping: Mapping;
  /** Null = the server detects it. */
  readonly encoding: Encoding | null;
  readonly resubscribe: boolean;
  /** Consent to marketing email for new people, if the file does not have it. */
  readonly marketing: MarketingConsent | null;
  readonly consent: string;
  readonly extras: Extras;
};

/** Extra changes to all contacts in the file. */
export type Extras = {
  /** Existing values of contacts are kept. */
  readonly onlyEmpty: boolean;
  /** Without an id, the segment is created when the import starts. */
  readonly segment: { readonly id: string | null; readonly name: string } | null;
  readonly tag: string;
};

const LIST_POLL_MS = 3_000;
const PAGE_SIZE = 20;
const POLL_MS = 500;
type JobAnswer = { readonly state: { readonly data: { readonly status: string } | undefined } };
/** Jobs send no notices, so they are polled until they end. */
const UNTIL_OVER = {
  live: false,
  refetchInterval: ({ state: { data } }: JobAnswer) => (data && isOver(data) ? false : POLL_MS),
  throwOnError: false,
} as const;

/** The file comes last, because the fields before it say how to read it. */
function formData({ head, mapping, encoding, resubscribe, marketing, consent, extras }: ImportInput) {
  const form = new FormData();
  form.append("columns", JSON.stringify(mapping));
  if (encoding !== null) form.append("encoding", encoding);
  form.append("resubscribe", String(resubscribe));
  if (marketing !== null) form.append("marketing", marketing);
  if (marketing === "yes") form.append("consent", consent);
  if (extras.onlyEmpty) form.append("onlyEmpty", "true");
  if (extras.tag.trim() !== "") form.append("tag", extras.tag.trim());
  if (extras.segment?.id) form.append("segmentId", extras.segment.id);
  form.append("file", head.file);
  return { body: form };
}

/** The source of consent is not in the key: it does not change the counts. */
export const checkQuery = (given: ImportInput, number: number) =>
  queryOptions({
    queryKey: [
      ...["import check", number, given.mapping, given.encoding, given.resubscribe, given.marketing],
      ...[given.extras.onlyEmpty, given.extras.tag.trim()],
    ],
    queryFn: async () =>
      call(
        "POST /contacts/import/check",
        formData({ ...given, consent: given.consent || "-", extras: { ...given.extras, segment: null } }),
      ),
    staleTime: Infinity,
    gcTime: 0,
    throwOnError: false,
  });

/** No column is mapped to the email address. */
export function hasNoEmailColumn(error: unknown): boolean {
  return error instanceof Fault && error.errors.some(({ code }) => code === "missing_column");
}

/** `made`: receives a segment that was created, so that a retry uses it. */
export async function startImport(given: ImportInput, made: (segment: Extras["segment"]) => void): Promise<string> {
  const { segment } = given.extras;
  if (segment !== null && segment.id === null) {
    const { id, name } = await call("POST /segments", { body: { name: segment.name, type: "STATIC" } });
    made({ id, name });
    return startImport({ ...given, extras: { ...given.extras, segment: { id, name } } }, made);
  }
  return (await call("POST /contacts/import", formData(given))).jobId;
}

export const importsQuery = pages(
  "GET /contacts/import",
  { pageSize: PAGE_SIZE },
  {
    live: false,
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some((page) => page.data.some((one) => !isOver(one) || (one.undo !== null && !isOver(one.undo))))
        ? LIST_POLL_MS
        : false,
    throwOnError: false,
  },
);

export function isOver({ status }: { readonly status: string }): boolean {
  return status === "COMPLETED" || status === "FAILED";
}

export const jobQuery = (jobId: string) => query("GET /contacts/import/{jobId}", { jobId }, UNTIL_OVER);

type Idempotent = ReturnType<typeof useIdempotencyKey>;

/** Returns the id of the job that undoes the import. */
export async function undo(jobId: string, once: Idempotent): Promise<string> {
  return (await call("POST /contacts/import/{jobId}/undo", { jobId, ...once })).jobId;
}

export const bulkQuery = (jobId: string) => query("GET /contacts/bulk/{jobId}", { jobId }, UNTIL_OVER);
