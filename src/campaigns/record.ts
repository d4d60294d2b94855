// A campaign, its statistics and its recipients as the interface shows them (interface.md "Campaign", interface-gaps.md §5).
import { t } from "elysia";
import { countShape, idShape, nullable, oneOf, timeShape } from "../http/answer-shapes.ts";
import { conditionRecord, conditionShape } from "../segments/condition-record.ts";
import { segmentShape } from "../segments/record.ts";
import type { CampaignDetails } from "./details.ts";
import type { CampaignRow } from "./queries.ts";
import type { Counters } from "./statistics.ts";

export const campaignStatusShape = oneOf("DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED");
export const audienceTypeShape = oneOf("ALL", "SEGMENT", "FILTERED");

const counters = {
  totalRecipients: countShape,
  sentCount: countShape,
  deliveredCount: countShape,
  openedCount: countShape,
  clickedCount: countShape,
  bouncedCount: countShape,
};

export const campaignShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    description: nullable(t.String()),
    subject: t.String(),
    body: t.String(),
    text: nullable(t.String()),
    from: t.String(),
    fromName: nullable(t.String()),
    replyTo: nullable(t.String()),
    status: campaignStatusShape,
    paused: t.Boolean(),
    blocked: nullable(t.String({ description: "Why it cannot go on at the moment." })),
    audienceType: audienceTypeShape,
    audienceCondition: nullable(conditionShape),
    segmentId: nullable(t.String()),
    segment: nullable(segmentShape),
    ...counters,
    scheduledFor: nullable(timeShape),
    startedAt: nullable(timeShape),
    sentAt: nullable(timeShape),
    cancelledAt: nullable(timeShape),
    projectId: idShape,
    createdAt: timeShape,
    updatedAt: timeShape,
  },
  { title: "Campaign" },
);

const NONE: Counters = {
  totalRecipients: 0,
  sentCount: 0,
  deliveredCount: 0,
  openedCount: 0,
  clickedCount: 0,
  bouncedCount: 0,
};

/** With what is known about it. */
export function campaignRecord(campaign: CampaignRow, details: CampaignDetails): typeof campaignShape.static {
  return {
    id: campaign.id,
    name: campaign.name,
    description: campaign.description,
    subject: campaign.subject,
    body: campaign.body,
    text: campaign.text,
    from: campaign.from_address,
    fromName: campaign.from_name,
    replyTo: campaign.reply_to,
    status: campaign.status,
    paused: campaign.paused === 1,
    blocked: campaign.blocked,
    audienceType: campaign.audience_type,
    audienceCondition: conditionRecord(campaign.audience_condition),
    segmentId: campaign.segment_id,
    segment: details.segments.get(campaign.segment_id ?? "") ?? null,
    ...(details.counters.get(campaign.seq) ?? NONE),
    scheduledFor: campaign.scheduled_for,
    startedAt: campaign.started_at,
    sentAt: campaign.sent_at,
    cancelledAt: campaign.cancelled_at,
    projectId: details.workspaceId,
    createdAt: campaign.created_at,
    updatedAt: campaign.updated_at,
  };
}

const rate = t.Number({ minimum: 0 });

export const statisticsShape = t.Object(
  {
    ...counters,
    hardBouncedCount: countShape,
    softBouncedCount: countShape,
    complainedCount: countShape,
    unsubscribedCount: countShape,
    failedCount: countShape,
    skippedCount: countShape,
    pendingCount: countShape,
    queuedCount: countShape,
    cancelledCount: countShape,
    deliveryRate: rate,
    openRate: rate,
    clickRate: rate,
    bounceRate: rate,
    complaintRate: rate,
    unsubscribeRate: rate,
  },
  { title: "CampaignStatistics" },
);

export const previewShape = t.Object({
  matched: countShape,
  willReceive: countShape,
  excluded: t.Object({ unsubscribed: countShape, pending: countShape, suppressed: countShape }),
});
