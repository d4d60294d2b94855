// API calls for campaign results. They poll, because counting many recipients for each event would take too long.
import { useEffect, useRef } from "react";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import type { Schemas } from "../../calls/schemas.ts";
import type { Campaign } from "../calls.ts";

export type CampaignStatistics = Schemas["CampaignStatistics"];
export type Recipient = Schemas["CampaignRecipient"];
/** The query of GET /campaigns/{id}/recipients. */
export type RecipientFilter = {
  readonly state?: Recipient["state"][];
  readonly refused?: boolean;
  readonly action?: "opened" | "clicked" | "unsubscribed" | "left-topic";
  readonly link?: string;
  readonly search?: string;
};

const PAGE_SIZE = 50;
const SENDING_POLL_MS = 2_000;
const IDLE_POLL_MS = 15_000;

/** A new status starts a new query. */
export function useStatistics({ id, status }: Pick<Campaign, "id" | "status">) {
  return useQuery({
    queryKey: ["campaign", id, "stats", status],
    queryFn: async () => (await call("GET /campaigns/{id}/stats", { id })).data,
    refetchInterval: status === "SENDING" ? SENDING_POLL_MS : IDLE_POLL_MS,
    placeholderData: keepPreviousData,
  });
}

/** Lists with more pages are refetched less often. */
const MAX_LIVE_PAGES = 4;

/** `total`: the count of these recipients in the results. When it changes, the list is refetched. */
export function useRecipients(id: string, filter: RecipientFilter, total: number) {
  const asked = useInfiniteQuery({
    queryKey: ["campaign", id, "recipients", filter],
    refetchInterval: IDLE_POLL_MS,
    queryFn: ({ pageParam: cursor, signal }) => recipientsOf(id, filter, cursor, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
  });
  const { refetch } = asked;
  const pages = asked.data?.pages.length ?? 0;
  const seen = useRef(total);
  useEffect(() => {
    if (seen.current === total || pages > MAX_LIVE_PAGES) return;
    seen.current = total;
    void refetch({ cancelRefetch: false });
  }, [total, pages, refetch]);
  return { ...asked, recipients: asked.data?.pages.flatMap(({ data }) => data) };
}

type RecipientPage = { readonly data: readonly Recipient[]; readonly cursor: string | null };

export async function recipientsOf(
  id: string,
  filter: RecipientFilter,
  cursor: string | null,
  signal: AbortSignal | null = null,
): Promise<RecipientPage> {
  const page = await call("GET /campaigns/{id}/recipients", { id, limit: PAGE_SIZE, ...filter, cursor, signal });
  return { data: page.data, cursor: "cursor" in page ? page.cursor : null };
}

export function useLinks(id: string) {
  return useQuery({
    queryKey: ["campaign", id, "links"],
    refetchInterval: IDLE_POLL_MS,
    queryFn: async () => (await call("GET /campaigns/{id}/links", { id })).data,
  });
}

export function useActivity(id: string) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return useQuery({
    queryKey: ["campaign", id, "series"],
    refetchInterval: IDLE_POLL_MS,
    queryFn: async () => (await call("GET /campaigns/{id}/series", { id, timeZone })).data,
  });
}

const COMPARED_CAMPAIGNS = 6;

/** The last campaigns that were sent; the campaign of the screen may be among them. */
export function useRecentCampaigns() {
  return useQuery({
    queryKey: ["campaigns", "last sent"],
    queryFn: async () => (await call("GET /campaigns", { status: "SENT", limit: COMPARED_CAMPAIGNS })).data,
  });
}

export function useReasons(campaignId: string, states: readonly ("FAILED" | "BOUNCED")[]) {
  return useQuery({
    queryKey: ["campaign", campaignId, "reasons", states],
    queryFn: async () => (await call("GET /emails/reasons", { campaignId, status: states })).reasons,
    enabled: states.length > 0,
    throwOnError: false,
  });
}
