// What the account of a campaign asks of the server. Keys begin with "mails": each mail that moves changes it.
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api, told } from "../../api.ts";
import type { components } from "../../api.gen.ts";
import { byId } from "../calls.ts";
import type { Filter } from "./parts.ts";

type Schemas = components["schemas"];
export type Statistics = Schemas["CampaignStatistics"];
export type Recipient = Schemas["CampaignRecipient"];

const PAGE_SIZE = 50;
const MOVING_MS = 2_000;

export function useStatistics(id: string, isMoving: boolean) {
  return useQuery({
    queryKey: ["mails", "campaign", id, "stats"],
    queryFn: async () => (await told(api.GET("/campaigns/{id}/stats", byId(id)))).data,
    refetchInterval: isMoving ? MOVING_MS : false,
  });
}

export function useRecipients(id: string, filter: Filter) {
  const asked = useInfiniteQuery({
    queryKey: ["mails", "campaign", id, "recipients", filter],
    queryFn: ({ pageParam: cursor, signal }) => recipientsOf(id, filter, cursor, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    placeholderData: keepPreviousData,
  });
  return { ...asked, recipients: asked.data?.pages.flatMap(({ data }) => data) };
}

type Page = { readonly data: readonly Recipient[]; readonly cursor: string | null };

export async function recipientsOf(
  id: string,
  filter: Filter,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Page> {
  const query = { limit: PAGE_SIZE, ...filter, ...(cursor ? { cursor } : {}) };
  const page = await told(
    api.GET("/campaigns/{id}/recipients", { params: { path: { id }, query }, ...(signal ? { signal } : {}) }),
  );
  return { data: page.data, cursor: "cursor" in page ? page.cursor : null };
}

export function useLinks(id: string) {
  return useQuery({
    queryKey: ["mails", "campaign", id, "links"],
    queryFn: async () => (await told(api.GET("/campaigns/{id}/links", byId(id)))).data,
  });
}

export function useCourse(id: string) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return useQuery({
    queryKey: ["mails", "campaign", id, "series"],
    queryFn: async () =>
      (await told(api.GET("/campaigns/{id}/series", { params: { path: { id }, query: { timeZone } } }))).data,
  });
}

const COMPARED = 6;

/** The last that were sent, this one among them or not. */
export function useLastSent() {
  return useQuery({
    queryKey: ["campaigns", "last sent"],
    queryFn: async () =>
      (await told(api.GET("/campaigns", { params: { query: { status: "SENT", limit: COMPARED } } }))).data,
  });
}

export function useReasons(campaignId: string, states: readonly ("FAILED" | "BOUNCED")[]) {
  return useQuery({
    queryKey: ["mails", "campaign", campaignId, "reasons", states],
    queryFn: async () =>
      (await told(api.GET("/emails/reasons", { params: { query: { campaignId, status: [...states] } } }))).reasons,
    enabled: states.length > 0,
    throwOnError: false,
  });
}
