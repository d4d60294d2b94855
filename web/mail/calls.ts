// API calls for emails.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { components } from "../api.gen.ts";
import { api, workspaceId, unwrap } from "../api.ts";
import { queryOf } from "./search-query.ts";
import type { MailFilters } from "./filters.ts";

export type Mail = components["schemas"]["Email"];
export type MailContent = components["schemas"]["EmailContent"];
export type Moment = {
  readonly at: string;
  readonly what: string;
  readonly detail: Readonly<Record<string, unknown>> | null;
};
/** Another email of its group. */
export type GroupMember = Pick<Mail, "id" | "to" | "toName" | "status"> & { readonly role: NonNullable<Mail["role"]> };
export type WholeMail = Mail & {
  /** All of its group; empty if it has none. */
  readonly recipients: readonly GroupMember[];
  readonly resentAs: readonly string[];
  /** The mailbox provider at whose pace it leaves. */
  readonly heldFor: string | null;
  readonly timeline: readonly Moment[];
};
export type MailQueue = components["schemas"]["Queue"];

/** Mails of one answer; `next`: where the one after begins. */
export type MailPage = { readonly after: string | null; readonly mails: readonly Mail[]; readonly next: string | null };

export const PAGE_SIZE = 50;

export async function pageOf(filters: MailFilters, after: string | null): Promise<MailPage> {
  const query = { ...queryOf(filters), limit: PAGE_SIZE, ...(after === null ? {} : { cursor: after }) };
  const answer = (await unwrap(api.GET("/emails", { params: { query: query as never } }))) as {
    readonly data: readonly Mail[];
    readonly cursor: string | null;
  };
  return { after, mails: answer.data, next: answer.cursor };
}

export const mailQuery = (id: string) =>
  queryOptions({
    queryKey: ["mails", "one", id],
    queryFn: async () => (await unwrap(api.GET("/emails/{id}", { params: { path: { id } } }))) as unknown as WholeMail,
    throwOnError: false,
  });

/** Webhooks that events about the mail have caused, each attempt a moment. */
export const webhooksQuery = ({ id, status }: WholeMail) =>
  queryOptions({
    queryKey: ["webhooks", "attempts", "of", id],
    queryFn: async () => unwrap(api.GET("/webhooks/attempts", { params: { query: { emailId: id, limit: 100 } } })),
    select: ({ attempts }): Moment[] =>
      attempts.map((attempt) => ({ at: attempt.at, what: "webhook", detail: attempt })),
    enabled: status !== "QUEUED" && status !== "SENDING",
    throwOnError: false,
  });

/** What a mail says stays as it is; one that has not left may be rendered anew. */
export const contentQuery = ({ id, status }: Mail) =>
  queryOptions({
    queryKey: ["mail content", id, status === "QUEUED"],
    queryFn: async () => unwrap(api.GET("/emails/{id}/content", { params: { path: { id } } })),
    staleTime: status === "QUEUED" ? 0 : Infinity,
    throwOnError: false,
  });

export const rawQuery = (id: string) =>
  queryOptions({
    queryKey: ["mail raw", id],
    queryFn: async () => unwrap(api.GET("/emails/{id}/raw", { params: { path: { id } }, parseAs: "text" })),
    throwOnError: false,
  });

export const queueQuery = queryOptions({
  queryKey: ["mails", "queue"],
  queryFn: async () => unwrap(api.GET("/queue", {})),
  refetchInterval: 10_000,
  throwOnError: false,
});

const RETRY_POLL_MS = 1_000;

export const retryQuery = (jobId: string) =>
  queryOptions({
    queryKey: ["mails", "retry", jobId],
    queryFn: async () => unwrap(api.GET("/emails/retry/jobs/{jobId}", { params: { path: { jobId } } })),
    refetchInterval: ({ state: { data } }) =>
      data?.status === "PENDING" || data?.status === "PROCESSING" ? RETRY_POLL_MS : false,
    throwOnError: false,
  });

/** How many mails are in the states of the views: counted now and then, since the whole list is. */
export const countsQuery = queryOptions({
  queryKey: ["mail counts"],
  queryFn: async () => {
    const query = { status: ["FAILED" as const, "BOUNCED" as const, "RECEIVED" as const] };
    const { counts } = await unwrap(api.GET("/emails/counts", { params: { query } }));
    return new Map(counts.map(({ status, count }) => [status, count]));
  },
  refetchInterval: 30_000,
  throwOnError: false,
});

/**
 * How many mails of a list were refused for which reason: counted now and then, as the newest of the list are read for
 * it.
 */
export const reasonsQuery = ({ reason: _, ...filters }: MailFilters) =>
  queryOptions({
    queryKey: ["mail reasons", filters],
    queryFn: async () => unwrap(api.GET("/emails/reasons", { params: { query: queryOf(filters) as never } })),
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
