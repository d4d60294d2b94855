// The result of each campaign for one contact, and why some sent nothing: from the records of the sending, and from the
// contact's consent at that time. An audience is kept only as its recipients: a contact that is no recipient was not in
// it.
import type { Suppression } from "../../audience/suppressions/queries.ts";
import { inForceAt } from "../../audience/suppressions/standing.ts";
import { isIn } from "../../audience/topics/choice.ts";
import { topicMeant } from "../../audience/topics/mail.ts";
import { audienceOf } from "../../programs/campaigns/audience.ts";
import { campaignById, type Campaign } from "../../programs/campaigns/queries.ts";
import { recipientsNumbered } from "../../programs/campaigns/recipients/recipient-queries.ts";
import { recipientRecord } from "../../programs/campaigns/recipients/recipient-record.ts";
import type { Contact } from "../../audience/contacts/queries.ts";
import type { Reader } from "../../store/store.ts";
import { begunBefore, type CampaignHistoryRow } from "./campaign-queries.ts";
import { eventsCalled, eventsTold, type ToldEvent } from "./past-queries.ts";
import type { HistoryEntry } from "./record.ts";
import type { TimelineQuery, TimelineSource } from "./sources.ts";
import { isMeant } from "./standing.ts";

type CampaignHistoryEntry = Omit<Extract<HistoryEntry, { type: "campaign" }>, "type" | "at" | "campaign">;

/** Campaigns read for one page, even if few of them match. */
const CAMPAIGNS_A_PAGE = 50;
/** Changes of consent that are read; a contact with more of them is hardly a person. */
const MOST_CHANGES = 500;

/** Each campaign. */
export const campaigns: TimelineSource = async (reader, place) => {
  const found = await begun(reader, place, place.limit);
  const known = await knownOf(reader, place);
  const entries = [];
  for (const one of found) {
    const entry: HistoryEntry = { type: "campaign", ...headOf(one), ...(await answerOf(reader, place, one, known)) };
    entries.push({ position: [one.startedAt, one.seq] as const, entry });
  }
  const last = found.at(-1);
  return { entries, end: last && found.length === place.limit ? endAt(last) : null };
};

/** Only campaigns that would have sent the contact something. */
export const leftOut: TimelineSource = async (reader, place) => {
  const found = await begun(reader, place, CAMPAIGNS_A_PAGE);
  const known = await knownOf(reader, place);
  const entries = [];
  for (const one of found) {
    const reason = one.reason ?? (one.isRecipient ? null : exclusionAt(place.contact, known, one.startedAt));
    if (reason === null || reason === "joinedLater") continue;
    if (one.reason === null && (await matchesNow(reader, place, one)) === false) continue;
    const entry: HistoryEntry = { type: "leftOut", ...headOf(one), reason };
    entries.push({ position: [one.startedAt, one.seq] as const, entry });
  }
  const last = found.at(-1);
  const hasMore = last !== undefined && found.length === CAMPAIGNS_A_PAGE;
  return { entries: entries.slice(0, place.limit), end: hasMore && entries.length < place.limit ? endAt(last) : null };
};

function begun(
  reader: Reader,
  { workspace, contact, before }: TimelineQuery,
  limit: number,
): Promise<CampaignHistoryRow[]> {
  const from = before === null || typeof before === "number" ? null : before;
  return begunBefore(reader, { workspace, contact: contact.seq, before: from, limit });
}

const FLAGS = ["contact.subscribed", "contact.unsubscribed"];
const PAUSES = ["contact.paused", "contact.resumed"];

const headOf = ({ id, name, startedAt }: CampaignHistoryRow) => ({ at: startedAt, campaign: { id, name } });
const endAt = ({ seq, startedAt }: CampaignHistoryRow) => ({ position: [startedAt, seq] as const, at: startedAt });

/**
 * The facts that explain an exclusion: the contact's changes of consent, and present suppressions of its address or its
 * domain.
 */
type ExclusionFacts = { readonly changes: readonly ToldEvent[]; readonly suppressions: readonly Suppression[] };

async function knownOf(
  reader: Reader,
  { workspace, contact: { seq, email }, nowMs }: TimelineQuery,
): Promise<ExclusionFacts> {
  const names = [...FLAGS, ...PAUSES];
  const seen = await eventsCalled(reader, { contact: seq, before: null, limit: MOST_CHANGES }, names);
  const changes = await eventsTold(
    reader,
    seen.map((one) => one.seq),
  );
  return { changes, suppressions: await inForceAt(reader, { workspace, email }, nowMs) };
}

async function answerOf(
  reader: Reader,
  place: TimelineQuery,
  one: CampaignHistoryRow,
  known: ExclusionFacts,
): Promise<CampaignHistoryEntry> {
  const campaign = await campaignById(reader, place.workspace, one.id);
  const [recipient] = campaign ? await recipientsNumbered(reader, one.seq, [place.contact.seq]) : [];
  if (campaign && recipient) {
    const { state, reason, emailId } = recipientRecord(recipient, campaign);
    return { state, reason, emailId, cancelledBy: cancellerOf(campaign, state), matchesNow: null };
  }
  const excluded = exclusionAt(place.contact, known, one.startedAt);
  const leftTopic = excluded === null && campaign ? await hasLeftTopic(reader, place, campaign) : false;
  if (leftTopic) return { state: "LEFT_OUT", reason: "topic", emailId: null, cancelledBy: null, matchesNow: null };
  const reason = excluded ?? (one.isRepeat ? "notRepeated" : "notInAudience");
  const isAsked = excluded !== "joinedLater" && !one.isRepeat;
  const asked = { emailId: null, cancelledBy: null, matchesNow: isAsked ? await matchesNow(reader, place, one) : null };
  return { state: "LEFT_OUT", reason, ...asked };
}

function cancellerOf({ cancelledBy }: Campaign, state: CampaignHistoryEntry["state"]): string | null {
  return state === "CANCELLED" ? (cancelledBy?.name ?? null) : null;
}

/** Null: all contacts are in the audience. */
async function matchesNow(
  reader: Reader,
  { workspace, contact, nowMs }: TimelineQuery,
  one: CampaignHistoryRow,
): Promise<boolean | null> {
  if (one.audienceType === "ALL" && !one.isRepeat) return null;
  const campaign = await campaignById(reader, workspace, one.id);
  return campaign !== null && isMeant(reader, contact, () => audienceOf(reader, workspace, campaign, nowMs));
}

/** As it is now: the choice of that time is in the ledger alone. */
async function hasLeftTopic(
  reader: Reader,
  { workspace, contact }: TimelineQuery,
  { topic }: Campaign,
): Promise<boolean> {
  return topic !== null && !isIn(contact.topics, await topicMeant(reader, workspace, topic));
}

type Exclusion = "joinedLater" | "suppressed" | "pending" | "unsubscribed" | "paused";

/** Why the contact could get no marketing mail at that time; null = it could. */
function exclusionAt(contact: Contact, { changes, suppressions }: ExclusionFacts, at: string): Exclusion | null {
  if (contact.createdAt > at) return "joinedLater";
  if (suppressions.some(({ createdAt }) => createdAt <= at)) return "suppressed";
  const flags = changes.filter(({ name }) => FLAGS.includes(name));
  const next = flags.findLast(({ createdAt }) => createdAt > at);
  const last = flags.find(({ createdAt }) => createdAt <= at);
  const wasSubscribed = last
    ? last.name === "contact.subscribed"
    : next
      ? next.name === "contact.unsubscribed"
      : contact.subscribed;
  if (wasSubscribed) return wasPaused(changes, at) ? "paused" : null;
  if (last ? last.data?.["reason"] !== undefined : contact.suppressed !== null && !next) return "suppressed";
  return contact.status === "PENDING" ? "pending" : "unsubscribed";
}

/** Unsubscribing ends a pause as well. */
function wasPaused(changes: readonly ToldEvent[], at: string): boolean {
  const last = changes.find(({ name, createdAt }) => createdAt <= at && name !== "contact.subscribed");
  return last?.name === "contact.paused" && String(last.data?.["until"]) > at;
}
