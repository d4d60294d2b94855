// The SQL of campaigns.
import { list, sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";

export type CampaignStatus = "DRAFT" | "SCHEDULED" | "SENDING" | "SENT" | "CANCELLED";
export type AudienceType = "ALL" | "SEGMENT" | "FILTERED";

export type CampaignFields = {
  readonly name: string;
  readonly description: string | null;
  readonly subject: string;
  readonly body: string;
  readonly text: string | null;
  readonly from_address: string;
  readonly from_name: string | null;
  readonly reply_to: string | null;
  readonly audience_type: AudienceType;
  /** JSON text; null unless FILTERED. */
  readonly audience_condition: string | null;
  /** Public id; null unless SEGMENT. */
  readonly segment_id: string | null;
};

export type CampaignRow = CampaignFields & {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly status: CampaignStatus;
  readonly paused: 0 | 1;
  readonly blocked: string | null;
  readonly due_at: string | null;
  readonly scheduled_for: string | null;
  readonly started_at: string | null;
  readonly sent_at: string | null;
  readonly cancelled_at: string | null;
  readonly deleted_at: string | null;
  readonly content: number | null;
  readonly audience_ceiling: number | null;
  readonly frozen_to: number;
  readonly frozen_at: string | null;
  readonly fed_to: number;
  readonly created_at: string;
  readonly updated_at: string;
};

const COLUMNS = sql`seq, id, workspace, name, description, subject, body, text, from_address, from_name, reply_to, audience_type,
  audience_condition, segment_id, status, paused, blocked, due_at, scheduled_for, started_at, sent_at, cancelled_at, deleted_at,
  content, audience_ceiling, frozen_to, frozen_at, fed_to, created_at, updated_at`;

export async function insertCampaign(
  tx: Tx,
  workspace: number,
  id: string,
  fields: CampaignFields,
): Promise<CampaignRow> {
  const row = await tx.get<CampaignRow>`
    insert into campaigns (id, workspace, name, description, subject, body, text, from_address, from_name, reply_to,
      audience_type, audience_condition, segment_id, created_at, updated_at)
    values (${id}, ${workspace}, ${fields.name}, ${fields.description}, ${fields.subject}, ${fields.body}, ${fields.text},
      ${fields.from_address}, ${fields.from_name}, ${fields.reply_to}, ${fields.audience_type}, ${fields.audience_condition},
      ${fields.segment_id}, ${tx.now}, ${tx.now})
    returning ${COLUMNS}`;
  return row as CampaignRow;
}

export async function setFields(tx: Tx, seq: number, fields: CampaignFields): Promise<CampaignRow> {
  const row = await tx.get<CampaignRow>`
    update campaigns set name = ${fields.name}, description = ${fields.description}, subject = ${fields.subject},
      body = ${fields.body}, text = ${fields.text}, from_address = ${fields.from_address}, from_name = ${fields.from_name},
      reply_to = ${fields.reply_to}, audience_type = ${fields.audience_type},
      audience_condition = ${fields.audience_condition}, segment_id = ${fields.segment_id},
      updated_at = ${tx.now}
    where seq = ${seq} returning ${COLUMNS}`;
  return row as CampaignRow;
}

export function campaignById(reader: Reader, workspace: number, id: string): Promise<CampaignRow | null> {
  return reader.get<CampaignRow>`
    select ${COLUMNS} from campaigns where workspace = ${workspace} and id = ${id} and deleted_at is null`;
}

/** As it is now, and nobody else's to change until this transaction is over. */
export function lockCampaign(tx: Tx, workspace: number, id: string): Promise<CampaignRow | null> {
  return tx.get<CampaignRow>`
    select ${COLUMNS} from campaigns
    where workspace = ${workspace} and id = ${id} and deleted_at is null${tx.dialect.forUpdate}`;
}

/** For the loop; null if another process is at it. */
export function takeCampaign(tx: Tx, seq: number): Promise<CampaignRow | null> {
  return tx.get<CampaignRow>`select ${COLUMNS} from campaigns where seq = ${seq}${tx.dialect.skipLocked}`;
}

export type CampaignFilter = { readonly workspace: number; readonly status: CampaignStatus | null };

function matching({ workspace, status }: CampaignFilter) {
  const ofStatus = status === null ? sql`` : sql` and status = ${status}`;
  return sql`workspace = ${workspace} and deleted_at is null${ofStatus}`;
}

/** Newest first, with the length of what each says. */
export function campaignsPage(
  reader: Reader,
  filter: CampaignFilter,
  limit: number,
  offset: number,
): Promise<{ seq: number; chars: number }[]> {
  return reader.all`
    select seq, length(body) + length(coalesce(text, '')) as chars from campaigns
    where ${matching(filter)} order by seq desc limit ${limit} offset ${offset}`;
}

/** Newest first. */
export function campaignsNumbered(reader: Reader, seqs: readonly number[]): Promise<CampaignRow[]> {
  return reader.all<CampaignRow>`select ${COLUMNS} from campaigns where seq in (${list(seqs)}) order by seq desc`;
}

export async function countCampaigns(reader: Reader, filter: CampaignFilter): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from campaigns where ${matching(filter)}`;
  return row?.total ?? 0;
}

/** The numbers of those that the loop has something to do with, the longest waiting first. */
export type DueCampaign = Pick<CampaignRow, "seq" | "workspace">;

export function dueCampaigns(reader: Reader, now: string, limit: number): Promise<DueCampaign[]> {
  return reader.all<DueCampaign>`
    select seq, workspace from campaigns where due_at is not null and due_at <= ${now} order by due_at limit ${limit}`;
}

/** Null if there is nothing to do with it now. */
export function dueCampaign(reader: Reader, seq: number, now: string): Promise<CampaignRow | null> {
  return reader.get<CampaignRow>`select ${COLUMNS} from campaigns where seq = ${seq} and due_at <= ${now}`;
}

export async function nextCampaignDue(reader: Reader, after: string): Promise<string | null> {
  const row = await reader.get<{ due_at: string }>`
    select due_at from campaigns where due_at is not null and due_at > ${after} order by due_at limit 1`;
  return row?.due_at ?? null;
}

export type Progress = {
  readonly status?: CampaignStatus;
  readonly paused?: 0 | 1;
  readonly blocked?: string | null;
  readonly due_at?: string | null;
  readonly scheduled_for?: string | null;
  readonly started_at?: string;
  readonly sent_at?: string;
  readonly cancelled_at?: string;
  readonly deleted_at?: string;
  readonly content?: number;
  readonly audience_ceiling?: number;
  readonly frozen_to?: number;
  readonly frozen_at?: string;
  readonly fed_to?: number;
};

/** What it names of a campaign that this transaction has locked. */
export function setProgress(tx: Tx, campaign: CampaignRow, progress: Progress): Promise<number> {
  const { seq, ...after } = { ...campaign, ...progress };
  return tx.run`
    update campaigns set status = ${after.status}, paused = ${after.paused}, blocked = ${after.blocked}, due_at = ${after.due_at},
      scheduled_for = ${after.scheduled_for}, started_at = ${after.started_at}, sent_at = ${after.sent_at},
      cancelled_at = ${after.cancelled_at}, deleted_at = ${after.deleted_at}, content = ${after.content},
      audience_ceiling = ${after.audience_ceiling}, frozen_to = ${after.frozen_to}, frozen_at = ${after.frozen_at},
      fed_to = ${after.fed_to}, updated_at = ${tx.now}
    where seq = ${seq}`;
}

/** From now on exactly these segments cannot be deleted, as the campaign needs them. */
export async function holdSegments(tx: Tx, campaign: number, segments: readonly number[]): Promise<void> {
  await tx.run`delete from campaign_segments where campaign = ${campaign}`;
  for (const segment of new Set(segments))
    await tx.run`insert into campaign_segments (campaign, segment) values (${campaign}, ${segment})`;
}

export function deleteCampaign(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from campaigns where seq = ${seq}`;
}

/** A part of a workspace's campaigns, once their recipients are gone; answers how many. */
export function deleteCampaignsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from campaigns where seq in (select seq from campaigns where workspace = ${workspace} order by seq limit ${most})`;
}
