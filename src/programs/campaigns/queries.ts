// The SQL of campaigns.
import { CONDITION } from "../../audience/segments/condition/check.ts";
import { column, only, TableRows, type RecordOf, type RowOf } from "../../store/columns.ts";
import { isTrulyDue } from "../../store/clock-queries.ts";
import { sqlList, sql, type Sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { CONTENT } from "../../content/templates/written.ts";
import type { ChangeAuthor } from "../../tenant/access/caller.ts";
import { timeOfSaving } from "../../tenant/access/saving.ts";

export type CampaignStatus = "DRAFT" | "SCHEDULED" | "SENDING" | "SENT" | "CANCELLED";
export type AudienceType = "ALL" | "SEGMENT" | "FILTERED";

/** The audience of a repeated campaign: recipients of another one, in these states. */
export type Repeats = { readonly campaignId: string; readonly states: RepeatedState[] };
/** A recipient in one of these states got nothing. */
export const REPEATED_STATES = ["FAILED", "BOUNCED", "SKIPPED", "CANCELLED"] as const;
export type RepeatedState = (typeof REPEATED_STATES)[number];

/** The columns that a save changes. */
const SAVED = {
  ...CONTENT,
  /** '' = none. */
  fromAddress: column.text(),
  name: column.text(),
  description: column.orNull(column.text()),
  /** The user or key that saved it last; null = not noted. */
  updatedBy: column.orNull(column.json<ChangeAuthor>()),
  audienceType: column.oneOf<AudienceType>(),
  /** Null unless FILTERED. */
  audienceCondition: column.orNull(CONDITION),
  /** Public id; null unless SEGMENT. */
  segmentId: column.orNull(column.text()),
};
/** The progress of its run. */
const RUN = {
  /** In place of an audience of its own. */
  repeats: column.orNull(column.json<Repeats>()),
  status: column.oneOf<CampaignStatus>(),
  paused: column.flag(),
  /** Why it cannot go on. */
  blocked: column.orNull(column.text()),
  /** When the loop has to process it. */
  dueAt: column.orNull(column.text()),
  scheduledFor: column.orNull(column.text()),
  startedAt: column.orNull(column.text()),
  sentAt: column.orNull(column.text()),
  cancelledAt: column.orNull(column.text()),
  cancelledBy: column.orNull(column.json<ChangeAuthor>()),
  deletedAt: column.orNull(column.text()),
  content: column.orNull(column.number()),
  frozenAt: column.orNull(column.text()),
  /** The last recipient who has a mail, or a reason why not. */
  queuedTo: column.named("fed_to", column.number()),
};
const ROWS = new TableRows("campaigns", {
  ...SAVED,
  ...RUN,
  seq: column.number(),
  id: column.text(),
  workspace: column.number(),
  createdAt: column.text(),
  updatedAt: column.text(),
});

export type CampaignFields = RecordOf<typeof SAVED>;
export type Campaign = RowOf<typeof ROWS>;

export function insertCampaign(tx: Tx, workspace: number, id: string, fields: CampaignFields): Promise<Campaign> {
  return ROWS.insert(tx, { ...only(SAVED, fields), id, workspace, createdAt: tx.now, updatedAt: tx.now });
}

export function setFields(tx: Tx, { seq, updatedAt }: Campaign, fields: CampaignFields): Promise<Campaign> {
  return ROWS.update(tx, seq, { ...only(SAVED, fields), updatedAt: timeOfSaving(tx, { updatedAt }) });
}

const IS_THERE = sql`deleted_at is null`;

export function campaignById(reader: Reader, workspace: number, id: string): Promise<Campaign | null> {
  return ROWS.get(reader, sql`where workspace = ${workspace} and id = ${id} and ${IS_THERE}`);
}

/** The campaign as it is now; no other transaction can change it until this one ends. */
export function lockCampaign(tx: Tx, workspace: number, id: string): Promise<Campaign | null> {
  return ROWS.get(tx, sql`where workspace = ${workspace} and id = ${id} and ${IS_THERE}${tx.dialect.forUpdate}`);
}

/** For the loop; null if another process is working on it. */
export function takeCampaign(tx: Tx, seq: number): Promise<Campaign | null> {
  return ROWS.get(tx, sql`where seq = ${seq}${tx.dialect.skipLocked}`);
}

/** Newest first. */
export function campaignsNumbered(reader: Reader, seqs: readonly number[]): Promise<Campaign[]> {
  return ROWS.all(reader, sql`where seq in (${sqlList(seqs)}) order by seq desc`);
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
  return ROWS.get(reader, sql`where seq = ${seq} and due_at <= ${now}`);
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

export type RunProgress = Partial<RecordOf<typeof RUN>>;

/** The search for a draft's people is no saving: its author gets no conflict by it. */
export function timeOfProgress(tx: Tx, campaign: Campaign, { status = campaign.status }: RunProgress): string {
  return campaign.status === "DRAFT" && status === "DRAFT" ? campaign.updatedAt : timeOfSaving(tx, campaign);
}

/** Updates the fields in `progress` of a campaign that this transaction has locked. */
export function setProgress(tx: Tx, campaign: Campaign, progress: RunProgress): Promise<number> {
  return ROWS.set(tx, campaign.seq, { ...progress, updatedAt: timeOfProgress(tx, campaign, progress) });
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
