// The audience of a campaign: all contacts, a segment or a condition, and how many people will receive it.
import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useTexts } from "../../base/language.ts";
import { Banner } from "../../parts/banner.tsx";
import { Button } from "../../parts/button.tsx";
import { Skeleton, Panel } from "../../parts/layout.tsx";
import { SegmentedControl } from "../../parts/fields/segmented-control.tsx";
import { Select } from "../../parts/fields/select.tsx";
import { showFault } from "../../parts/overlays/toast.tsx";
import { campaignsTexts, writingTexts } from "../../texts/areas.ts";
import { query } from "../../calls/query.ts";
import { audienceOf, isAudiencePart, useAudience, type AudienceNumbers } from "./audience-calls.ts";
import { changeSeenCampaign, isUnsent, type Campaign, type CampaignChange } from "../calls.ts";
import { AudienceFilters, errorsOf } from "./audience-filters.tsx";
import { AudiencePeople } from "./people.tsx";
import { AudienceSum } from "./audience-sum.tsx";
import { TopicLine } from "./topic-line.tsx";

const route = getRouteApi("/frame/campaigns/$id");

type AudienceProps = {
  readonly campaign: Campaign;
  readonly disabledReason: string | undefined;
  /** Saves unsaved text first: saved later, it would meet a changed campaign. */
  readonly flush: () => Promise<void>;
};

export function AudienceTab({ campaign, disabledReason, flush }: AudienceProps) {
  const { audience: t, toAccount } = useTexts(campaignsTexts);
  const { part } = route.useSearch();
  // A sent campaign keeps its recipients; the audience is counted only before.
  const audience = isUnsent(campaign) ? audienceOf(campaign) : null;
  const { data, ...asked } = useAudience(audience);
  return (
    <div className="page narrow">
      {!isUnsent(campaign) && (
        <Banner tone="note">
          {t.frozen}{" "}
          <Link to="." search={{ tab: "results" }}>
            {toAccount}
          </Link>
        </Banner>
      )}
      {campaign.repeats === null ? (
        <Choice campaign={campaign} disabledReason={disabledReason} flush={flush} />
      ) : (
        <ResendAudience campaign={campaign} />
      )}
      {isUnsent(campaign) && campaign.repeats === null && (
        <Panel title={t.title}>
          <div className="pad stack">
            <TopicLine campaign={campaign} />
            {audience === null ? (
              <p className="row-text">{t.unchosen[campaign.audienceType]}</p>
            ) : data ? (
              <AudienceSum numbers={data} />
            ) : (
              <Skeleton of={asked} rows={1} columns={3} />
            )}
            <p className="dim small">{t.again}</p>
          </div>
        </Panel>
      )}
      {audience && isAudiencePart(part) && (
        <AudiencePeople key={part} audience={audience} part={part} total={data && valueOf(data, part)} />
      )}
    </div>
  );
}

function valueOf(
  { excluded, ...numbers }: AudienceNumbers,
  part: keyof AudienceNumbers["excluded"] | "matched" | "willReceive",
) {
  return { ...excluded, ...numbers }[part];
}

function ResendAudience({ campaign: { repeats } }: { readonly campaign: Campaign }) {
  const { audience: t } = useTexts(campaignsTexts);
  if (repeats === null) return null;
  return (
    <Panel title={t.type}>
      <p className="pad row-text">
        {t.repeats}{" "}
        <Link to="/campaigns/$id" params={{ id: repeats.campaignId }} search={{ tab: "results" }}>
          {t.other}
        </Link>
      </p>
    </Panel>
  );
}

type Type = Campaign["audienceType"];

function Choice({ campaign, disabledReason, flush }: AudienceProps) {
  const { audience: t } = useTexts(campaignsTexts);
  const { refused: notSaved, again } = useTexts(writingTexts).saving;
  const [type, setType] = useState<Type>(campaign.audienceType);
  const shownType = useRef(type);
  shownType.current = type;
  const former = useRef<Pick<Campaign, "segmentId" | "audienceCondition">>({
    segmentId: null,
    audienceCondition: null,
  });
  // The campaign as this page last saved it, so that its own save is not taken for another user's.
  const own = useRef(campaign);
  const saving = useMutation({
    // Two quick choices are saved in their order.
    scope: { id: `audience ${campaign.id}` },
    mutationFn: async (change: CampaignChange) => {
      await flush();
      return changeSeenCampaign(newerOf(own.current, campaign), change);
    },
    onSuccess: ({ row }) => {
      own.current = row;
      // The saved row may have the type that another user chose.
      setType(row.audienceType);
    },
    // The builder shows the faults of its filters.
    onError: (error) => {
      if (errorsOf(error).length === 0) showFault(error);
    },
    meta: { inForm: true },
  });
  const choose = (chosen: Type) => {
    if (disabledReason !== undefined) return;
    setType(chosen);
    former.current = {
      segmentId: campaign.segmentId ?? former.current.segmentId,
      audienceCondition: campaign.audienceCondition ?? former.current.audienceCondition,
    };
    // Restores the previous choice of this type; otherwise no recipients.
    const { segmentId, audienceCondition } = former.current;
    const open = chosen === "SEGMENT" ? { segmentId } : { audienceCondition };
    if (chosen !== type) saving.mutate(chosen === "ALL" ? { audienceType: chosen } : { audienceType: chosen, ...open });
  };
  return (
    <Panel
      title={t.type}
      actions={
        <span className="live dim small push" role="status">
          {saving.isPending && t.saving}
          {saving.isError && (
            <>
              <span>{notSaved}</span>
              <Button kind="quiet" small onClick={() => saving.mutate(saving.variables)}>
                {again}
              </Button>
            </>
          )}
        </span>
      }
    >
      <div className="pad stack l">
        <div className="inline">
          <SegmentedControl
            label={t.type}
            value={type}
            onChange={choose}
            choices={(["ALL", "SEGMENT", "FILTERED"] as const).map((value) => ({ value, content: t.types[value] }))}
          />
        </div>
        {type === "SEGMENT" && (
          <SegmentChoice
            chosen={campaign.segmentId}
            disabledReason={disabledReason}
            choose={(segmentId) => saving.mutate({ audienceType: "SEGMENT", segmentId })}
          />
        )}
        {type === "FILTERED" && (
          <AudienceFilters
            campaign={campaign}
            disabledReason={disabledReason}
            fault={saving.error}
            save={(audienceCondition) => {
              // Filters that give way to another type must not be saved over it.
              if (shownType.current === "FILTERED") saving.mutate({ audienceType: "FILTERED", audienceCondition });
            }}
          />
        )}
      </div>
    </Panel>
  );
}

const newerOf = (one: Campaign, other: Campaign): Campaign => (one.updatedAt > other.updatedAt ? one : other);

type SegmentProps = {
  readonly chosen: string | null;
  readonly disabledReason: string | undefined;
  readonly choose: (id: string) => void;
};

function SegmentChoice({ chosen, disabledReason, choose }: SegmentProps) {
  const { audience: t } = useTexts(campaignsTexts);
  const { data: segments, ...asked } = useQuery(query("GET /segments"));
  if (!segments) return <Skeleton of={asked} rows={1} columns={2} />;
  if (segments.length === 0) return <p className="dim row-text">{t.noSegment}</p>;
  return (
    <Select
      name="segmentId"
      label={t.segment}
      {...(chosen === null ? {} : { value: chosen })}
      {...(chosen === null ? { help: t.choose } : {})}
      disabledReason={disabledReason}
      options={segments.map(({ id, name }) => ({ id, name }))}
      onChange={choose}
    />
  );
}
