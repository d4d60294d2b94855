// What became of campaigns, counted from their recipients and mails; nothing is ever added up on the way.
import {
  countFailedWith,
  countHardBounced,
  countInFlight,
  countSettled,
  countUnsubscribed,
  type StatusCount,
} from "../emails/campaign-queries.ts";
import { NOT_SUBSCRIBED } from "../emails/withheld.ts";
import type { EmailStatus } from "../emails/queries.ts";
import type { Reader } from "../store/store.ts";
import type { CampaignRow } from "./queries.ts";
import { countAfter, countRecipients, countSkipped } from "./recipient-queries.ts";

/** Of mails that were handed over, or refused for their recipients' sake. */
export type Counters = {
  readonly totalRecipients: number;
  readonly sentCount: number;
  readonly deliveredCount: number;
  readonly openedCount: number;
  readonly clickedCount: number;
  readonly bouncedCount: number;
};

/** Whoever complains has got the mail. */
const DELIVERED: readonly EmailStatus[] = ["DELIVERED", "COMPLAINED"];
const LEFT: readonly EmailStatus[] = ["SENT", "BOUNCED", ...DELIVERED];

/** The counters of several campaigns, at least one, by their seq. */
export async function countersOf(reader: Reader, seqs: readonly number[]): Promise<Map<number, Counters>> {
  const [people, mails] = [await countRecipients(reader, seqs), await countSettled(reader, seqs)];
  return new Map(
    seqs.map((seq) => [
      seq,
      {
        totalRecipients: people.find(({ campaign }) => campaign === seq)?.people ?? 0,
        ...counters(mails.filter(({ campaign }) => campaign === seq)),
      },
    ]),
  );
}

function counters(mails: readonly StatusCount[]): Omit<Counters, "totalRecipients"> {
  return {
    sentCount: having(mails, LEFT),
    deliveredCount: having(mails, DELIVERED),
    openedCount: mails.reduce((sum, { opened }) => sum + opened, 0),
    clickedCount: mails.reduce((sum, { clicked }) => sum + clicked, 0),
    bouncedCount: having(mails, ["BOUNCED"]),
  };
}

function having(mails: readonly StatusCount[], statuses: readonly EmailStatus[]): number {
  return mails.filter(({ status }) => statuses.includes(status)).reduce((sum, one) => sum + one.mails, 0);
}

/**
 * Every recipient under exactly one of pending, queued, sent, failed, skipped and cancelled; rates in per cent of what was sent
 * (interface-gaps.md §5 "stats").
 */
export async function statisticsOf(reader: Reader, campaign: CampaignRow) {
  const { seq, fed_to, status } = campaign;
  const mails = await countSettled(reader, [seq]);
  const total = (await countRecipients(reader, [seq]))[0]?.people ?? 0;
  const unfed = await countAfter(reader, seq, fed_to);
  const queued = await countInFlight(reader, seq);
  const withheld = await countFailedWith(reader, seq, NOT_SUBSCRIBED);
  const skipped = (await countSkipped(reader, seq)) + withheld;
  const hardBouncedCount = await countHardBounced(reader, seq);
  const unsubscribedCount = await countUnsubscribed(reader, seq);
  const counts = { totalRecipients: total, ...counters(mails) };
  const complainedCount = having(mails, ["COMPLAINED"]);
  const failedCount = having(mails, ["FAILED"]) - withheld;
  const pendingCount = status === "CANCELLED" ? 0 : unfed;
  const settled = counts.sentCount + failedCount + skipped;
  // Of these no mail was sent and none is left.
  const withdrawn = Math.max(0, total - pendingCount - queued - settled);
  const ofSent = (count: number) =>
    counts.sentCount === 0 ? 0 : Math.round((count / counts.sentCount) * 10_000) / 100;
  return {
    ...counts,
    hardBouncedCount,
    softBouncedCount: counts.bouncedCount - hardBouncedCount,
    complainedCount,
    unsubscribedCount,
    failedCount,
    skippedCount: status === "CANCELLED" ? skipped : skipped + withdrawn,
    pendingCount,
    queuedCount: queued,
    cancelledCount: status === "CANCELLED" ? withdrawn : 0,
    deliveryRate: ofSent(counts.deliveredCount),
    openRate: ofSent(counts.openedCount),
    clickRate: ofSent(counts.clickedCount),
    bounceRate: ofSent(counts.bouncedCount),
    complaintRate: ofSent(complainedCount),
    unsubscribeRate: ofSent(unsubscribedCount),
  };
}
