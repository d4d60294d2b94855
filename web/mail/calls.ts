// API calls for emails.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { components } from "../api.gen.ts";
import type { AnswerOf } from "../routes.ts";
import { call, workspaceId } from "../api.ts";
import { query } from "../query.ts";
import { queryOf } from "./search-query.ts";
import type { MailFilters } from "./filters.ts";

export type Mail = components["schemas"]["Email"];
export type MailContent = components["schemas"]["EmailContent"];
type MailAnswer = AnswerOf<"GET /emails/{id}">;
type AnyMoment = MailAnswer["timeline"][number];
/** Pages read its detail by names, so one that is text has nothing for them. */
export type Moment = Omit<AnyMoment, "detail"> & { readonly detail: Exclude<AnyMoment["detail"], string> };
export type WholeMail = Omit<MailAnswer, "timeline"> & { readonly timeline: readonly Moment[] };
/** Another email of its group. */
export type GroupMember = WholeMail["recipients"][number];
export type MailQueue = components["schemas"]["Queue"];

/** Mails of one answer; `next`: where the one after begins. */
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

/** Webhooks that events about the mail have caused, each attempt a moment. */
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

/** What a mail says stays as it is; one that has not left may be rendered anew. */
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

/** How many mails are in the states of the views: counted now and then, since the whole list is. */
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

/**
 * How many mails of a list were refused for which reason: counted now and then, as the newest of the list are read for
 * it.
 */
export const reasonsQuery = ({ reason: _, ...filters }: MailFilters) =>
  queryOptions({
    queryKey: ["mail reasons", filters],
    queryFn: () => call("GET /emails/reasons", queryOf(filters)),
    refetchInterval: 30_000,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });

/** Links and frames carry no header, so the workspace stands in their address. */
export function addressOf(path: string, more: Readonly<Record<string, string>> = {}): string {
  return `${path}?${new URLSearchParams({ workspace: workspaceId.get() ?? "", ...more })}`;
}

/** Given up by Posthorn itself, without contacting a server. */
export function isLocal({ timeline, error }: WholeMail): boolean {
  return error !== null && !timeline.some(({ what }) => what.startsWith("attempt.") || what === "email.sent");
}
