// The results of campaigns, counted from their recipients and mails, and from the counts kept of pruned mails.
import { countReasons } from "../../audience/contacts/past/leaving-queries.ts";
import { LEAVING_REASONS, type LeavingReason } from "../../base/languages/questions.ts";
import { countOutcome, countSettled, type StatusCount } from "../../mail/emails/campaign-queries.ts";
import type { EmailStatus } from "../../mail/emails/shape.ts";
import { reportsDeliveries } from "../../mail/statistics/queries.ts";
import type { Reader } from "../../store/store.ts";
import { countPruned, type PrunedCount } from "./recipients/pruning-queries.ts";
import type { Campaign } from "./queries.ts";
import { countAfter, countRecipients, countSkipped } from "./recipients/recipient-queries.ts";
import type { Counters } from "./record.ts";

/** A mail that was complained about was delivered. */
const DELIVERED: readonly EmailStatus[] = ["DELIVERED", "COMPLAINED"];
const LEFT: readonly EmailStatus[] = ["SENT", "BOUNCED", ...DELIVERED];

/** The counters of several campaigns, at least one, by their seq. */
export async function countersOf(reader: Reader, seqs: readonly number[]): Promise<Map<number, Counters>> {
  const people = await countRecipients(reader, seqs);
  const mails = [...(await countSettled(reader, seqs)), ...(await countPruned(reader, seqs)).flatMap(withRefused)];
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

type OutcomeCounts = Pick<PrunedCount, "hardBounced" | "unsubscribed" | "leftTopic">;

function added(one: OutcomeCounts, other: OutcomeCounts): OutcomeCounts {
  return {
    hardBounced: one.hardBounced + other.hardBounced,
    unsubscribed: one.unsubscribed + other.unsubscribed,
    leftTopic: one.leftTopic + other.leftTopic,
  };
}

function withRefused(pruned: PrunedCount): StatusCount[] {
  return [pruned, { ...pruned, status: "refused", mails: pruned.refused, opened: 0, clicked: 0 }];
}

function counters(mails: readonly StatusCount[]): Omit<Counters, "totalRecipients"> {
  return {
    sentCount: having(mails, LEFT) - having(mails, ["refused"]),
    refusedCount: having(mails, ["refused"]),
    deliveredCount: having(mails, DELIVERED),
    openedCount: mails.reduce((sum, { opened }) => sum + opened, 0),
    clickedCount: mails.reduce((sum, { clicked }) => sum + clicked, 0),
    bouncedCount: having(mails, ["BOUNCED"]),
  };
}

function having(mails: readonly StatusCount[], statuses: readonly StatusCount["status"][]): number {
  return mails.filter(({ status }) => statuses.includes(status)).reduce((sum, one) => sum + one.mails, 0);
}

/**
 * Every recipient is counted as exactly one of pending, queued, sent, refused, perhaps delivered, failed, skipped and
 * cancelled; rates are per cent of the sent mail, that of bounces of the sent or refused mail.
 */
export async function statisticsOf(reader: Reader, { seq, workspace, queuedTo, status }: Campaign) {
  const isCancelled = status === "CANCELLED";
  const pruned = await countPruned(reader, [seq]);
  const totalRecipients = (await countRecipients(reader, [seq]))[0]?.people ?? 0;
  // Recipients queued or skipped after this are counted below, too, and subtracted here.
  const waiting = await countAfter(reader, seq, queuedTo);
  const { inFlight, repeated, settled, ...outcome } = await countOutcome(reader, seq);
  const mails = [...settled, ...pruned.flatMap(withRefused)];
  const { hardBounced, unsubscribed, leftTopic } = pruned.reduce(added, outcome);
  const skipped = (await countSkipped(reader, seq)) + having(mails, ["SKIPPED"]);
  const cancelled = having(mails, ["CANCELLED"]);
  const counts = counters(mails);
  const { sentCount, refusedCount, bouncedCount } = counts;
  const complainedCount = having(mails, ["COMPLAINED"]);
  const failedCount = having(mails, ["FAILED"]);
  const queuedCount = inFlight - repeated;
  const perhapsDeliveredCount = repeated + having(mails, ["PERHAPS_DELIVERED"]);
  const settledWithout = refusedCount + perhapsDeliveredCount + failedCount + skipped + cancelled;
  const others = totalRecipients - queuedCount - sentCount - settledWithout;
  const pendingCount = isCancelled ? 0 : Math.max(0, Math.min(waiting, others));
  // Recipients that got no mail before the campaign was cancelled; the others were erased, and their mails with them.
  const without = Math.max(0, others - pendingCount);
  const ofSent = (count: number) => perCent(count, sentCount);
  return {
    totalRecipients,
    ...counts,
    hardBouncedCount: hardBounced,
    softBouncedCount: bouncedCount - hardBounced,
    complainedCount,
    unsubscribedCount: unsubscribed,
    leftTopicCount: leftTopic,
    perhapsDeliveredCount,
    failedCount,
    skippedCount: isCancelled ? skipped : skipped + without,
    pendingCount,
    queuedCount,
    cancelledCount: isCancelled ? cancelled + without : cancelled,
    deliveriesReported: await reportsDeliveries(reader, workspace),
    deliveryRate: ofSent(counts.deliveredCount),
    openRate: ofSent(counts.openedCount),
    clickRate: ofSent(counts.clickedCount),
    bounceRate: perCent(bouncedCount, sentCount + refusedCount),
    complaintRate: ofSent(complainedCount),
    unsubscribeRate: ofSent(unsubscribed),
    leftTopicRate: ofSent(leftTopic),
    leftBecause: await reasonsOf(reader, seq),
  };
}

async function reasonsOf(reader: Reader, campaign: number): Promise<Record<LeavingReason, number>> {
  const counts = new Map((await countReasons(reader, campaign)).map(({ reason, answers }) => [reason, answers]));
  const counted = LEAVING_REASONS.map((reason) => [reason, counts.get(reason) ?? 0]);
  return Object.fromEntries(counted) as Record<LeavingReason, number>;
}

function perCent(part: number, total: number): number {
  return total === 0 ? 0 : Math.round((part / total) * 10_000) / 100;
}
