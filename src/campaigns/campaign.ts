// Campaigns: what is written, to whom, and the states that it goes through (interface-gaps.md §5).
//
//   DRAFT      may be changed and deleted
//   SCHEDULED  starts by itself when it is due; may still be changed
//   SENDING    its audience is frozen, then each recipient gets one mail; may be paused
//   SENT       every recipient has a mail that is settled, or a reason why not
//   CANCELLED  what had not been handed over is not sent; may be deleted
import { domainOf } from "../addresses.ts";
import { AppError } from "../errors.ts";
import { newId } from "../ids.ts";
import { refuseLargePage } from "../store/page.ts";
import type { Reader, Tx } from "../store/store.ts";
import { copyName } from "../templates/copy-name.ts";
import { domainToSendFrom, refuseOutsideScope, type Sender } from "../workspaces/domains/domain.ts";
import { acceptAudience, audienceStillThere, type AcceptedAudience } from "./audience.ts";
import { checkedFields, type CampaignWish } from "./fields.ts";
import {
  campaignById,
  campaignsNumbered,
  campaignsPage,
  holdSegments,
  insertCampaign,
  lockCampaign,
  setFields,
  type CampaignFields,
  type CampaignFilter,
  type CampaignRow,
  type CampaignStatus,
} from "./queries.ts";

const EMPTY: CampaignFields = {
  name: "",
  description: null,
  subject: "",
  body: "",
  text: null,
  from_address: "",
  from_name: null,
  reply_to: null,
  audience_type: "ALL",
  audience_condition: null,
  segment_id: null,
};

/**
 * @throws AppError VALIDATION_ERROR naming every field that cannot be kept, syntax errors with line and column;
 *   SEGMENT_NOT_FOUND, DOMAIN_NOT_ALLOWED for a sender outside the key's scope
 */
export async function createCampaign(tx: Tx, caller: Sender, wish: CampaignWish): Promise<CampaignRow> {
  const fields = inScope(caller, checkedFields(EMPTY, wish));
  return make(tx, caller.workspace, await acceptAudience(tx, caller.workspace, fields));
}

/**
 * Changes what the wish names. A SCHEDULED campaign will be sent as it is then, so the caller must be one who may send it.
 * @throws as createCampaign, and AppError CAMPAIGN_NOT_FOUND, CAMPAIGN_STATE, DOMAIN_NOT_ALLOWED, DOMAIN_NOT_VERIFIED
 */
export async function changeCampaign(tx: Tx, caller: Sender, id: string, wish: CampaignWish): Promise<CampaignRow> {
  const campaign = await campaignToMove(tx, caller, id, ["DRAFT", "SCHEDULED"]);
  const accepted = await acceptAudience(tx, caller.workspace, inScope(caller, checkedFields(campaign, wish)));
  if (campaign.status === "SCHEDULED") await domainToSendFrom(tx, caller, domainOf(accepted.wish.from_address));
  await holdSegments(tx, campaign.seq, accepted.segments);
  return setFields(tx, campaign.seq, accepted.wish);
}

/**
 * A new DRAFT of the same content and audience; without its segment or condition if that can no longer be chosen.
 * @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED
 */
export async function duplicateCampaign(tx: Tx, caller: Sender, id: string): Promise<CampaignRow> {
  const { workspace } = caller;
  const campaign = inScope(caller, await findCampaign(tx, workspace, id));
  return make(tx, workspace, await audienceStillThere(tx, workspace, { ...campaign, name: copyName(campaign.name) }));
}

async function make(
  tx: Tx,
  workspace: number,
  { wish, segments }: AcceptedAudience<CampaignFields>,
): Promise<CampaignRow> {
  const campaign = await insertCampaign(tx, workspace, newId(tx.nowMs), wish);
  await holdSegments(tx, campaign.seq, segments);
  return campaign;
}

/**
 * Some of the campaigns that a filter finds, newest first.
 * @throws AppError INVALID_PARAMETERS on `pageSize` if they are more than can be answered at once
 */
export async function campaignsOnPage(
  reader: Reader,
  filter: CampaignFilter,
  limit: number,
  offset: number,
): Promise<CampaignRow[]> {
  const page = await campaignsPage(reader, filter, limit, offset);
  if (page.length === 0) return [];
  refuseLargePage(page);
  return campaignsNumbered(
    reader,
    page.map(({ seq }) => seq),
  );
}

/** @throws AppError CAMPAIGN_NOT_FOUND, also for another workspace's campaign */
export async function findCampaign(reader: Reader, workspace: number, id: string): Promise<CampaignRow> {
  const campaign = await campaignById(reader, workspace, id);
  if (!campaign) throw notFound(id);
  return campaign;
}

/**
 * Locked, in one of the states from which the caller may go on.
 * @throws AppError CAMPAIGN_NOT_FOUND, DOMAIN_NOT_ALLOWED, CAMPAIGN_STATE
 */
export async function campaignToMove(
  tx: Tx,
  caller: Sender,
  id: string,
  from: readonly CampaignStatus[],
): Promise<CampaignRow> {
  const campaign = await lockCampaign(tx, caller.workspace, id);
  if (!campaign) throw notFound(id);
  inScope(caller, campaign);
  if (from.includes(campaign.status)) return campaign;
  throw new AppError("CAMPAIGN_STATE", `The campaign is ${campaign.status}; this needs ${from.join(" or ")}.`);
}

/** A key that is scoped to other domains writes, moves and deletes nothing that leaves from this one. */
function inScope<Fields extends CampaignFields>(caller: Sender, fields: Fields): Fields {
  refuseOutsideScope(caller, domainOf(fields.from_address));
  return fields;
}

function notFound(id: string): AppError {
  return new AppError("CAMPAIGN_NOT_FOUND", `There is no campaign ${id}.`);
}
