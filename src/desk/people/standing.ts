// A person's summary: counts of mails, segments, and upcoming mail.
import { isPaused } from "../../audience/contacts/pause.ts";
import type { Contact } from "../../audience/contacts/queries.ts";
import { audienceOf } from "../../programs/campaigns/audience.ts";
import { campaignById, type Campaign } from "../../programs/campaigns/queries.ts";
import { inForceAt } from "../../audience/suppressions/standing.ts";
import { isIn } from "../../audience/topics/choice.ts";
import { topicMeant } from "../../audience/topics/mail.ts";
import { AppError } from "../../base/errors.ts";
import type { Reader } from "../../store/store.ts";
import { causeOfContact } from "../../audience/consent/cause-queries.ts";
import { causesAmong } from "./causes.ts";
import { executionsBefore, type PastExecution } from "./past-queries.ts";
import type { executionShape, MailCounts, summaryShape, upcomingShape } from "./record.ts";
import { segmentsOfContact } from "../../audience/segments/queries.ts";
import { countMailsOf, formerOf, isAmong, plannedCampaigns } from "./standing-queries.ts";

type UpcomingExclusion = (typeof upcomingShape.static)["campaigns"][number]["excluded"];

const MOST_MAILS = 10_000;
const MOST_CAMPAIGNS = 50;
/** The newest executions; running ones are among them. */
const MOST_EXECUTIONS = 100;

export async function summaryOf(
  reader: Reader,
  workspace: number,
  { seq }: Contact,
): Promise<typeof summaryShape.static> {
  const cause = await causeOfContact(reader, seq);
  return {
    mails: await countsOf(reader, seq),
    segments: await segmentsOfContact(reader, seq),
    formerEmails: await formerOf(reader, seq),
    added: (await causesAmong(reader, workspace, [cause]))(cause),
  };
}

async function countsOf(reader: Reader, contact: number): Promise<MailCounts> {
  const rows = await countMailsOf(reader, contact, MOST_MAILS);
  const of = (status: string) => rows.find((row) => row.status === status)?.mails ?? 0;
  const sumOfRows = (count: (row: (typeof rows)[number]) => number) =>
    rows.reduce((total, row) => total + count(row), 0);
  const received = of("RECEIVED");
  return {
    total: sumOfRows(({ mails }) => mails) - received,
    queued: of("QUEUED"),
    sending: of("SENDING"),
    sent: of("SENT"),
    perhapsDelivered: of("PERHAPS_DELIVERED"),
    delivered: of("DELIVERED"),
    failed: of("FAILED"),
    skipped: of("SKIPPED"),
    cancelled: of("CANCELLED"),
    bounced: of("BOUNCED"),
    complained: of("COMPLAINED"),
    received,
    opened: sumOfRows(({ opened }) => opened),
    clicked: sumOfRows(({ clicked }) => clicked),
  };
}

/** Scheduled campaigns whose audience the person is in at this moment, and workflows under way. */
export async function upcomingFor(
  reader: Reader,
  workspace: number,
  contact: Contact,
  nowMs: number,
): Promise<typeof upcomingShape.static> {
  const executions = await executionsBefore(reader, { contact: contact.seq, before: null, limit: MOST_EXECUTIONS });
  const isSuppressed = (await inForceAt(reader, { workspace, email: contact.email }, nowMs)).length > 0;
  const campaigns = [];
  for (const { id, scheduledFor } of await plannedCampaigns(reader, workspace, MOST_CAMPAIGNS)) {
    const campaign = await campaignById(reader, workspace, id);
    if (!campaign || !(await isMeant(reader, contact, () => audienceOf(reader, workspace, campaign, nowMs)))) continue;
    campaigns.push({
      id,
      name: campaign.name,
      scheduledFor,
      excluded: isSuppressed
        ? "suppressed"
        : await exclusionOf(reader, contact, campaign, { workspace, now: scheduledFor }),
    });
  }
  const underWay = executions.filter(({ status }) => status === "RUNNING" || status === "WAITING");
  return { campaigns, executions: underWay.map(executionRecord) };
}

/** A campaign whose segment is gone, or whose condition cannot be evaluated now, has no audience yet. */
export async function isMeant(
  reader: Reader,
  { seq }: Contact,
  audience: () => ReturnType<typeof audienceOf>,
): Promise<boolean> {
  try {
    return await isAmong(reader, seq, (await audience()).condition);
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/**
 * For an address that is not suppressed; as campaigns count exclusions (campaigns/recipients/). `now`: the
 * time of sending.
 */
async function exclusionOf(
  reader: Reader,
  contact: Contact,
  { topic }: Pick<Campaign, "topic">,
  { workspace, now }: { readonly workspace: number; readonly now: string },
): Promise<UpcomingExclusion> {
  const { status, subscribed, topics } = contact;
  if (status === "PENDING") return "pending";
  if (!subscribed) return "unsubscribed";
  if (topic !== null && !isIn(topics, await topicMeant(reader, workspace, topic))) return "topic";
  return isPaused(contact, now) ? "paused" : null;
}

export function executionRecord(execution: PastExecution): typeof executionShape.static {
  const { seq: _, workflowId, workflowName, awaits, dueAt, ...shown } = execution;
  return { ...shown, workflow: { id: workflowId, name: workflowName }, waitingFor: awaits, resumesAt: dueAt };
}
