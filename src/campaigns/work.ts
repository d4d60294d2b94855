// The steps by which a campaign gets done: each a bounded piece in one transaction, so that it can be left off anywhere.
import { nthContact } from "../contacts/selection-queries.ts";
import { acceptBatch, MAIL_QUEUED } from "../emails/accept.ts";
import {
  deleteQueuedOf,
  detachSettled,
  holdQueued,
  isInFlight,
  releaseHeld,
  setContentDomain,
} from "../emails/campaign-queries.ts";
import { deleteUnusedContents } from "../emails/erasure-queries.ts";
import type { Store, Tx } from "../store/store.ts";
import { audienceOf } from "./audience.ts";
import { deleteCampaign, holdSegments, setProgress, takeCampaign, type CampaignRow, type Progress } from "./queries.ts";
import {
  candidatesAmong,
  deleteRecipients,
  insertRecipients,
  nextRecipients,
  setMails,
  setReason,
  type Candidate,
  type Reason,
} from "./recipient-queries.ts";
import { start } from "./sending.ts";

/** `again`: there may be more to do at once. */
export type Done = "again" | "nothing";

/** Moved between lanes, taken back or removed at a time. */
const ROWS_A_STEP = 500;
/** Queued at a time: each is a row with seven indexes. */
const MAILS_A_STEP = 250;

/** Works on the campaign alone, if its state is still what the caller saw; another process may be at it. */
async function withCampaign(
  store: Store,
  seen: CampaignRow,
  work: (tx: Tx, campaign: CampaignRow) => Promise<Done>,
): Promise<Done> {
  return store.write(async (tx) => {
    const campaign = await takeCampaign(tx, seen.seq);
    const isAsSeen =
      campaign?.status === seen.status &&
      campaign.paused === seen.paused &&
      campaign.due_at !== null &&
      campaign.deleted_at === seen.deleted_at;
    return isAsSeen ? work(tx, campaign) : "nothing";
  });
}

/** SCHEDULED → SENDING. */
export function beginScheduled(store: Store, seen: CampaignRow): Promise<Done> {
  return withCampaign(store, seen, async (tx, campaign) => {
    if (campaign.due_at !== seen.due_at) return "nothing";
    await start(tx, campaign);
    return "again";
  });
}

/** Looks at the next contacts, and makes recipients of those who match. */
export function freezeAudience(store: Store, seen: CampaignRow, contacts: number): Promise<Done> {
  return withCampaign(store, seen, async (tx, campaign) => {
    const { workspace, seq, frozen_to: after } = campaign;
    const ceiling = campaign.audience_ceiling ?? 0;
    const upTo = (await nthContact(tx, workspace, { after, upTo: ceiling }, contacts)) ?? ceiling;
    const audience = await audienceOf(tx, workspace, campaign, Date.parse(campaign.started_at ?? tx.now));
    await insertRecipients(tx, seq, audience, { after, upTo });
    const isWhole = upTo >= ceiling;
    if (isWhole) await holdSegments(tx, seq, []);
    await setProgress(tx, campaign, { frozen_to: upTo, ...(isWhole ? { frozen_at: tx.now } : {}) });
    return "again";
  });
}

/** Queues the next recipients' mails. `nothing` = every recipient has a mail, or a reason why not, or another process is at it. */
export function queueMails(store: Store, seen: CampaignRow): Promise<Done> {
  return withCampaign(store, seen, async (tx, campaign) => {
    const next = await nextRecipients(tx, campaign, MAILS_A_STEP);
    const last = next.at(-1);
    if (last === undefined) return "nothing";
    await queueFor(tx, campaign, next);
    await setProgress(tx, campaign, { fed_to: last });
    return "again";
  });
}

/** Each of the recipients gets a mail, or a reason why not. */
async function queueFor(tx: Tx, campaign: CampaignRow, recipients: readonly number[]): Promise<void> {
  const { seq, workspace, content } = campaign;
  const candidates = new Map((await candidatesAmong(tx, recipients)).map((one) => [one.seq, one]));
  const byReason = Map.groupBy(recipients, (recipient) => skipReason(candidates.get(recipient)));
  for (const [reason, skipped] of byReason) if (reason !== null) await setReason(tx, seq, skipped, reason);
  const contacts = (byReason.get(null) ?? []).flatMap((recipient) => candidates.get(recipient) ?? []);
  if (contacts.length === 0) return;
  await setMails(tx, seq, await acceptBatch(tx, { workspace, campaign: seq, content: content as number, contacts }));
}

/** What has happened to a recipient since the audience was frozen; null = nothing that matters. Undefined: was erased. */
function skipReason(candidate: Candidate | undefined): Reason | null {
  if (!candidate) return "erased";
  if (candidate.suppressed !== null) return "suppressed";
  if (candidate.status === "PENDING") return "pending";
  return candidate.subscribed === 1 ? null : "unsubscribed";
}

/** SENDING → SENT once every recipient has a mail that is settled, or a reason why not. */
export function finish(store: Store, seen: CampaignRow): Promise<Done> {
  return withCampaign(store, seen, async (tx, campaign) => {
    // Another process may have been queueing mails when the last recipients were asked for.
    if ((await nextRecipients(tx, campaign, 1)).length > 0) return "again";
    if (await isInFlight(tx, campaign.seq)) return "nothing";
    await setProgress(tx, campaign, { status: "SENT", sent_at: tx.now, due_at: null, blocked: null });
    return "again";
  });
}

/** Queued mails wait. A paused campaign has nothing more to do then. */
export function holdMails(store: Store, seen: CampaignRow): Promise<Done> {
  return withCampaign(store, seen, async (tx, campaign) => {
    if ((await holdQueued(tx, campaign.seq, ROWS_A_STEP)) === ROWS_A_STEP) return "again";
    if (campaign.paused === 1) await setProgress(tx, campaign, { due_at: null, blocked: null });
    return "nothing";
  });
}

/** Held mails go back into the queue. */
export function releaseMails(store: Store, seen: CampaignRow): Promise<Done> {
  return withCampaign(store, seen, async (tx, campaign) => {
    await releaseHeld(tx, campaign.seq, ROWS_A_STEP);
    tx.signal(MAIL_QUEUED);
    return "again";
  });
}

/** What stands in the way, for everybody to see; null = nothing. */
export function note(store: Store, seen: CampaignRow, progress: Pick<Progress, "blocked" | "due_at">): Promise<Done> {
  return withCampaign(store, seen, async (tx, campaign) => {
    await setProgress(tx, campaign, progress);
    return "nothing";
  });
}

/** The sender's domain was removed and added again: `domain` is its number now. */
export function setSigningDomain(store: Store, seen: CampaignRow, domain: number): Promise<Done> {
  return withCampaign(store, seen, async (tx, { content }) => {
    if (content !== null) await setContentDomain(tx, content, domain);
    return "again";
  });
}

/** Of a CANCELLED campaign: queued mails are deleted; once nothing is in hand either, there is nothing more to do. */
export function withdrawMails(store: Store, seen: CampaignRow): Promise<Done> {
  return withCampaign(store, seen, async (tx, campaign) => {
    if ((await deleteQueuedOf(tx, campaign.seq, ROWS_A_STEP)) > 0) return "again";
    if (await isInFlight(tx, campaign.seq)) return "nothing";
    await setProgress(tx, campaign, { due_at: null, blocked: null });
    return "again";
  });
}

/** Of a deleted campaign: its rows are deleted, piece by piece, until nothing is left of it but the mails that were sent. */
export function removeRows(store: Store, seen: CampaignRow): Promise<Done> {
  return withCampaign(store, seen, async (tx, { seq, content }) => {
    if ((await deleteQueuedOf(tx, seq, ROWS_A_STEP)) > 0) return "again";
    if (await isInFlight(tx, seq)) return "nothing";
    if ((await detachSettled(tx, seq, ROWS_A_STEP)) > 0) return "again";
    if ((await deleteRecipients(tx, seq, ROWS_A_STEP)) > 0) return "again";
    await deleteCampaign(tx, seq);
    if (content !== null) await deleteUnusedContents(tx, [content]);
    return "again";
  });
}
