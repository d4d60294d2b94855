// The steps of a run: each is a bounded piece of work in one transaction, so that a run can stop anywhere.
import { domainOf } from "../../../base/addresses.ts";
import { isPaused } from "../../../audience/contacts/pause.ts";
import { mergedAmong } from "../../../audience/contacts/past/merged-queries.ts";
import { rulesOf } from "../../../audience/contacts/upsert.ts";
import { acceptNumbered } from "../../../mail/emails/accept.ts";
import { withdrawQueued } from "../../../mail/emails/actions/cancel.ts";
import { MAIL_QUEUED } from "../../../mail/emails/queue/queued.ts";
import * as mails from "../../../mail/emails/campaign-queries.ts";
import { deleteUnusedContents, setContentDomain } from "../../../mail/emails/content/queries.ts";
import { happened } from "../../../tenant/events/happened.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import type { Store, Tx } from "../../../store/store.ts";
import { suppressionsAt } from "../../../audience/suppressions/queries.ts";
import { isInForce } from "../../../audience/suppressions/standing.ts";
import { deleteCampaign, setProgress, takeCampaign, type Campaign, type RunProgress } from "../queries.ts";
import * as recipients from "../recipients/recipient-queries.ts";
import { isIn } from "../../../audience/topics/choice.ts";
import { topicMeant, type TopicDefault } from "../../../audience/topics/mail.ts";
import { keepPeople, type RecipientList } from "./found.ts";
import { start } from "./run.ts";

/** Answers true if there may be more to do immediately. */
export type CampaignStep = (tx: Tx, campaign: Campaign) => Promise<boolean>;

/** Held, released, cancelled or removed at a time. */
const ROWS_A_STEP = 500;
/** Queued at a time: each is a row with seven indexes. */
const MAILS_A_STEP = 250;

/** Takes the step if the campaign still has the state that was seen, and no other process is working on it. */
export function take(store: Store, seen: Campaign, step: CampaignStep): Promise<boolean> {
  return store.write(async (tx) => {
    const campaign = await takeCampaign(tx, seen.seq);
    const isAsSeen =
      campaign?.status === seen.status &&
      campaign.paused === seen.paused &&
      campaign.dueAt !== null &&
      campaign.deletedAt === seen.deletedAt;
    return isAsSeen && step(tx, campaign);
  });
}

/** SCHEDULED → SENDING, unless it was rescheduled. */
export function beginScheduled({ dueAt }: Campaign, found: RecipientList): CampaignStep {
  return async (tx, campaign) => {
    if (campaign.dueAt !== dueAt) return false;
    await start(tx, campaign, found);
    return true;
  };
}

/** Freezes these people as its recipients. */
export function freezeFound(found: RecipientList): CampaignStep {
  return async (tx, campaign) => (await keepPeople(tx, campaign, found)) === null || frozen(tx, campaign);
}

/** Makes recipients of the next people. */
export const freezeNext: CampaignStep = async (tx, campaign) => {
  const people = await recipients.takePiece(tx, campaign.seq);
  if (people !== null) await recipients.insertRecipients(tx, campaign.seq, people);
  return (await recipients.hasPieces(tx, campaign.seq)) || frozen(tx, campaign);
};

/** A DRAFT that repeats a campaign has nothing more to do then. */
async function frozen(tx: Tx, campaign: Campaign): Promise<boolean> {
  const isDone = campaign.status === "DRAFT";
  if (isDone) notifyChange(tx, "campaigns", campaign.workspace);
  await setProgress(tx, campaign, { frozenAt: tx.now, blocked: null, ...(isDone ? { dueAt: null } : {}) });
  return !isDone;
}

/** Queues the next recipients' mails. False = every recipient has a mail, or a reason why not. */
export const queueMails: CampaignStep = async (tx, campaign) => {
  const next = await recipients.nextRecipients(tx, campaign, MAILS_A_STEP);
  const last = next.at(-1);
  if (last === undefined) return false;
  await queueFor(tx, campaign, next);
  await setProgress(tx, campaign, { queuedTo: last });
  return true;
};

/** Each of these recipients gets a mail, or a reason why not. */
async function queueFor(tx: Tx, campaign: Campaign, listed: readonly number[]): Promise<void> {
  const { seq, id, workspace, content } = campaign;
  const { next, candidates } = await knownNow(tx, seq, listed);
  const domains = await suppressedDomains(tx, workspace, [...candidates.values()]);
  const topic = campaign.topic === null ? null : await topicMeant(tx, workspace, campaign.topic);
  const byReason = Map.groupBy(next, (recipient) =>
    skipReason(candidates.get(recipient), { domains, topic, now: tx.now }),
  );
  for (const [reason, skipped] of byReason) if (reason !== null) await recipients.setReason(tx, seq, skipped, reason);
  const contacts = (byReason.get(null) ?? []).flatMap((recipient) => candidates.get(recipient) ?? []);
  if (contacts.length === 0) return;
  const queued = await acceptNumbered(tx, {
    sender: { workspace, domains: null },
    sourceType: "CAMPAIGN",
    content: { kept: content as number },
    to: { contacts },
    campaign: { seq, id },
  });
  await recipients.setMails(tx, seq, queued);
}

/** Recipients whose contact was merged become the other contact, unless that one is a recipient itself. */
async function knownNow(tx: Tx, campaign: number, listed: readonly number[]) {
  const candidates = new Map((await recipients.candidatesAmong(tx, listed)).map((one) => [one.seq, one]));
  const missing = listed.filter((contact) => !candidates.has(contact));
  const merged = await mergedAmong(tx, missing);
  if (merged.size === 0) return { next: listed, candidates };
  const next = new Set(listed);
  for (const [from, to] of merged) {
    next.delete(from);
    if ((await recipients.passOn(tx, campaign, { from, to })) > 0) next.add(to);
    else await recipients.setReason(tx, campaign, [from], "merged");
  }
  for (const one of await recipients.candidatesAmong(tx, [...merged.values()])) candidates.set(one.seq, one);
  return { next: [...next], candidates };
}

/** The suppressed domains among those of these people. */
async function suppressedDomains(
  tx: Tx,
  workspace: number,
  candidates: readonly recipients.RecipientCandidate[],
): Promise<ReadonlySet<string>> {
  if (candidates.length === 0 || !(await rulesOf(tx, workspace)).someDomains) return new Set();
  const domains = [...new Set(candidates.map(({ email }) => domainOf(email)))];
  const found = await suppressionsAt(tx, workspace, domains);
  return new Set(found.filter((one) => isInForce(one, tx.now)).map(({ target }) => target));
}

type AudienceLimits = {
  readonly domains: ReadonlySet<string>;
  readonly topic: TopicDefault | null;
  readonly now: string;
};

/** The change since the audience was frozen; null = none that matters. Undefined: the person was erased. */
function skipReason(
  candidate: recipients.RecipientCandidate | undefined,
  { domains, topic, now }: AudienceLimits,
): recipients.RecipientSkipReason | null {
  if (!candidate) return "erased";
  if (candidate.suppressed !== null || domains.has(domainOf(candidate.email))) return "suppressed";
  if (candidate.status === "PENDING") return "pending";
  if (!candidate.subscribed) return "unsubscribed";
  if (topic !== null && !isIn(candidate.topics, topic)) return "topic";
  return isPaused(candidate, now) ? "paused" : null;
}

/** SENDING → SENT once every recipient has a mail that is settled, or a reason why not. */
export const finish: CampaignStep = async (tx, campaign) => {
  // Another process may have been queueing mails when this one found no recipient left.
  if ((await recipients.nextRecipients(tx, campaign, 1)).length > 0) return true;
  if (await mails.isInFlight(tx, campaign.seq)) return false;
  await setProgress(tx, campaign, { status: "SENT", sentAt: tx.now, dueAt: null, blocked: null });
  const { workspace, id: campaignId, name } = campaign;
  await happened(tx, "campaign.finished", { workspace }, { campaignId, name });
  return true;
};

/** Holds queued mails. A paused campaign has nothing more to do then. */
export const holdMails: CampaignStep = async (tx, campaign) => {
  if ((await mails.holdQueued(tx, campaign.seq, ROWS_A_STEP)) === ROWS_A_STEP) return true;
  if (campaign.paused) await setProgress(tx, campaign, { dueAt: null, blocked: null });
  return false;
};

/** Held mails go back into the queue. */
export const releaseMails: CampaignStep = async (tx, { seq }) => {
  await mails.releaseHeld(tx, seq, ROWS_A_STEP);
  tx.signal(MAIL_QUEUED);
  return true;
};

/** Notes for users why it is blocked; null = it can go on. */
export function note(progress: Pick<RunProgress, "blocked" | "dueAt">): CampaignStep {
  return async (tx, campaign) => {
    const { workspace, id: campaignId, name } = campaign;
    const { blocked: reason } = progress;
    if (reason !== campaign.blocked) {
      if (reason == null) notifyChange(tx, "campaigns", workspace);
      else await happened(tx, "campaign.blocked", { workspace }, { campaignId, name, reason });
    }
    await setProgress(tx, campaign, progress);
    return false;
  };
}

/** The sender's domain was removed and added again: `domain` is its seq now. */
export function setSigningDomain(domain: number): CampaignStep {
  return async (tx, { content }) => {
    if (content !== null) await setContentDomain(tx, content, domain);
    return true;
  };
}

/** Cancels the queued mails of a CANCELLED campaign. It has nothing more to do once no mail is in hand. */
export const withdrawMails: CampaignStep = async (tx, campaign) => {
  await mails.endRepeatsOf(tx, campaign.seq);
  if ((await withdrawQueued(tx, campaign.seq, ROWS_A_STEP)) > 0) return true;
  if (await mails.isInFlight(tx, campaign.seq)) return false;
  await setProgress(tx, campaign, { dueAt: null, blocked: null });
  return true;
};

/** Deletes the rows of a deleted campaign, piece by piece, until nothing is left but the mails that were sent. */
export const removeRows: CampaignStep = async (tx, { seq, content }) => {
  await mails.endRepeatsOf(tx, seq);
  if ((await withdrawQueued(tx, seq, ROWS_A_STEP)) > 0) return true;
  if (await mails.isInFlight(tx, seq)) return false;
  if ((await mails.detachSettled(tx, seq, ROWS_A_STEP)) > 0) return true;
  if ((await recipients.deleteRecipients(tx, seq, ROWS_A_STEP)) > 0) return true;
  await deleteCampaign(tx, seq);
  if (content !== null) await deleteUnusedContents(tx, [content]);
  return true;
};
