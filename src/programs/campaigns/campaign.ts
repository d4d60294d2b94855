// Campaigns: their content, their audience, and their states.
//
//   DRAFT      may be changed and deleted
//   SCHEDULED  starts when it is due; may still be changed
//   SENDING    its audience is frozen, then each recipient gets one mail; may be paused
//   SENT       every recipient has a mail that is settled, or a reason why not
//   CANCELLED  queued emails are not sent; may be deleted
import { domainOf } from "../../base/addresses.ts";
import { AppError, invalidField } from "../../base/errors.ts";
import { notifyChange } from "../../tenant/events/notify.ts";
import { LONGEST_RECORD_NAME } from "../../http/schemas.ts";
import { newId } from "../../base/ids.ts";
import { noteImages } from "../../content/images/uses.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { copyName } from "../../content/templates/template.ts";
import { beginVersions, contentOfVersion, findVersion, keepVersion } from "../../content/templates/versions/version.ts";
import { asInput, NOTHING_WRITTEN, textsOf } from "../../content/templates/written.ts";
import { domainToSendFrom, refuseOutsideScope, type SenderScope } from "../../tenant/domains/domain.ts";
import { refuseWithout, type Caller } from "../../tenant/access/caller.ts";
import { refuseUnknownTopic } from "../../audience/topics/mail.ts";
import { refuseSavedSince, type SaveTerms } from "../../tenant/access/saving.ts";
import { acceptAudience, audienceStillThere, type AcceptedAudience } from "./audience.ts";
import { checkedFields, type CampaignInput, type UncheckedFields } from "./fields.ts";
import { areRecipientsGone } from "./gone-queries.ts";
import * as queries from "./queries.ts";
import type { Campaign, CampaignFields, CampaignStatus, RunProgress, Repeats } from "./queries.ts";

/** Signalled when a campaign may be due. */
export const CAMPAIGN_DUE = "campaign";

const EMPTY: CampaignFields = {
  ...NOTHING_WRITTEN,
  name: "",
  description: null,
  fromAddress: "",
  updatedBy: null,
  audienceType: "ALL",
  audienceCondition: null,
  segmentId: null,
};

type CampaignAuthor = SenderScope & Pick<Caller, "by">;

/**
 * @throws AppError VALIDATION_ERROR naming every field that cannot be kept, syntax errors with line and column;
 *   SEGMENT_NOT_FOUND, DOMAIN_NOT_ALLOWED for a sender outside the key's scope
 */
export async function createCampaign(tx: Tx, caller: CampaignAuthor, input: CampaignInput): Promise<Campaign> {
  const fields = inScope(caller, checkedFields(EMPTY, { ...input, by: caller.by }));
  await refuseUnknownTopic(tx, caller.workspace, fields.topic);
  return insert(tx, caller, fields, await acceptAudience(tx, caller.workspace, fields));
}

/** @throws AppError VALIDATION_ERROR */
function refuseAudience({ audienceType, segmentId, audienceCondition }: CampaignInput): void {
  const named = Object.entries({ audienceType, segmentId, audienceCondition }).find(([, value]) => value !== undefined);
  if (named)
    throw invalidField(named[0], "This campaign goes to people of another one, and to nobody else.", "conflict");
}

type CampaignEditor = CampaignAuthor & Pick<Caller, "person">;

/**
 * Changes the fields that the input has. A SCHEDULED campaign will be sent as it is then, so the caller must be allowed
 * to send it.
 * @throws as createCampaign, and AppError CAMPAIGN_NOT_FOUND, CAMPAIGN_STATE, CONFLICT if it was saved since
 * `ifUpdatedAt`, DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED, FORBIDDEN
 */
export async function changeCampaign(
  tx: Tx,
  caller: CampaignEditor,
  id: string,
  input: CampaignInput,
): Promise<Campaign> {
  return save(tx, caller, await campaignToMove(tx, caller, id, ["DRAFT", "SCHEDULED"]), input);
}

/**
 * Restores the content of this version; the audience stays. @throws as changeCampaign, and AppError VERSION_NOT_FOUND
 */
export async function restoreCampaign(
  tx: Tx,
  caller: CampaignEditor,
  { id, versionId }: { readonly id: string; readonly versionId: string },
  { ifUpdatedAt = null }: SaveTerms,
): Promise<Campaign> {
  const campaign = await campaignToMove(tx, caller, id, ["DRAFT", "SCHEDULED"]);
  const version = await findVersion(tx, { campaign: campaign.seq }, versionId);
  const content = asInput(await contentOfVersion(tx, version));
  return save(tx, caller, campaign, { ...content, ifUpdatedAt, isRestored: true });
}

type CampaignSave = CampaignInput & { readonly isRestored?: true };

async function save(
  tx: Tx,
  caller: CampaignEditor,
  before: Campaign,
  { isRestored, ...input }: CampaignSave,
): Promise<Campaign> {
  if (before.status === "SCHEDULED") refuseWithout(caller.person, "campaigns.send");
  refuseSavedSince(tx, before, input);
  if (before.repeats !== null) refuseAudience(input);
  const fields = inScope(
    caller,
    checkedFields(before, { ...input, by: caller.by }, { mayBeOpen: before.status === "DRAFT" }),
  );
  if (fields.topic !== before.topic) await refuseUnknownTopic(tx, caller.workspace, fields.topic);
  const { audience, segments } = await acceptAudience(tx, caller.workspace, fields);
  if (before.status === "SCHEDULED") await domainToSendFrom(tx, caller, domainOf(fields.fromAddress));
  await queries.holdSegments(tx, before.seq, segments);
  notifyChange(tx, "campaigns", caller.workspace);
  const campaign = await queries.setFields(tx, before, { ...fields, ...audience });
  await noteImages(tx, { workspace: caller.workspace, kind: "campaign", seq: before.seq }, textsOf(campaign));
  const change = { workspace: caller.workspace, owner: { campaign: before.seq }, isOwn: isRestored ?? false };
  await keepVersion(tx, change, before, campaign);
  return campaign;
}

/**
 * A new DRAFT of the same content and audience; without its segment or condition if that can no longer be chosen, and
 * without the recipients that it repeats if these are gone.
 * @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED
 */
export async function duplicateCampaign(tx: Tx, caller: CampaignAuthor, id: string): Promise<Campaign> {
  const campaign = inScope(caller, await findCampaign(tx, caller.workspace, id));
  const fields = { ...campaign, name: copyName(campaign.name), updatedBy: caller.by };
  const copy = await insert(tx, caller, fields, await audienceStillThere(tx, caller.workspace, campaign));
  const { repeats } = campaign;
  const isLost = repeats === null || (await areRecipientsGone(tx, caller.workspace, repeats.campaignId));
  return isLost ? copy : repeating(tx, copy, repeats);
}

/** A campaign that has begun. */
const BEGUN: readonly CampaignStatus[] = ["SENDING", "SENT", "CANCELLED"];

/**
 * A new DRAFT of the same content for its recipients who are in these states now. They are frozen immediately; people
 * who may not be sent marketing mail are left out then, and again when their mails are queued.
 * @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED, CAMPAIGN_STATE
 */
export async function repeatCampaign(
  tx: Tx,
  caller: CampaignAuthor,
  { campaignId, states }: Repeats,
  name: string | null,
): Promise<Campaign> {
  const campaign = await campaignToMove(tx, caller, campaignId, BEGUN);
  const audience = { audienceType: "FILTERED", audienceCondition: null, segmentId: null } as const;
  const fields = { ...campaign, ...audience, name: name ?? againName(campaign.name), updatedBy: caller.by };
  const again = await insert(tx, caller, fields, { audience, segments: [] });
  return repeating(tx, again, { campaignId, states });
}

async function repeating(tx: Tx, campaign: Campaign, repeats: Repeats): Promise<Campaign> {
  return moved(tx, campaign, { repeats, dueAt: tx.now });
}

const AGAIN = " (Again)";

function againName(name: string): string {
  return name.slice(0, LONGEST_RECORD_NAME - AGAIN.length) + AGAIN;
}

async function insert(
  tx: Tx,
  { workspace }: SenderScope,
  fields: UncheckedFields,
  { audience, segments }: AcceptedAudience,
): Promise<Campaign> {
  const campaign = await queries.insertCampaign(tx, workspace, newId(tx.nowMs), { ...fields, ...audience });
  await queries.holdSegments(tx, campaign.seq, segments);
  await noteImages(tx, { workspace, kind: "campaign", seq: campaign.seq, isNew: true }, textsOf(campaign));
  await beginVersions(tx, { workspace, owner: { campaign: campaign.seq } }, campaign);
  notifyChange(tx, "campaigns", workspace);
  return campaign;
}

/** @throws AppError CAMPAIGN_NOT_FOUND, also for another workspace's campaign */
export async function findCampaign(reader: Reader, workspace: number, id: string): Promise<Campaign> {
  const campaign = await queries.campaignById(reader, workspace, id);
  if (!campaign) throw notFound(id);
  return campaign;
}

/** Locked, and in one of these states. @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED, CAMPAIGN_STATE */
export async function campaignToMove(
  tx: Tx,
  caller: SenderScope,
  id: string,
  from: readonly CampaignStatus[],
): Promise<Campaign> {
  const campaign = await queries.lockCampaign(tx, caller.workspace, id);
  if (!campaign) throw notFound(id);
  inScope(caller, campaign);
  if (from.includes(campaign.status)) return campaign;
  throw new AppError("CAMPAIGN_STATE", `The campaign is ${campaign.status}; this needs ${from.join(" or ")}.`);
}

export async function moved(tx: Tx, campaign: Campaign, progress: RunProgress): Promise<Campaign> {
  await queries.setProgress(tx, campaign, progress);
  tx.signal(CAMPAIGN_DUE);
  notifyChange(tx, "campaigns", campaign.workspace);
  return { ...campaign, ...progress, updatedAt: queries.timeOfProgress(tx, campaign, progress) };
}

/**
 * DRAFT, CANCELLED → deleted; its mails stay, without a campaign. @throws AppError CAMPAIGN_NOT_FOUND,
 * DOMAIN_NOT_ALLOWED, CAMPAIGN_STATE
 */
export async function removeCampaign(tx: Tx, caller: SenderScope, id: string): Promise<void> {
  const campaign = await campaignToMove(tx, caller, id, ["DRAFT", "CANCELLED"]);
  await queries.holdSegments(tx, campaign.seq, []);
  await moved(tx, campaign, { deletedAt: tx.now, dueAt: tx.now });
}

/** A key that is scoped to other domains cannot write, move or delete a campaign of this one. */
function inScope<Fields extends { readonly fromAddress: string }>(caller: SenderScope, fields: Fields): Fields {
  refuseOutsideScope(caller, domainOf(fields.fromAddress));
  return fields;
}

function notFound(id: string): AppError {
  return new AppError("CAMPAIGN_NOT_FOUND", `There is no campaign ${id}.`);
}
