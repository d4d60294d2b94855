// What a caller does with a campaign as a whole: send, cancel, pause, go on, delete (interface-gaps.md §5).
import { domainOf } from "../addresses.ts";
import { iso } from "../clock.ts";
import { lastContact } from "../contacts/selection-queries.ts";
import { keepContent, type Content } from "../emails/accept.ts";
import { AppError } from "../errors.ts";
import type { Tx } from "../store/store.ts";
import { domainToSendFrom, type Sender } from "../workspaces/domains/domain.ts";
import { senderDomain } from "../workspaces/domains/queries.ts";
import { campaignToMove } from "./campaign.ts";
import { holdSegments, setProgress, type CampaignRow, type Progress } from "./queries.ts";

/** Signalled when there may be something to do with a campaign. */
export const CAMPAIGN_WORK = "campaign";

type SendWish = {
  /** Null = now. */
  readonly scheduledForMs: number | null;
  /** Whether anybody would get it. @throws AppError NO_RECIPIENTS if its audience is still to be chosen */
  readonly hasRecipients: () => boolean;
};

/**
 * DRAFT, SCHEDULED → SCHEDULED or SENDING.
 * @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED, CAMPAIGN_STATE, DOMAIN_NOT_VERIFIED, NO_RECIPIENTS
 */
export async function sendCampaign(tx: Tx, caller: Sender, id: string, wish: SendWish): Promise<CampaignRow> {
  const campaign = await campaignToMove(tx, caller, id, ["DRAFT", "SCHEDULED"]);
  await domainToSendFrom(tx, caller, domainOf(campaign.from_address));
  if (!wish.hasRecipients()) throw new AppError("NO_RECIPIENTS", "Nobody of this audience would get the campaign.");
  if (wish.scheduledForMs === null) return start(tx, { ...campaign, scheduled_for: null });
  const at = iso(wish.scheduledForMs);
  return moved(tx, campaign, { status: "SCHEDULED", scheduled_for: at, due_at: at });
}

/** DRAFT, SCHEDULED → SENDING: from here on its content is what it was, and who comes later gets nothing. */
export async function start(tx: Tx, campaign: CampaignRow): Promise<CampaignRow> {
  const { workspace, from_address } = campaign;
  const domain = (await senderDomain(tx, workspace, domainOf(from_address)))?.seq ?? null;
  const content = await keepContent(tx, { ...contentOf(campaign), workspace, domain });
  const audience_ceiling = await lastContact(tx, workspace);
  return moved(tx, campaign, { status: "SENDING", started_at: tx.now, due_at: tx.now, content, audience_ceiling });
}

/** SCHEDULED, SENDING → CANCELLED: what has not been handed over is not sent. @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED, CAMPAIGN_STATE */
export async function cancelCampaign(tx: Tx, caller: Sender, id: string): Promise<CampaignRow> {
  const campaign = await campaignToMove(tx, caller, id, ["SCHEDULED", "SENDING"]);
  const now = { status: "CANCELLED", cancelled_at: tx.now, due_at: tx.now, paused: 0 } as const;
  await holdSegments(tx, campaign.seq, []);
  return moved(tx, campaign, { ...now, blocked: null });
}

/**
 * Nothing more leaves but what is in hand, until it is resumed; only then is it looked at again what stands in the way.
 * @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED, CAMPAIGN_STATE
 */
export async function pauseCampaign(tx: Tx, caller: Sender, id: string): Promise<CampaignRow> {
  const campaign = await campaignToMove(tx, caller, id, ["SENDING"]);
  return moved(tx, campaign, { paused: 1, due_at: tx.now, blocked: null });
}

/** @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED, CAMPAIGN_STATE */
export async function resumeCampaign(tx: Tx, caller: Sender, id: string): Promise<CampaignRow> {
  return moved(tx, await campaignToMove(tx, caller, id, ["SENDING"]), { paused: 0, due_at: tx.now });
}

/** DRAFT, CANCELLED → gone; its mails stay as mails of no campaign. @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED, CAMPAIGN_STATE */
export async function removeCampaign(tx: Tx, caller: Sender, id: string): Promise<void> {
  const campaign = await campaignToMove(tx, caller, id, ["DRAFT", "CANCELLED"]);
  await holdSegments(tx, campaign.seq, []);
  await moved(tx, campaign, { deleted_at: tx.now, due_at: tx.now });
}

/** What its mails say: marketing mail, rendered for each. */
export function contentOf(campaign: CampaignRow): Content {
  return {
    kind: "MARKETING",
    from: { address: campaign.from_address, name: campaign.from_name },
    replyTo: campaign.reply_to,
    subject: campaign.subject,
    html: campaign.body,
    text: campaign.text,
  };
}

async function moved(tx: Tx, campaign: CampaignRow, progress: Progress): Promise<CampaignRow> {
  await setProgress(tx, campaign, progress);
  tx.signal(CAMPAIGN_WORK);
  return { ...campaign, ...progress, updated_at: tx.now };
}
