// API calls for an audience that is not fixed yet: its size and its people.
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { call } from "../../calls/api.ts";
import type { components } from "../../api.gen.ts";
import type { Campaign } from "../calls.ts";

export type Audience = components["schemas"]["PreviewAudienceRequest"];
export type AudienceNumbers = {
  readonly matched: number;
  readonly willReceive: number;
  /** Estimated from a sample. */
  readonly approximate?: boolean;
  readonly excluded: {
    readonly unsubscribed: number;
    readonly pending: number;
    readonly suppressed: number;
    readonly topic: number;
    readonly paused: number;
  };
};
export const AUDIENCE_PARTS = [
  "matched",
  "unsubscribed",
  "pending",
  "suppressed",
  "topic",
  "paused",
  "willReceive",
] as const;
export type AudiencePart = (typeof AUDIENCE_PARTS)[number];

export function isAudiencePart(part: string | undefined): part is AudiencePart {
  return (AUDIENCE_PARTS as readonly (string | undefined)[]).includes(part);
}

/** Null while its segment or condition is not chosen, or if it resends another campaign. */
export function audienceOf(campaign: Campaign): Audience | null {
  const { audienceType, segmentId, audienceCondition, repeats, topic } = campaign;
  if (repeats !== null) return null;
  const of = topic === null ? { audienceType } : { audienceType, topic };
  if (audienceType === "SEGMENT") return segmentId === null ? null : { ...of, segmentId };
  if (audienceType === "FILTERED") return audienceCondition === null ? null : { ...of, audienceCondition };
  return of;
}

export function useAudience(audience: Audience | null) {
  return useQuery({
    queryKey: ["contacts", "audience", audience],
    queryFn: async ({ signal }): Promise<AudienceNumbers> =>
      (await call("POST /campaigns/audience-preview", { body: audience as Audience, signal })).data,
    enabled: audience !== null,
    // Without an audience, the numbers of the previous one must not stay.
    ...(audience === null ? {} : { placeholderData: keepPreviousData }),
    throwOnError: false,
  });
}

const PAGE_SIZE = 50;

export function useAudiencePeople(audience: Audience | null, part: AudiencePart, limit = PAGE_SIZE) {
  const asked = useInfiniteQuery({
    queryKey: ["contacts", "audience people", audience, part, limit],
    queryFn: ({ pageParam: cursor, signal }) => {
      const body = { ...(audience as Audience), part, limit, ...(cursor ? { cursor } : {}) };
      return call("POST /campaigns/audience-people", { body, signal });
    },
    enabled: audience !== null,
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    throwOnError: false,
  });
  return { ...asked, people: asked.data?.pages.flatMap(({ data }) => data) };
}
