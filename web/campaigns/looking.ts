// All that the checks look at, asked of the server: the mail as nobody in particular gets it, the audience, the sender,
// who lacks what.
import { useQuery } from "@tanstack/react-query";
import { api, Fault, unwrap } from "../api.ts";
import type { components } from "../api.gen.ts";
import { useFormats } from "../formats.ts";
import { useTexts } from "../language.ts";
import { queries } from "../queries.ts";
import { campaignsTexts } from "../texts/areas.ts";
import { useWorkspace } from "../workspace/settings.ts";
import type { Previewed } from "../writing/preview/asked.ts";
import type { Written } from "../writing/written.ts";
import { audienceOf, useAudience, type Audience, type AudienceNumbers } from "./audience-calls.ts";
import type { Campaign } from "./calls.ts";
import { checksOf, type Check, type Lacking } from "./checks.ts";
import { useSenderDomain } from "./sender.tsx";

type Looking = {
  /** Undefined until all is known. */
  readonly checks: readonly Check[] | undefined;
  readonly audience: Audience | null;
  readonly numbers: AudienceNumbers | undefined;
  readonly again: () => void;
  readonly isLooking: boolean;
};

export function useChecks(campaign: Campaign, value: Written): Looking {
  const { check: t } = useTexts(campaignsTexts);
  const { number } = useFormats();
  const { postalAddress } = useWorkspace();
  const { name: domain, domain: found } = useSenderDomain(campaign);
  const audience = audienceOf(campaign);
  const asked = useAudience(audience);
  const numbers = campaign.repeats === null ? asked.data : ofRepeat(campaign);
  const preview = usePlain(value);
  const lacking = useLacking(audience, preview.data?.missing ?? []);
  const isUnreadable = preview.error instanceof Fault && preview.error.status === 422;
  const isChosen = audience !== null || campaign.repeats !== null;
  const isKnown =
    found !== undefined && (!isChosen || numbers !== undefined) && (isUnreadable || (preview.data && lacking.data));
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
        lacking: lacking.data ?? [],
      })
    : undefined;
  const again = () => {
    for (const topic of ["preview", "contacts", "domains"]) void queries.invalidateQueries({ queryKey: [topic] });
  };
  return { checks, audience, numbers, again, isLooking: preview.isFetching || asked.isFetching || lacking.isFetching };
}

/** Its people were looked through when they were frozen. */
function ofRepeat({ totalRecipients: people }: Campaign): AudienceNumbers {
  return { matched: people, willReceive: people, excluded: { unsubscribed: 0, pending: 0, suppressed: 0 } };
}

/** As somebody gets it of whom nothing is known. */
function usePlain({ subject, preheader, body, text }: Written) {
  const asked = { subject, preheader: preheader || null, body, text: text || null };
  return useQuery({
    queryKey: ["preview", "plain", asked],
    queryFn: ({ signal }): Promise<Previewed> =>
      unwrap(api.POST("/preview", { body: { ...asked, kind: "MARKETING", data: {} }, signal })),
    throwOnError: false,
    retry: false,
  });
}

/** More variables than these are not asked for. */
const MOST_NAMES = 5;

/** Of how many the audience has no value for what the mail names. */
function useLacking(audience: Audience | null, missing: readonly string[]) {
  const names = missing.slice(0, MOST_NAMES);
  return useQuery({
    queryKey: ["contacts", "lacking", audience, names],
    queryFn: async ({ signal }): Promise<readonly Lacking[]> => {
      if (audience === null) return [];
      const counts = await Promise.all(
        names.map(async (name) => {
          const body = lackingIn(audience, name);
          const { data } = await unwrap(api.POST("/campaigns/audience-preview", { body, signal }));
          return { name, people: data.willReceive };
        }),
      );
      return counts.filter(({ people }) => people > 0);
    },
    throwOnError: false,
  });
}

type ConditionInput = components["schemas"]["ConditionInput"];

/** Those of an audience who have no value under a key. */
export function lackingIn(audience: Audience, name: string): Audience {
  const lacks = { field: `data.${name.replace(/^data\./, "")}`, operator: "notExists" as const };
  const { audienceType, segmentId, audienceCondition } = audience;
  const inSegment = segmentId ? [{ field: `segment.${segmentId}`, operator: "memberOf" as const }] : [];
  const inner = audienceCondition ? { conditions: audienceCondition } : {};
  const isOwn = audienceType === "FILTERED";
  const group = { filters: [lacks, ...(audienceType === "SEGMENT" ? inSegment : [])], ...(isOwn ? inner : {}) };
  return { audienceType: "FILTERED", audienceCondition: { groups: [group] } as ConditionInput };
}
