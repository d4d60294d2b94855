// The SQL of the mails of campaigns: many at once, and their part of the queue.
import { joined, list, sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { TemplateType } from "../templates/queries.ts";
import type { Attempt, EmailStatus, NewEmail } from "./queries.ts";

type NewCampaignEmail = Omit<NewEmail, "sourceType" | "lane" | "toName"> & {
  readonly contact: number;
  readonly campaign: number;
};
export type Queued = { readonly contact: number; readonly seq: number };

/** At least one, and all of one campaign. They come back in no order. */
export function insertCampaignEmails(tx: Tx, emails: readonly NewCampaignEmail[]): Promise<Queued[]> {
  const rows = emails.map(
    (one) => sql`
      (${one.id}, ${one.workspace}, ${one.contact}, ${one.content}, ${one.campaign}, 'CAMPAIGN', 'QUEUED', 1, ${one.dueAt},
        ${one.toAddress}, ${one.variables}, ${one.language}, ${tx.now})`,
  );
  return tx.all<Queued>`
    insert into emails (id, workspace, contact, content, campaign, source_type, status, lane, due_at, to_address, variables, language, created_at)
    values ${joined(rows, ", ")} returning contact, seq`;
}

/** What is not to be claimed until its campaign goes on, whatever becomes of its workspace meanwhile. */
const HELD_LANE = 21;
const LANES_OF_MARKETING = [1, 11];

/** Back in the queue as if it had not been tried, to wait for its campaign. */
export function setHeld(tx: Tx, { seq, attempts }: Attempt): Promise<number> {
  return tx.run`
    update emails set status = 'QUEUED', due_at = ${tx.now}, attempts = attempts - 1, lane = ${HELD_LANE}
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts}`;
}

/** Answers how many were moved; fewer than `limit` = no more are queued. */
export function holdQueued(tx: Tx, campaign: number, limit: number): Promise<number> {
  return tx.run`
    update emails set lane = ${HELD_LANE} where seq in (
      select seq from emails where campaign = ${campaign} and lane in (${list(LANES_OF_MARKETING)}) and due_at is not null
        and status = 'QUEUED' limit ${limit}${tx.dialect.forUpdate})`;
}

export function releaseHeld(tx: Tx, campaign: number, limit: number): Promise<number> {
  return tx.run`
    update emails set lane = 1 where seq in (
      select seq from emails where campaign = ${campaign} and lane = ${HELD_LANE} and due_at is not null
      limit ${limit}${tx.dialect.forUpdate})`;
}

/** Takes back what has not been claimed. */
export function deleteQueuedOf(tx: Tx, campaign: number, limit: number): Promise<number> {
  return tx.run`
    delete from emails where seq in (
      select seq from emails where campaign = ${campaign} and due_at is not null and status = 'QUEUED'
      limit ${limit}${tx.dialect.forUpdate})`;
}

export function deleteClaimed(tx: Tx, { seq, attempts }: Attempt): Promise<number> {
  return tx.run`delete from emails where seq = ${seq} and status = 'SENDING' and attempts = ${attempts}`;
}

/** The mails stay and belong to no campaign any more. */
export function detachSettled(tx: Tx, campaign: number, limit: number): Promise<number> {
  return tx.run`
    update emails set campaign = null where seq in (
      select seq from emails where campaign = ${campaign} and due_at is null limit ${limit})`;
}

/** Whether so many mails of a campaign could be claimed now. */
export async function hasReady(reader: Reader, campaign: number, now: string, mails: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as ready from emails where campaign = ${campaign} and lane = 1 and due_at is not null and due_at <= ${now}
    limit 1 offset ${mails - 1}`;
  return row !== null;
}

export async function hasHeld(reader: Reader, campaign: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as held from emails where campaign = ${campaign} and lane = ${HELD_LANE} and due_at is not null limit 1`;
  return row !== null;
}

/** Whether any mail of a campaign is still to be handed over, or just being so. */
export async function isInFlight(reader: Reader, campaign: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as waits from emails where campaign = ${campaign} and due_at is not null limit 1`;
  return row !== null;
}

/** The part of a content by which the door decides what goes with each mail. */
export type KeptContent = {
  readonly kind: TemplateType;
  readonly from_address: string;
  readonly domain: number | null;
  readonly subject: string;
  readonly html: string;
  readonly text: string | null;
};

export function keptContent(reader: Reader, content: number): Promise<KeptContent | null> {
  return reader.get<KeptContent>`
    select kind, from_address, domain, subject, html, text from contents where seq = ${content}`;
}

/** The sender's domain was removed and added again: mails are signed with the key that is published now. */
export function setContentDomain(tx: Tx, content: number, domain: number): Promise<number> {
  return tx.run`update contents set domain = ${domain} where seq = ${content}`;
}

export type StatusCount = {
  readonly campaign: number;
  readonly status: EmailStatus;
  readonly mails: number;
  readonly opened: number;
  readonly clicked: number;
};

/** What became of the mails that are settled, from the index alone. */
export function countSettled(reader: Reader, campaigns: readonly number[]): Promise<StatusCount[]> {
  return reader.all<StatusCount>`
    select campaign, status, count(*) as mails, sum(case when opens > 0 then 1 else 0 end) as opened,
      sum(case when clicks > 0 then 1 else 0 end) as clicked
    from emails where campaign in (${list(campaigns)}) and due_at is null group by campaign, status`;
}

export async function countInFlight(reader: Reader, campaign: number): Promise<number> {
  const row = await reader.get<{ mails: number }>`
    select count(*) as mails from emails where campaign = ${campaign} and due_at is not null`;
  return row?.mails ?? 0;
}

export async function countFailedWith(reader: Reader, campaign: number, error: string): Promise<number> {
  const row = await reader.get<{ mails: number }>`
    select count(*) as mails from emails
    where campaign = ${campaign} and due_at is null and status = 'FAILED' and error = ${error}`;
  return row?.mails ?? 0;
}

export async function countHardBounced(reader: Reader, campaign: number): Promise<number> {
  const row = await reader.get<{ mails: number }>`
    select count(*) as mails from emails
    where campaign = ${campaign} and due_at is null and status = 'BOUNCED' and bounce_type = 'Permanent'`;
  return row?.mails ?? 0;
}

export async function countUnsubscribed(reader: Reader, campaign: number): Promise<number> {
  const row = await reader.get<{ people: number }>`
    select count(*) as people from emails where campaign = ${campaign} and unsubscribed_at is not null`;
  return row?.people ?? 0;
}

/** Guarded: the first time counts. */
export function setUnsubscribed(tx: Tx, id: string): Promise<number> {
  return tx.run`update emails set unsubscribed_at = ${tx.now} where id = ${id} and unsubscribed_at is null`;
}
