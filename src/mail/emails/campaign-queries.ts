// The SQL of the mails of campaigns: held, released and counted.
import { joined, sqlList, type Sql, sql } from "../../store/sql.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { CountedMail } from "../statistics/counting.ts";
import { COUNTED_BY } from "./cancel-queries.ts";
import { HELD, IN_TURN, RELEASED, TAKEN_BY } from "./queue/holds.ts";
import { NO_HOP, type MailAttempt } from "./queue/queue-queries.ts";
import type { EmailStatus } from "./shape.ts";

/** Puts a mail back into the queue, without counting an attempt; it waits for its campaign. */
export function setHeld(tx: Tx, { seq, attempts }: MailAttempt): Promise<number> {
  return tx.run`
    update emails set status = 'QUEUED', due_at = ${tx.now}, attempts = attempts - 1, ${HELD.campaign}, ${NO_HOP}
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts}`;
}

/** Answers the number of mails moved; fewer than `limit` = no more are queued. */
export function holdQueued(tx: Tx, campaign: number, limit: number): Promise<number> {
  // A part a condition: by one condition for all, PostgreSQL would read the whole queue of the campaign.
  const parts = TAKEN_BY.campaign.map(
    (taken) => sql`
      select seq from (
        select seq from emails where campaign = ${campaign} and ${taken} and due_at is not null and status = 'QUEUED'
        limit ${limit}${tx.dialect.forUpdate}) as part`,
  );
  return tx.run`
    update emails set ${HELD.campaign} where seq in (
      select seq from (${joined(parts, " union all ")}) as queued limit ${limit})`;
}

export function releaseHeld(tx: Tx, campaign: number, limit: number): Promise<number> {
  return tx.run`
    update emails set ${RELEASED} where seq in (
      select seq from emails where campaign = ${campaign} and ${HELD.campaign} and due_at is not null
      limit ${limit}${tx.dialect.forUpdate})`;
}

/** Cancels late repeats: mails that wait for one stay PERHAPS_DELIVERED. */
export function endRepeatsOf(tx: Tx, campaign: number): Promise<number> {
  return tx.run`
    update emails set due_at = null, repeats_left = 0
    where campaign = ${campaign} and status = 'PERHAPS_DELIVERED' and due_at is not null`;
}

/** Detaches mails from a campaign; the mails stay. */
export function detachSettled(tx: Tx, campaign: number, limit: number): Promise<number> {
  return tx.run`
    update emails set campaign = null where seq in (
      select seq from emails where campaign = ${campaign} and due_at is null limit ${limit})`;
}

/** Whether at least `mails` mails of a campaign may be claimed now. */
export async function hasReady(reader: Reader, campaign: number, now: string, mails: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as ready from emails where campaign = ${campaign} and ${IN_TURN} and due_at is not null and due_at <= ${now}
    limit 1 offset ${mails - 1}`;
  return row !== null;
}

export async function hasHeld(reader: Reader, campaign: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as held from emails where campaign = ${campaign} and ${HELD.campaign} and due_at is not null limit 1`;
  return row !== null;
}

/** Whether any mail of a campaign is queued or being handed over. */
export async function isInFlight(reader: Reader, campaign: number): Promise<boolean> {
  const row = await reader.get`
    select 1 as waits from emails where campaign = ${campaign} and due_at is not null limit 1`;
  return row !== null;
}

export type StatusCount = {
  readonly campaign: number;
  /** `refused`: the BOUNCED mails that never left. */
  readonly status: EmailStatus | "refused";
  readonly mails: number;
  readonly opened: number;
  readonly clicked: number;
};

const settledOf = (where: Sql) => sql`
  select campaign, status, count(*) as mails, sum(case when opens > 0 then 1 else 0 end) as opened,
    sum(case when clicks > 0 then 1 else 0 end) as clicked
  from emails where ${where} and due_at is null group by campaign, status`;

const refusedOf = (where: Sql) => sql`
  select campaign, 'refused' as status, count(*) as mails, 0 as opened, 0 as clicked
  from emails where ${where} and due_at is null and status = 'BOUNCED' and sent_at is null group by campaign`;

/** The settled mails by state, from the index alone except for bounced ones. One statement, so one moment. */
export function countSettled(reader: Reader, campaigns: readonly number[]): Promise<StatusCount[]> {
  const theirs = sql`campaign in (${sqlList(campaigns)})`;
  return reader.all<StatusCount>`${settledOf(theirs)} union all ${refusedOf(theirs)}`;
}

type CampaignOutcome = {
  readonly settled: readonly StatusCount[];
  readonly inFlight: number;
  /** PERHAPS_DELIVERED mails that wait for a late repeat. */
  readonly repeated: number;
  readonly hardBounced: number;
  readonly unsubscribed: number;
  readonly leftTopic: number;
};

/** One statement, so one moment: a mail that leaves meanwhile is counted once. Each number has its own index. */
export async function countOutcome(reader: Reader, campaign: number): Promise<CampaignOutcome> {
  const ofCampaign = sql`campaign = ${campaign}`;
  const settled = sql`from emails where ${ofCampaign} and due_at is null`;
  const count = (what: Exclude<keyof CampaignOutcome, "settled">, from: Sql) =>
    sql`select null as campaign, ${what} as status, count(*) as mails, 0 as opened, 0 as clicked ${from}`;
  const rows = await reader.all<Omit<StatusCount, "status"> & { readonly status: string }>`
    ${settledOf(ofCampaign)}
    union all ${refusedOf(ofCampaign)}
    union all ${count("inFlight", sql`from emails where ${ofCampaign} and due_at is not null`)}
    union all ${count("repeated", sql`from emails where ${ofCampaign} and status = 'PERHAPS_DELIVERED' and due_at is not null`)}
    union all ${count("hardBounced", sql`${settled} and status = 'BOUNCED' and bounce_type = 'Permanent'`)}
    union all ${count("unsubscribed", sql`from emails where ${ofCampaign} and unsubscribed_at is not null`)}
    union all ${count("leftTopic", sql`from emails where ${ofCampaign} and left_topic_at is not null`)}`;
  const numberOf = (what: string) => rows.find(({ status }) => status === what)?.mails ?? 0;
  return {
    settled: rows.filter((row): row is StatusCount => row.campaign !== null),
    inFlight: numberOf("inFlight"),
    repeated: numberOf("repeated"),
    hardBounced: numberOf("hardBounced"),
    unsubscribed: numberOf("unsubscribed"),
    leftTopic: numberOf("leftTopic"),
  };
}

/** Only the first time counts. */
export function setUnsubscribed(tx: Tx, id: string): Promise<CountedMail | null> {
  return tx.get<CountedMail>`
    update emails set unsubscribed_at = ${tx.now} where id = ${id} and unsubscribed_at is null returning ${COUNTED_BY}`;
}

/** Only the first time counts. */
export function setLeftTopic(tx: Tx, id: string): Promise<CountedMail | null> {
  return tx.get`
    update emails set left_topic_at = ${tx.now} where id = ${id} and left_topic_at is null returning ${COUNTED_BY}`;
}
