// Collects the data for the checks: a preview without a person's data, the audience, the sender, and missing values.
import { useQuery } from "@tanstack/react-query";
import { call, Fault } from "../../calls/api.ts";
import type { components } from "../../api.gen.ts";
import { useFormats } from "../../base/formats.ts";
import { useTexts } from "../../base/language.ts";
import { failedOf, type QueryState } from "../../parts/layout.tsx";
import { queries } from "../../calls/queries.ts";
import { campaignsTexts } from "../../texts/areas.ts";
import { useWorkspace } from "../../calls/workspace.ts";
import type { PreviewAnswer } from "../../writing/preview/use-preview.ts";
import type { Content } from "../../writing/content.ts";
import { audienceOf, useAudience, type Audience, type AudienceNumbers } from "../audience/audience-calls.ts";
import type { Campaign } from "../calls.ts";
import { isUndescribed, type Piece } from "../../writing/visual/document.ts";
import { checksOf, type CampaignCheck, type MissingValue } from "./checks.ts";
import { useSenderDomain } from "../sender.tsx";

type ChecksState = {
  /** Undefined until all answers are there. */
  readonly checks: readonly CampaignCheck[] | undefined;
  readonly audience: Audience | null;
  readonly numbers: AudienceNumbers | undefined;
  /** The calls behind `checks`; the first failed one, if any. */
  readonly of: QueryState;
  readonly ofAudience: QueryState;
  readonly again: () => void;
  readonly isLooking: boolean;
};

export function useChecks(campaign: Campaign, value: Content): ChecksState {
  const { check: t } = useTexts(campaignsTexts);
  const { number } = useFormats();
  const { postalAddress } = useWorkspace();
  const { name: domain, domain: found, asked: askedDomains } = useSenderDomain(campaign);
  const audience = audienceOf(campaign);
  const query = useAudience(audience);
  const numbers = campaign.repeats === null ? query.data : resendNumbers(campaign);
  const preview = usePlainPreview(value);
  const missingValues = useMissingValues(audience, preview.data?.missing ?? []);
  const isUnreadable = preview.error instanceof Fault && preview.error.status === 422;
  const isChosen = audience !== null || campaign.repeats !== null;
  const isKnown =
    found !== undefined &&
    (!isChosen || numbers !== undefined) &&
    (isUnreadable || (preview.data && missingValues.data));
  const checks = isKnown
    ? checksOf({
        t,
        number,
        domain,
        name: campaign.name,
        subject: value.subject,
        ownText: value.text !== "",
        isVerified: found?.verified ?? false,
        isForced: found?.forced ?? false,
        hasAddress: postalAddress !== null,
        audience: isChosen ? (numbers ?? null) : null,
        preview: isUnreadable ? null : (preview.data ?? null),
        lacking: missingValues.data ?? [],
        undescribed: value.design ? undescribedIn(value.design.source as unknown as Piece) : 0,
      })
    : undefined;
  const of = failedOf([askedDomains, query, missingValues, ...(isUnreadable ? [] : [preview])]);
  const again = () => {
    for (const name of ["preview", "contacts", "domains"]) void queries.invalidateQueries({ queryKey: [name] });
  };
  return {
    checks,
    audience,
    numbers,
    of,
    ofAudience: query,
    again,
    isLooking: preview.isFetching || query.isFetching || missingValues.isFetching,
  };
}

/** From the design, as older versions saved an empty alt text for an image without one. */
function undescribedIn(piece: Piece): number {
  const own = piece.type === "image" && isUndescribed(piece) ? 1 : 0;
  return (piece.content ?? []).reduce((sum, inner) => sum + undescribedIn(inner), own);
}

/** No exclusions: the audience of a resend was checked when it was fixed. */
function resendNumbers({ totalRecipients: people }: Campaign): AudienceNumbers {
  const excluded = { unsubscribed: 0, pending: 0, suppressed: 0, topic: 0, paused: 0 };
  return { matched: people, willReceive: people, excluded };
}

/** Rendered for a person without data. */
function usePlainPreview({ subject, preheader, body, text }: Content) {
  const query = { subject, preheader: preheader || null, body, text: text || null };
  return useQuery({
    queryKey: ["preview", "plain", query],
    queryFn: ({ signal }): Promise<PreviewAnswer> =>
      call("POST /preview", { body: { ...query, kind: "MARKETING", data: {} }, signal }),
    throwOnError: false,
    retry: false,
  });
}

/** Each variable costs a request, so only the first are checked. */
const MAX_NAMES = 5;

/** How many recipients lack a value for each variable. */
function useMissingValues(audience: Audience | null, missing: readonly string[]) {
  const names = missing.slice(0, MAX_NAMES);
  return useQuery({
    queryKey: ["contacts", "lacking", audience, names],
    queryFn: async ({ signal }): Promise<readonly MissingValue[]> => {
      if (audience === null) return [];
      const counts = await Promise.all(
        names.map(async (name) => {
          const body = withoutValue(audience, name);
          const { data } = await call("POST /campaigns/audience-preview", { body, signal });
          return { name, people: data.willReceive };
        }),
      );
      return counts.filter(({ people }) => people > 0);
    },
    throwOnError: false,
  });
}

type ConditionInput = components["schemas"]["ConditionInput"];

/** The part of an audience that lacks a key. */
export function withoutValue(audience: Audience, name: string): Audience {
  const isMissing = { field: `data.${name.replace(/^data\./, "")}`, operator: "notExists" as const };
  const { audienceType, segmentId, audienceCondition } = audience;
  const inSegment = segmentId ? [{ field: `segment.${segmentId}`, operator: "memberOf" as const }] : [];
  const inner = audienceCondition ? { conditions: audienceCondition } : {};
  const isOwn = audienceType === "FILTERED";
  const group = { filters: [isMissing, ...(audienceType === "SEGMENT" ? inSegment : [])], ...(isOwn ? inner : {}) };
  return { audienceType: "FILTERED", audienceCondition: { groups: [group] } as ConditionInput };
}
