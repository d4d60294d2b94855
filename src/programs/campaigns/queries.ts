// The SQL of campaigns.
import { storedCondition, type Condition } from "../../audience/segments/condition/check.ts";
import { labelsIn, storedLabels, type StoredLabels } from "../../base/labels.ts";
import { flag, json, jsonOrNull } from "../../store/columns.ts";
import { isTrulyDue } from "../../store/clock-queries.ts";
import { sqlList, sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { ContentFields } from "../../content/templates/written.ts";
import type { By } from "../../tenant/access/caller.ts";
import { timeOfSaving } from "../../tenant/access/saving.ts";

export type CampaignStatus = "DRAFT" | "SCHEDULED" | "SENDING" | "SENT" | "CANCELLED";
export type AudienceType = "ALL" | "SEGMENT" | "FILTERED";

/** The fields that the author writes. */
export type CampaignFields = ContentFields & {
  readonly name: string;
  readonly description: string | null;
  readonly fromAddress: string;
  /** The user or key that saved it last; null = not noted. */
  readonly updatedBy: By | null;
  readonly audienceType: AudienceType;
  /** Null unless FILTERED. */
  readonly audienceCondition: Condition | null;
  /** Public id; null unless SEGMENT. */
  readonly segmentId: string | null;
};

/** The audience of a repeated campaign: recipients of another one, in these states. */
export type Repeats = { readonly campaignId: string; readonly states: RepeatedState[] };
/** A recipient in one of these states got nothing. */
export const REPEATED_STATES = ["FAILED", "BOUNCED", "SKIPPED", "CANCELLED"] as const;
export type RepeatedState = (typeof REPEATED_STATES)[number];

/** The progress of its run. */
type Run = {
  /** In place of an audience of its own. */
  readonly repeats: Repeats | null;
  readonly status: CampaignStatus;
  readonly paused: boolean;
  /** Why it cannot go on. */
  readonly blocked: string | null;
  /** When the loop has to process it. */
  readonly dueAt: string | null;
  readonly scheduledFor: string | null;
  readonly startedAt: string | null;
  readonly sentAt: string | null;
  readonly cancelledAt: string | null;
  readonly cancelledBy: By | null;
  readonly deletedAt: string | null;
  readonly content: number | null;
  readonly frozenAt: string | null;
  /** The last recipient who has a mail, or a reason why not. */
  readonly queuedTo: number;
};

export type Campaign = CampaignFields &
  Run & {
    readonly seq: number;
    readonly id: string;
    readonly workspace: number;
    readonly createdAt: string;
    readonly updatedAt: string;
  };

const COLUMNS = sql`seq, id, workspace, name, description, subject, preheader, body, text, from_address as "fromAddress",
  from_name as "fromName", reply_to as "replyTo", audience_type as "audienceType", audience_condition as "audienceCondition",
  segment_id as "segmentId", status, paused, blocked, due_at as "dueAt", scheduled_for as "scheduledFor",
  started_at as "startedAt", sent_at as "sentAt", cancelled_at as "cancelledAt", cancelled_by as "cancelledBy", deleted_at as "deletedAt", content,
  repeats, frozen_at as "frozenAt", fed_to as "queuedTo",
  design, topic, tags, metadata, updated_by as "updatedBy",   created_at as "createdAt", updated_at as "updatedAt"`;

type CampaignRow = Omit<
  Campaign,
  "paused" | "audienceCondition" | "repeats" | "design" | "updatedBy" | "cancelledBy" | keyof StoredLabels
> &
  StoredLabels & {
    readonly cancelledBy: string | null;
    readonly repeats: string | null;
    readonly design: string | null;
    readonly updatedBy: string | null;
    readonly paused: 0 | 1;
    readonly audienceCondition: string | null;
  };

function campaignOf(row: CampaignRow): Campaign {
  const { audienceCondition: condition } = row;
  return {
    ...row,
    ...labelsIn(row),
    paused: flag(row.paused),
    repeats: jsonOrNull<Repeats>(row.repeats),
    design: jsonOrNull(row.design),
    updatedBy: jsonOrNull(row.updatedBy),
    cancelledBy: jsonOrNull(row.cancelledBy),
    audienceCondition: condition === null ? null : storedCondition(json(condition)),
  };
}

async function oneCampaign(row: Promise<CampaignRow | null>): Promise<Campaign | null> {
  const found = await row;
  return found && campaignOf(found);
}

function jsonText(value: object | null): string | null {
  return value && JSON.stringify(value);
}

export async function insertCampaign(tx: Tx, workspace: number, id: string, fields: CampaignFields): Promise<Campaign> {
  const { tags, metadata } = storedLabels(fields);
  const row = await tx.get<CampaignRow>`
    insert into campaigns (id, workspace, name, description, subject, preheader, body, text, from_address, from_name, reply_to,
      audience_type, audience_condition, segment_id, design, topic, tags, metadata, updated_by, created_at, updated_at)
    values (${id}, ${workspace}, ${fields.name}, ${fields.description}, ${fields.subject}, ${fields.preheader}, ${fields.body}, ${fields.text},
      ${fields.fromAddress}, ${fields.fromName}, ${fields.replyTo}, ${fields.audienceType}, ${jsonText(fields.audienceCondition)},
      ${fields.segmentId}, ${jsonText(fields.design)}, ${fields.topic}, ${tags}, ${metadata}, ${jsonText(fields.updatedBy)}, ${tx.now}, ${tx.now})
    returning ${COLUMNS}`;
  return campaignOf(row as CampaignRow);
}

export async function setFields(tx: Tx, { seq, updatedAt }: Campaign, fields: CampaignFields): Promise<Campaign> {
  const { tags, metadata } = storedLabels(fields);
  const row = await tx.get<CampaignRow>`
    update campaigns set name = ${fields.name}, description = ${fields.description}, subject = ${fields.subject},
      preheader = ${fields.preheader}, body = ${fields.body}, text = ${fields.text}, from_address = ${fields.fromAddress}, from_name = ${fields.fromName},
      reply_to = ${fields.replyTo}, audience_type = ${fields.audienceType},
      audience_condition = ${jsonText(fields.audienceCondition)}, segment_id = ${fields.segmentId},
      design = ${jsonText(fields.design)}, topic = ${fields.topic}, tags = ${tags}, metadata = ${metadata}, updated_by = ${jsonText(fields.updatedBy)},
      updated_at = ${timeOfSaving(tx, { updatedAt })}
    where seq = ${seq} returning ${COLUMNS}`;
  return campaignOf(row as CampaignRow);
}

export function campaignById(reader: Reader, workspace: number, id: string): Promise<Campaign | null> {
  return oneCampaign(reader.get<CampaignRow>`
    select ${COLUMNS} from campaigns where workspace = ${workspace} and id = ${id} and deleted_at is null`);
}

/** The campaign as it is now; no other transaction can change it until this one ends. */
export function lockCampaign(tx: Tx, workspace: number, id: string): Promise<Campaign | null> {
  return oneCampaign(tx.get<CampaignRow>`
    select ${COLUMNS} from campaigns
    where workspace = ${workspace} and id = ${id} and deleted_at is null${tx.dialect.forUpdate}`);
}

/** For the loop; null if another process is working on it. */
export function takeCampaign(tx: Tx, seq: number): Promise<Campaign | null> {
  return oneCampaign(tx.get<CampaignRow>`select ${COLUMNS} from campaigns where seq = ${seq}${tx.dialect.skipLocked}`);
}

/** Newest first. */
export async function campaignsNumbered(reader: Reader, seqs: readonly number[]): Promise<Campaign[]> {
  const rows =
    await reader.all<CampaignRow>`select ${COLUMNS} from campaigns where seq in (${sqlList(seqs)}) order by seq desc`;
  return rows.map(campaignOf);
}

/** The campaigns due for the loop, the longest waiting first. */
export function dueCampaigns(
  reader: Reader,
  now: string,
  limit: number,
): Promise<Pick<Campaign, "seq" | "workspace">[]> {
  return reader.all`
    select seq, workspace from campaigns where due_at is not null and due_at <= ${now}
      and ${isTrulyDue(sql`due_at`)} order by due_at limit ${limit}`;
}

/** True if a campaign of any workspace has this id. */
export async function isCampaign(reader: Reader, id: string): Promise<boolean> {
  return (await reader.get`select 1 as found from campaigns where id = ${id}`) !== null;
}

/** Null if it is not due. */
export function dueCampaign(reader: Reader, seq: number, now: string): Promise<Campaign | null> {
  return oneCampaign(reader.get<CampaignRow>`select ${COLUMNS} from campaigns where seq = ${seq} and due_at <= ${now}`);
}

export async function nextCampaignDue(reader: Reader, after: string): Promise<string | null> {
  const row = await reader.get<{ dueAt: string }>`
    select due_at as "dueAt" from campaigns where due_at is not null and due_at > ${after} order by due_at limit 1`;
  return row?.dueAt ?? null;
}

/** Makes all running campaigns due; the loop defers those with nothing to do. */
export function recallRuns(tx: Tx): Promise<number> {
  return tx.run`update campaigns set due_at = ${tx.now} where due_at > ${tx.now} and status = 'SENDING'`;
}

/**
 * Sets the sender of campaigns that have not begun and would leave from this domain; '' = none. Answers their numbers.
 */
export function setSenders(
  tx: Tx,
  workspace: number,
  domain: string,
  address: string,
): Promise<Pick<Campaign, "id" | "status">[]> {
  return tx.all`
    update campaigns set from_address = ${address}, updated_at = ${tx.now}
    where workspace = ${workspace} and status in ('DRAFT', 'SCHEDULED') and deleted_at is null
      and from_address like ${`%@${domain}`}
    returning id, status`;
}

export type RunProgress = Partial<Run>;

/** The search for a draft's people is no saving: its author gets no conflict by it. */
export function timeOfProgress(tx: Tx, campaign: Campaign, { status = campaign.status }: RunProgress): string {
  return campaign.status === "DRAFT" && status === "DRAFT" ? campaign.updatedAt : timeOfSaving(tx, campaign);
}

/** Updates the fields in `progress` of a campaign that this transaction has locked. */
export function setProgress(tx: Tx, campaign: Campaign, progress: RunProgress): Promise<number> {
  const { seq, ...after } = { ...campaign, ...progress };
  return tx.run`
    update campaigns set status = ${after.status}, paused = ${after.paused ? 1 : 0}, blocked = ${after.blocked}, due_at = ${after.dueAt},
      scheduled_for = ${after.scheduledFor}, started_at = ${after.startedAt}, sent_at = ${after.sentAt},
      cancelled_at = ${after.cancelledAt}, cancelled_by = ${jsonText(after.cancelledBy)}, deleted_at = ${after.deletedAt}, content = ${after.content},
      repeats = ${jsonText(after.repeats)}, frozen_at = ${after.frozenAt},
      fed_to = ${after.queuedTo}, updated_at = ${timeOfProgress(tx, campaign, progress)}
    where seq = ${seq}`;
}

/** From now on the segments that the campaign needs cannot be deleted, and its former ones can. */
export async function holdSegments(tx: Tx, campaign: number, segments: readonly number[]): Promise<void> {
  await tx.run`delete from campaign_segments where campaign = ${campaign}`;
  for (const segment of new Set(segments))
    await tx.run`insert into campaign_segments (campaign, segment) values (${campaign}, ${segment})`;
}

export function deleteCampaign(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from campaigns where seq = ${seq}`;
}

/** Deletes some of a workspace's campaigns, once their recipients are deleted; answers how many. */
export function deleteCampaignsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from campaigns where seq in (select seq from campaigns where workspace = ${workspace} order by seq limit ${most})`;
}

/** For `onLeave`: the count, with the recipients whose contact was erased. Their rows are not in the file. */
export function withErased(count: Sql, row: Sql, also = sql``): Sql {
  return sql`${row}.${count} + (select count(*) from recipients r where r.campaign = ${row}.seq${also}
    and not exists (select 1 from contacts c where c.seq = r.contact))`;
}

/** The loop takes up the campaigns of a workspace that has come in. */
export function takeUpArrived(tx: Tx, workspace: number): Promise<number> {
  return tx.run`
    update campaigns set due_at = case status when 'SCHEDULED' then scheduled_for else ${tx.now} end
    where workspace = ${workspace} and status in ('SCHEDULED', 'SENDING')`;
}
