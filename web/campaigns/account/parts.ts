// The parts of an account: each a number of the statistics, and the filter that lists its people.
import type { MarkName, Tone } from "../../parts/icon.tsx";
import type { RepeatedState } from "../calls.ts";
import type { Filter, Statistics } from "./calls.ts";

export type PartName = keyof typeof PARTS;
type Part = {
  readonly filter: Filter;
  readonly count: (statistics: Statistics) => number;
  readonly mark: MarkName;
  readonly tone?: Tone;
  /** Its people may have something against them. */
  readonly why?: true;
  /** Who is in it may be sent it again. */
  readonly again?: RepeatedState;
};

export const PARTS = {
  all: { filter: {}, count: ({ totalRecipients }) => totalRecipients, mark: "accepted", why: true },
  sent: {
    filter: { state: ["SENT", "DELIVERED", "BOUNCED", "COMPLAINED"] },
    count: ({ sentCount }) => sentCount,
    mark: "sent",
    why: true,
  },
  perhaps: {
    filter: { state: ["PERHAPS_DELIVERED"] },
    count: ({ perhapsDeliveredCount }) => perhapsDeliveredCount,
    mark: "waiting",
    tone: "warn",
    why: true,
  },
  failed: {
    filter: { state: ["FAILED"] },
    count: ({ failedCount }) => failedCount,
    mark: "failed",
    tone: "bad",
    why: true,
    again: "FAILED",
  },
  skipped: {
    filter: { state: ["SKIPPED"] },
    count: ({ skippedCount }) => skippedCount,
    mark: "skipped",
    why: true,
    again: "SKIPPED",
  },
  onWay: {
    filter: { state: ["PENDING", "QUEUED", "SENDING"] },
    count: ({ pendingCount, queuedCount }) => pendingCount + queuedCount,
    mark: "queued",
  },
  cancelled: {
    filter: { state: ["CANCELLED"] },
    count: ({ cancelledCount }) => cancelledCount,
    mark: "cancelled",
    again: "CANCELLED",
  },
  delivered: {
    filter: { state: ["DELIVERED", "COMPLAINED"] },
    count: ({ deliveredCount }) => deliveredCount,
    mark: "delivered",
    tone: "ok",
  },
  bounced: {
    filter: { state: ["BOUNCED"] },
    count: ({ bouncedCount }) => bouncedCount,
    mark: "bounced",
    tone: "bad",
    why: true,
    again: "BOUNCED",
  },
  complained: {
    filter: { state: ["COMPLAINED"] },
    count: ({ complainedCount }) => complainedCount,
    mark: "complained",
    tone: "bad",
  },
  noWord: {
    filter: { state: ["SENT"] },
    count: ({ sentCount, deliveredCount, bouncedCount }) => sentCount - deliveredCount - bouncedCount,
    mark: "sent",
  },
  opened: { filter: { action: "opened" }, count: ({ openedCount }) => openedCount, mark: "opened" },
  clicked: { filter: { action: "clicked" }, count: ({ clickedCount }) => clickedCount, mark: "clicked" },
  unsubscribed: {
    filter: { action: "unsubscribed" },
    count: ({ unsubscribedCount }) => unsubscribedCount,
    mark: "unsub",
  },
} as const satisfies Readonly<Record<string, Part>>;

/** Their sum is the whole, at any moment. */
export const ADDENDS = [
  "sent",
  "perhaps",
  "failed",
  "skipped",
  "onWay",
  "cancelled",
] as const satisfies readonly PartName[];

export function partNamed(name: string | undefined): PartName | null {
  return name !== undefined && name in PARTS ? (name as PartName) : null;
}

export function partOf(name: PartName): Part {
  return PARTS[name];
}
