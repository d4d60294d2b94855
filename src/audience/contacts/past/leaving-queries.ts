// The SQL of people's reasons for leaving: one answer for each mail.
import type { LeavingReason } from "../../../base/languages/questions.ts";
import { sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { C_PRESENT } from "../queries.ts";

/** The mail whose link the person used; `campaign`: its seq. */
export type LinkMail = { readonly seq: number; readonly campaign: number | null };

type NewAnswer = {
  readonly id: string;
  readonly workspace: number;
  readonly contact: number;
  readonly mail: LinkMail;
  /** The key of the topic that the person left; null = all marketing mail. */
  readonly topic: string | null;
  readonly reason: LeavingReason;
  /** The person's own words; null = none. */
  readonly words: string | null;
};

/** A later answer replaces an earlier one. */
export function keepAnswer(tx: Tx, { id, workspace, contact, mail, topic, reason, words }: NewAnswer): Promise<number> {
  return tx.run`
    insert into leaving_answers (id, workspace, contact, email, campaign, topic, reason, words, created_at, updated_at)
    values (${id}, ${workspace}, ${contact}, ${mail.seq}, ${mail.campaign}, ${topic}, ${reason}, ${words}, ${tx.now}, ${tx.now})
    on conflict (email) do update set contact = excluded.contact, topic = excluded.topic, reason = excluded.reason, words = excluded.words,
      updated_at = excluded.updated_at`;
}

export type LeavingFilter = {
  readonly workspace: number;
  /** The campaign's public id. */
  readonly campaign: string | null;
  readonly reason: LeavingReason | null;
};

export type LeavingAnswer = {
  readonly seq: number;
  readonly id: string;
  readonly reason: LeavingReason;
  readonly words: string | null;
  readonly topic: string | null;
  readonly contactId: string | null;
  readonly address: string | null;
  readonly emailId: string | null;
  readonly campaignId: string | null;
  readonly campaignName: string | null;
  readonly answeredAt: string;
};

/** Newest first; `before`: the last answer of the previous page. */
export function answersPage(
  reader: Reader,
  { workspace, campaign, reason }: LeavingFilter,
  { before, limit }: { readonly before: number | null; readonly limit: number },
): Promise<LeavingAnswer[]> {
  const ofCampaign =
    campaign === null
      ? sql``
      : sql` and a.campaign = (select seq from campaigns where id = ${campaign} and workspace = ${workspace})`;
  const because = reason === null ? sql`` : sql` and a.reason = ${reason}`;
  const onward = before === null ? sql`` : sql` and a.seq < ${before}`;
  return reader.all<LeavingAnswer>`
    select a.seq, a.id, a.reason, a.words, a.topic, c.id as "contactId", c.email as address, e.id as "emailId", k.id as "campaignId",
      k.name as "campaignName", a.updated_at as "answeredAt"
    from leaving_answers a left join contacts c on c.seq = a.contact and ${C_PRESENT} left join emails e on e.seq = a.email
      left join campaigns k on k.seq = a.campaign
    where a.workspace = ${workspace}${ofCampaign}${because}${onward} order by a.seq desc limit ${limit}`;
}

type ReasonCount = { readonly reason: LeavingReason; readonly answers: number };

export function countReasons(reader: Reader, campaign: number): Promise<ReasonCount[]> {
  return reader.all<ReasonCount>`
    select reason, count(*) as answers from leaving_answers where campaign = ${campaign} group by reason`;
}

/** The answers of one person, oldest first. */
export function answersOf(
  reader: Reader,
  contact: number,
): Promise<Pick<LeavingAnswer, "reason" | "words" | "topic" | "answeredAt">[]> {
  return reader.all`
    select reason, words, topic, updated_at as "answeredAt" from leaving_answers where contact = ${contact} order by seq`;
}

/** Removes everything about the person; a campaign keeps the reason for its counts. */
export async function forgetAnswersOf(tx: Tx, contact: number): Promise<void> {
  await tx.run`delete from leaving_answers where contact = ${contact} and campaign is null`;
  await tx.run`update leaving_answers set contact = null, email = null, topic = null, words = null where contact = ${contact}`;
}

/** Like forgetAnswersOf, for mails whose records are deleted. */
export async function forgetAnswersTo(tx: Tx, mails: readonly number[]): Promise<void> {
  await tx.run`delete from leaving_answers where ${tx.dialect.isAmong(sql`email`, mails)} and campaign is null`;
  await tx.run`
    update leaving_answers set contact = null, email = null, topic = null, words = null where ${tx.dialect.isAmong(sql`email`, mails)}`;
}
