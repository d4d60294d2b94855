// A campaign and its statistics as the interface shows them.
import { t } from "elysia";
import { countShape, idShape, nullable, oneOf, timeShape, wrapped } from "../../http/answer-shapes.ts";
import { conditionRecord, conditionShape } from "../../audience/segments/condition/record.ts";
import { segmentShape } from "../../audience/segments/record.ts";
import type { TopicalAudience } from "./fields.ts";
import type { RecipientEstimate } from "./foreseen.ts";
import { REPEATED_STATES, type Campaign } from "./queries.ts";
import { writtenProperties } from "../../content/templates/written-shape.ts";
import { updatedByShape } from "../../tenant/access/saving-shape.ts";
import { reportedShape } from "../../mail/statistics/record.ts";

export const campaignStatusShape = oneOf("DRAFT", "SCHEDULED", "SENDING", "SENT", "CANCELLED");
export const repeatedStateShape = oneOf(...REPEATED_STATES);
export const audienceTypeShape = oneOf("ALL", "SEGMENT", "FILTERED");

const countersShape = t.Object({
  totalRecipients: countShape,
  sentCount: countShape,
  refusedCount: t.Number({
    ...countShape,
    description: "Refused at once because of the recipient: in `bouncedCount`, not in `sentCount`.",
  }),
  deliveredCount: countShape,
  openedCount: countShape,
  clickedCount: countShape,
  bouncedCount: countShape,
});
const counters = countersShape.properties;

/** The counts of mails that were handed over, or refused because of their recipients. */
export type Counters = Readonly<typeof countersShape.static>;

export const campaignShape = t.Object(
  {
    id: idShape,
    name: t.String(),
    description: nullable(t.String()),
    ...writtenProperties,
    from: t.String(),
    status: campaignStatusShape,
    paused: t.Boolean(),
    blocked: nullable(t.String({ description: "Why it cannot continue at the moment." })),
    audienceType: audienceTypeShape,
    audienceCondition: nullable(conditionShape),
    segmentId: nullable(idShape),
    segment: nullable(segmentShape),
    repeats: nullable(
      t.Object({ campaignId: idShape, states: t.Array(repeatedStateShape) }, { title: "CampaignRepeats" }),
    ),
    ...counters,
    totalIsEstimate: t.Boolean({
      description: "`totalRecipients` of an unsent campaign counts whom it would go to now; true = it is estimated.",
    }),
    scheduledFor: nullable(timeShape),
    startedAt: nullable(timeShape),
    sentAt: nullable(timeShape),
    cancelledAt: nullable(timeShape),
    cancelledBy: updatedByShape,
    projectId: idShape,
    createdAt: timeShape,
    updatedAt: timeShape,
    updatedBy: updatedByShape,
  },
  { title: "Campaign" },
);

export const campaignAnswerShape = wrapped(campaignShape);

const NONE: Counters = {
  totalRecipients: 0,
  sentCount: 0,
  refusedCount: 0,
  deliveredCount: 0,
  openedCount: 0,
  clickedCount: 0,
  bouncedCount: 0,
};

/** Details that campaigns are shown with and that are not in their rows (details.ts). */
export type CampaignDetails = {
  readonly workspaceId: string;
  /** By the campaign's seq. */
  readonly counters: ReadonlyMap<number, Counters>;
  readonly foreseen: (campaign: Pick<Campaign, keyof TopicalAudience>) => RecipientEstimate;
  /** By the segment's id. */
  readonly segments: ReadonlyMap<string, typeof segmentShape.static>;
};

export function campaignRecord(campaign: Campaign, details: CampaignDetails): typeof campaignShape.static {
  const { seq, workspace, dueAt, deletedAt, content, frozenAt, queuedTo, ...shown } = campaign;
  const { id, name, status, fromAddress: from, ...same } = shown;
  return {
    id,
    name,
    status,
    from,
    ...same,
    audienceCondition: conditionRecord(campaign.audienceCondition),
    segment: details.segments.get(campaign.segmentId ?? "") ?? null,
    ...(details.counters.get(seq) ?? NONE),
    ...(isForeseen(campaign) ? details.foreseen(campaign) : { totalIsEstimate: false }),
    projectId: details.workspaceId,
  };
}

/** True if the reach of the campaign has to be forecast: it is not sent, and does not repeat another. */
export function isForeseen({ status, repeats }: Pick<Campaign, "status" | "repeats">): boolean {
  return (status === "DRAFT" || status === "SCHEDULED") && repeats === null;
}

const rate = t.Number({ minimum: 0 });

export const statisticsShape = t.Object(
  {
    ...counters,
    hardBouncedCount: countShape,
    softBouncedCount: countShape,
    complainedCount: countShape,
    unsubscribedCount: { ...countShape, description: "Unsubscribed from everything by a link in the email." },
    leftTopicCount: { ...countShape, description: "Left the topic of the email by a link in it." },
    perhapsDeliveredCount: countShape,
    failedCount: countShape,
    skippedCount: countShape,
    pendingCount: countShape,
    queuedCount: countShape,
    cancelledCount: countShape,
    deliveriesReported: reportedShape,
    deliveryRate: rate,
    openRate: rate,
    clickRate: rate,
    bounceRate: rate,
    complaintRate: rate,
    unsubscribeRate: rate,
    leftTopicRate: rate,
    leftBecause: t.Object(
      {
        "too-many": countShape,
        "not-relevant": countShape,
        "never-signed-up": countShape,
        other: countShape,
      },
      {
        description:
          "Why people left by a link in the email, as far as they answered: see GET /contacts/leaving-answers.",
      },
    ),
  },
  { title: "CampaignStatistics" },
);
