// API calls for events.
import { queryOptions } from "@tanstack/react-query";
import { compact } from "../base/compact.ts";
import { call, Fault } from "../calls/api.ts";
import type { Schemas } from "../calls/schemas.ts";
import { tagsIn } from "../labels/labels.ts";
import { query } from "../calls/query.ts";
import type { EventFilters } from "./search.ts";

export type Event = Schemas["LoggedEvent"];
export type EventPage = Schemas["LoggedEventPage"];

const PAGE_SIZE = 50;
const COUNTS_POLL_MS = 10_000;

/** Null for an unknown person. */
export const personQuery = (address: string) =>
  queryOptions({
    queryKey: ["contacts", "by address", address],
    queryFn: ({ signal }) =>
      call("GET /contacts/by-email/{address}", { address, signal }).catch((fault: unknown) => {
        if (fault instanceof Fault && fault.status >= 400 && fault.status < 500) return null;
        throw fault;
      }),
  });

export type ListQuery = Pick<EventFilters, "name" | "tag"> & { readonly contactId?: string };

export function queryOf({ name, contactId, tag }: ListQuery) {
  return { ...compact({ eventName: name, contactId, tag: tag && tagsIn(tag) }), limit: PAGE_SIZE };
}

export function pageOf(asked: ListQuery, cursor?: string, signal: AbortSignal | null = null): Promise<EventPage> {
  return call("GET /events", { ...queryOf(asked), cursor, signal });
}

/** Polled: refetching for each event would cost too much. */
export const countsQuery = query(
  "GET /events/counts",
  {},
  { ends: true, live: false, refetchInterval: COUNTS_POLL_MS },
);

export const shapeQuery = (eventName: string) =>
  query("GET /events/shape", { eventName }, { ends: true, live: false, throwOnError: false });
