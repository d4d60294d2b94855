// A run's verbs for callers: start, cancel, pause and resume.
import { domainOf } from "../../../base/addresses.ts";
import { iso } from "../../../base/clock.ts";
import { keepContent } from "../../../mail/emails/door/keep.ts";
import type { MailContent } from "../../../mail/emails/content/queries.ts";
import { AppError } from "../../../base/errors.ts";
import { happened } from "../../../tenant/events/happened.ts";
import type { Tx } from "../../../store/store.ts";
import type { Caller } from "../../../tenant/access/caller.ts";
import { domainToSendFrom, type SenderScope } from "../../../tenant/domains/domain.ts";
import { senderDomain } from "../../../tenant/domains/queries.ts";
import { campaignToMove, moved } from "../campaign.ts";
import { holdSegments, setSenders, type Campaign } from "../queries.ts";
import { keepPeople, type RecipientList } from "./found.ts";

type SendInput = {
  /** Null = now. */
  readonly scheduledForMs: number | null;
  /** The people who would get it. @throws AppError NO_RECIPIENTS if its audience is still to be chosen */
  readonly found: () => RecipientList;
};

/**
 * DRAFT, SCHEDULED → SCHEDULED or SENDING.
 * @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED, CAMPAIGN_STATE, DOMAIN_NOT_VERIFIED, NO_RECIPIENTS
 */
export async function sendCampaign(tx: Tx, caller: SenderScope, id: string, input: SendInput): Promise<Campaign> {
  const campaign = await campaignToMove(tx, caller, id, ["DRAFT", "SCHEDULED"]);
  await domainToSendFrom(tx, caller, domainOf(campaign.fromAddress));
  const found = input.found();
  if (found.people === 0) throw new AppError("NO_RECIPIENTS", "Nobody in this audience would get the campaign.");
  if (input.scheduledForMs === null) return start(tx, campaign, found, { scheduledFor: null });
  const at = iso(input.scheduledForMs);
  return moved(tx, campaign, { status: "SCHEDULED", scheduledFor: at, dueAt: at });
}

/** DRAFT, SCHEDULED → SENDING. Its content is kept as it is now, and later contacts get nothing. */
export async function start(
  tx: Tx,
  campaign: Campaign,
  found: RecipientList,
  { scheduledFor }: Pick<Campaign, "scheduledFor"> = campaign,
): Promise<Campaign> {
  const { workspace, fromAddress, repeats } = campaign;
  const domain = (await senderDomain(tx, workspace, domainOf(fromAddress)))?.seq ?? null;
  const content = await keepContent(tx, { ...campaignContent(campaign), workspace, domain });
  // A campaign that repeats another has had its recipients since it was made.
  const frozenAt = repeats === null ? await keepPeople(tx, campaign, found) : campaign.frozenAt;
  const { id: campaignId, name } = campaign;
  await happened(tx, "campaign.started", { workspace }, { campaignId, name });
  const begun = { status: "SENDING", scheduledFor, startedAt: tx.now, dueAt: tx.now } as const;
  return moved(tx, campaign, { ...begun, content, frozenAt });
}

/**
 * SCHEDULED → DRAFT: nothing of it has been queued. @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED,
 * CAMPAIGN_STATE
 */
export async function unscheduleCampaign(tx: Tx, caller: SenderScope, id: string): Promise<Campaign> {
  const campaign = await campaignToMove(tx, caller, id, ["SCHEDULED"]);
  const dueAt = campaign.repeats !== null && campaign.frozenAt === null ? tx.now : null;
  return moved(tx, campaign, { status: "DRAFT", scheduledFor: null, dueAt, blocked: null });
}

/**
 * Campaigns that have not begun leave from `address` instead of this domain; null = they have no sender, and those that
 * were scheduled are DRAFT again. Answers how many.
 */
export async function changeSenders(
  tx: Tx,
  workspace: number,
  domain: string,
  address: string | null,
): Promise<number> {
  const changed = await setSenders(tx, workspace, domain, address ?? "");
  for (const { id, status } of changed)
    if (address === null && status === "SCHEDULED") await unscheduleCampaign(tx, { workspace, domains: null }, id);
  return changed.length;
}

/**
 * SCHEDULED, SENDING → CANCELLED: queued emails are not sent. @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED,
 * CAMPAIGN_STATE
 */
export async function cancelCampaign(tx: Tx, caller: SenderScope & Pick<Caller, "by">, id: string): Promise<Campaign> {
  const campaign = await campaignToMove(tx, caller, id, ["SCHEDULED", "SENDING"]);
  const now = {
    status: "CANCELLED",
    cancelledAt: tx.now,
    cancelledBy: caller.by,
    dueAt: tx.now,
    paused: false,
  } as const;
  await holdSegments(tx, campaign.seq, []);
  return moved(tx, campaign, { ...now, blocked: null });
}

/**
 * Only mails in hand leave until it is resumed; only then obstacles are checked again.
 * @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED, CAMPAIGN_STATE
 */
export async function pauseCampaign(tx: Tx, caller: SenderScope, id: string): Promise<Campaign> {
  const campaign = await campaignToMove(tx, caller, id, ["SENDING"]);
  return moved(tx, campaign, { paused: true, dueAt: tx.now, blocked: null });
}

/** @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED, CAMPAIGN_STATE */
export async function resumeCampaign(tx: Tx, caller: SenderScope, id: string): Promise<Campaign> {
  return moved(tx, await campaignToMove(tx, caller, id, ["SENDING"]), { paused: false, dueAt: tx.now });
}

/** Marketing mail, rendered for each recipient. */
export function campaignContent(campaign: Campaign): MailContent {
  return {
    kind: "MARKETING",
    from: { address: campaign.fromAddress, name: campaign.fromName },
    replyTo: campaign.replyTo,
    subject: campaign.subject,
    preheader: campaign.preheader,
    html: campaign.body,
    text: campaign.text,
    topic: campaign.topic,
    labels: { tags: campaign.tags, metadata: campaign.metadata },
  };
}
