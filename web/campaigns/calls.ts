// API calls for campaigns.
import { queryOptions, useMutation } from "@tanstack/react-query";
import { compact } from "../base/compact.ts";
import { call } from "../calls/api.ts";
import type { Schemas } from "../calls/schemas.ts";
import { queries } from "../calls/queries.ts";
import { keyOf, pages, usePages } from "../calls/query.ts";
import { savedOver } from "../saving/saved-over.ts";
import type { CampaignsSearch } from "./search.ts";

export type Campaign = Schemas["Campaign"] & { readonly warnings?: Schemas["Warned"]["warnings"] | undefined };
export type CampaignChange = Schemas["UpdateCampaignRequest"];

const PAGE_SIZE = 50;
/** While a campaign is scheduled or being sent: the live stream does not report each of its changes. */
const SENDING_POLL_MS = 2_000;

export function useCampaigns({ search, status }: CampaignsSearch) {
  return usePages(pages("GET /campaigns", { limit: PAGE_SIZE, ...compact({ search, status }) }));
}

export async function loadCampaign(id: string): Promise<Campaign> {
  return (await call("GET /campaigns/{id}", { id })).data;
}

export function isUnsent({ status }: Pick<Campaign, "status">): boolean {
  return status === "DRAFT" || status === "SCHEDULED";
}

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: ["campaigns", "one", id],
    queryFn: () => loadCampaign(id),
    refetchInterval: ({ state: { data } }) =>
      data?.status === "SENDING" || data?.status === "SCHEDULED" ? SENDING_POLL_MS : false,
  });

/** The newest campaign, for the sender of a new one; null = none. */
export const lastCampaignQuery = queryOptions({
  queryKey: ["campaigns", "last one"],
  queryFn: async () => (await call("GET /campaigns", { limit: 1 })).data[0] ?? null,
});

/** Puts the campaign into the cache, and refetches the lists and versions that show it. */
export function cacheCampaign(campaign: Campaign): Campaign {
  queries.setQueryData(campaignQuery(campaign.id).queryKey, campaign);
  void queries.invalidateQueries({ queryKey: keyOf("GET /campaigns") });
  void queries.invalidateQueries({ queryKey: ["campaigns", "versions", campaign.id] });
  return campaign;
}

type CampaignAnswer = Promise<{ readonly data: Campaign; readonly warnings?: Schemas["Warned"]["warnings"] }>;
/** `warnings`: fields that the server repaired, and fields that probably mean something else. */
const cached = (answer: CampaignAnswer): Promise<Campaign> =>
  answer.then(({ data, warnings }) => cacheCampaign(warnings ? { ...data, warnings } : data));

/** `ifUpdatedAt`: null = overwrites any version. */
export const changeCampaign = (
  id: string,
  body: CampaignChange,
  ifUpdatedAt: string | null,
  signal: AbortSignal | null = null,
) => cached(call("PUT /campaigns/{id}", { id, body: { ...body, ifUpdatedAt }, signal }));

/** `seen`: the campaign when the form was opened. Text is saved separately, so only fields of `mine` can conflict. */
export const changeSeenCampaign = (seen: Campaign, mine: CampaignChange) =>
  savedOver({
    seen,
    mine,
    send: (ifUpdatedAt) => changeCampaign(seen.id, mine, ifUpdatedAt),
    load: async () => cacheCampaign(await loadCampaign(seen.id)),
    compares: "mine",
  });

export const createCampaign = (body: Schemas["CreateCampaignRequest"]) => cached(call("POST /campaigns", { body }));

export type SendTime = { readonly delaySeconds: number } | { readonly scheduledFor: string };

export const useSend = (id: string, done: (campaign: Campaign) => void) =>
  useMutation({
    mutationFn: (body: SendTime) => cached(call("POST /campaigns/{id}/send", { id, body })),
    onSuccess: done,
    meta: { inForm: true },
  });

const STATUS_CHANGES = {
  unschedule: (id: string) => call("POST /campaigns/{id}/unschedule", { id }),
  pause: (id: string) => call("POST /campaigns/{id}/pause", { id }),
  resume: (id: string) => call("POST /campaigns/{id}/resume", { id }),
  cancel: (id: string) => call("POST /campaigns/{id}/cancel", { id }),
} as const;
export type StatusChange = keyof typeof STATUS_CHANGES;

export const useStatusChange = (move: StatusChange, done: (campaign: Campaign) => void = () => undefined) =>
  useMutation({
    mutationFn: (id: string) => cached(STATUS_CHANGES[move](id)),
    onSuccess: (campaign) => {
      for (const name of ["mails", "campaign"]) void queries.invalidateQueries({ queryKey: [name] });
      done(campaign);
    },
    // The status may have changed on the server.
    onError: (_, id) => queries.invalidateQueries({ queryKey: campaignQuery(id).queryKey }),
  });

export const useDuplicate = (done: (campaign: Campaign) => void) =>
  useMutation({
    mutationFn: (id: string) => cached(call("POST /campaigns/{id}/duplicate", { id })),
    onSuccess: done,
  });

export const useDelete = (done: (campaign: Campaign) => void) =>
  useMutation({
    mutationFn: ({ id }: Campaign) => call("DELETE /campaigns/{id}", { id }),
    onSuccess: (_, campaign) => {
      queries.removeQueries({ queryKey: campaignQuery(campaign.id).queryKey });
      void queries.invalidateQueries({ queryKey: keyOf("GET /campaigns") });
      done(campaign);
    },
    meta: { inForm: true },
  });

export type ResendState = Schemas["CampaignRepeats"]["states"][number];

export const useResend = (id: string, done: (campaign: Campaign) => void) =>
  useMutation({
    mutationFn: (states: ResendState[]) => cached(call("POST /campaigns/{id}/again", { id, body: { states } })),
    onSuccess: done,
  });
