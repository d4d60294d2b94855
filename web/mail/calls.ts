// API calls for emails.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { components } from "../api.gen.ts";
import type { AnswerOf } from "../calls/routes.ts";
import { call, workspaceId } from "../calls/api.ts";
import { query } from "../calls/query.ts";
import { queryOf } from "./filter/search-query.ts";
import type { MailFilters } from "./filter/filters.ts";

export type Mail = components["schemas"]["Email"];
export type MailContent = components["schemas"]["EmailContent"];
type MailAnswer = AnswerOf<"GET /emails/{id}">;
type RawMoment = MailAnswer["timeline"][number];
/** Without a `detail` that is text: pages read details by their keys. */
export type Moment = Omit<RawMoment, "detail"> & { readonly detail: Exclude<RawMoment["detail"], string> };
export type WholeMail = Omit<MailAnswer, "timeline"> & { readonly timeline: readonly Moment[] };
/** Another email of the mail's group. */
export type GroupMember = WholeMail["recipients"][number];
export type MailQueue = components["schemas"]["Queue"];

/** A page of mails. `after`: its own cursor; null = the first page. `next`: the cursor of the next page. */
export type MailPage = { readonly after: string | null; readonly mails: readonly Mail[]; readonly next: string | null };

export const PAGE_SIZE = 50;

export async function pageOf(filters: MailFilters, after: string | null): Promise<MailPage> {
  const answer = await call("GET /emails", { ...queryOf(filters), limit: PAGE_SIZE, cursor: after });
  return { after, mails: answer.data, next: "cursor" in answer ? answer.cursor : null };
}

export const mailQuery = (id: string) =>
  queryOptions({
    queryKey: ["mails", "one", id],
    queryFn: () => call("GET /emails/{id}", { id }) as Promise<WholeMail>,
    throwOnError: false,
  });

/** Webhook calls that events about the mail have caused, each attempt as a moment of the timeline. */
export const webhooksQuery = ({ id, status }: WholeMail) =>
  query(
    "GET /webhooks/attempts",
    { emailId: id, limit: 100 },
    {
      select: ({ attempts }): Moment[] =>
        attempts.map((attempt) => ({ at: attempt.at, what: "webhook", detail: attempt })),
      enabled: status !== "QUEUED" && status !== "SENDING",
      throwOnError: false,
    },
  );

/** The content of a mail is final once it has left; before, it may be rendered again. */
export const contentQuery = ({ id, status }: Mail) =>
  queryOptions({
    queryKey: ["mail content", id, status === "QUEUED"],
    queryFn: async () => call("GET /emails/{id}/content", { id }),
    staleTime: status === "QUEUED" ? 0 : Infinity,
    throwOnError: false,
  });

export const rawQuery = (id: string) =>
  queryOptions({
    queryKey: ["mail raw", id],
    queryFn: async () => call("GET /emails/{id}/raw", { id, parseAs: "text" }),
    throwOnError: false,
  });

export const queueQuery = queryOptions({
  queryKey: ["mails", "queue"],
  queryFn: async () => call("GET /queue"),
  refetchInterval: 10_000,
  throwOnError: false,
});

const RETRY_POLL_MS = 1_000;

export const retryQuery = (jobId: string) =>
  query(
    "GET /emails/retry/jobs/{jobId}",
    { jobId },
    {
      refetchInterval: ({ state: { data } }) =>
        data?.status === "PENDING" || data?.status === "PROCESSING" ? RETRY_POLL_MS : false,
      throwOnError: false,
    },
  );

/** The numbers of mails in the states of the views. Polled, because a count reads the whole list. */
export const countsQuery = query(
  "GET /emails/counts",
  { status: ["FAILED", "BOUNCED", "RECEIVED"] },
  {
    live: false,
    select: ({ counts }) => new Map(counts.map(({ status, count }) => [status, count])),
    refetchInterval: 30_000,
    throwOnError: false,
  },
);

/** The refused mails of a list by reason. Polled, because a count reads the newest mails of the list. */
export const reasonsQuery = ({ reason: _, ...filters }: MailFilters) =>
  queryOptions({
    queryKey: ["mail reasons", filters],
    queryFn: () => call("GET /emails/reasons", queryOf(filters)),
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });

/** A URL for links and frames: they send no header, so the workspace is in the query. */
export function addressOf(path: string, more: Readonly<Record<string, string>> = {}): string {
  return `${path}?${new URLSearchParams({ workspace: workspaceId.get() ?? "", ...more })}`;
}

/** True if Posthorn itself gave the mail up, without contacting a server. */
export function isLocal({ timeline, error }: WholeMail): boolean {
  return error !== null && !timeline.some(({ what }) => what.startsWith("attempt.") || what === "email.sent");
}
