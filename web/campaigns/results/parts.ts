// The outcomes in the results: each is a field of the statistics and the filter that lists its recipients.
import type { StatusIconName, Tone } from "../../parts/icons/icon.tsx";
import type { ResendState } from "../calls.ts";
import type { RecipientFilter, CampaignStatistics } from "./calls.ts";

export type PartName = keyof typeof PARTS;
type ResultPart = {
  readonly filter: RecipientFilter;
  readonly count: (statistics: CampaignStatistics) => number;
  readonly icon: StatusIconName;
  readonly tone?: Tone;
  /** The recipients may have a reason: the list has a column for it. */
  readonly why?: true;
  /** The state to which the campaign can be sent again. */
  readonly again?: ResendState;
};

export const PARTS = {
  all: { filter: {}, count: ({ totalRecipients }) => totalRecipients, icon: "accepted", why: true },
  sent: {
    filter: { state: ["SENT", "DELIVERED", "BOUNCED", "COMPLAINED"], refused: false },
    count: ({ sentCount }) => sentCount,
    icon: "sent",
    why: true,
  },
  refused: {
    filter: { state: ["BOUNCED"], refused: true },
    count: ({ refusedCount }) => refusedCount,
    icon: "bounced",
    tone: "bad",
    why: true,
    again: "BOUNCED",
  },
  perhaps: {
    filter: { state: ["PERHAPS_DELIVERED"] },
    count: ({ perhapsDeliveredCount }) => perhapsDeliveredCount,
    icon: "waiting",
    tone: "warn",
    why: true,
  },
  failed: {
    filter: { state: ["FAILED"] },
    count: ({ failedCount }) => failedCount,
    icon: "failed",
    tone: "bad",
    why: true,
    again: "FAILED",
  },
  skipped: {
    filter: { state: ["SKIPPED"] },
    count: ({ skippedCount }) => skippedCount,
    icon: "skipped",
    why: true,
    again: "SKIPPED",
  },
  onWay: {
    filter: { state: ["PENDING", "QUEUED", "SENDING"] },
    count: ({ pendingCount, queuedCount }) => pendingCount + queuedCount,
    icon: "queued",
  },
  cancelled: {
    filter: { state: ["CANCELLED"] },
    count: ({ cancelledCount }) => cancelledCount,
    icon: "cancelled",
    again: "CANCELLED",
  },
  delivered: {
    filter: { state: ["DELIVERED", "COMPLAINED"] },
    count: ({ deliveredCount }) => deliveredCount,
    icon: "delivered",
    tone: "ok",
  },
  bounced: {
    // Includes the refused ones.
    filter: { state: ["BOUNCED"] },
    count: ({ bouncedCount }) => bouncedCount,
    icon: "bounced",
    tone: "bad",
    why: true,
    again: "BOUNCED",
  },
  complained: {
    filter: { state: ["COMPLAINED"] },
    count: ({ complainedCount }) => complainedCount,
    icon: "complained",
    tone: "bad",
  },
  noWord: {
    filter: { state: ["SENT"] },
    count: ({ sentCount, deliveredCount, bouncedCount, refusedCount }) =>
      sentCount - deliveredCount - (bouncedCount - refusedCount),
    icon: "sent",
  },
  opened: { filter: { action: "opened" }, count: ({ openedCount }) => openedCount, icon: "opened" },
  clicked: { filter: { action: "clicked" }, count: ({ clickedCount }) => clickedCount, icon: "clicked" },
  unsubscribed: {
    filter: { action: "unsubscribed" },
    count: ({ unsubscribedCount }) => unsubscribedCount,
    icon: "unsub",
  },
  leftTopic: { filter: { action: "left-topic" }, count: ({ leftTopicCount }) => leftTopicCount, icon: "skipped" },
} as const satisfies Readonly<Record<string, ResultPart>>;

/** False: without delivery reports it is only known that the relay accepted the email. */
export function tellsDeliveries({
  deliveriesReported,
  deliveredCount,
}: Pick<CampaignStatistics, "deliveriesReported" | "deliveredCount">): boolean {
  return deliveriesReported || deliveredCount > 0;
}

/** The outcomes that always add up to the total. */
export const ADDENDS = [
  "sent",
  "refused",
  "perhaps",
  "failed",
  "skipped",
  "onWay",
  "cancelled",
] as const satisfies readonly PartName[];

export function partByName(name: string | undefined): PartName | null {
  return name !== undefined && name in PARTS ? (name as PartName) : null;
}

export function partOf(name: PartName): ResultPart {
  return PARTS[name];
}
