// The SQL of deleting old mails, their contents and their attempts. A workspace's mails are pruned in their order.
import type { ExpiryPiece, ExpiryRange } from "../../../base/jobs/pieces.ts";
import { sql, type Sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { EmailStatus } from "../shape.ts";

/** A mail that is about to be pruned. */
export type OldMail = {
  readonly seq: number;
  readonly content: number;
  readonly campaign: number | null;
  readonly contact: number | null;
  readonly status: EmailStatus;
  readonly error: string | null;
  readonly bounceType: string | null;
  readonly opens: number;
  readonly clicks: number;
  readonly queuedAt: string;
  readonly sentAt: string | null;
  readonly deliveredAt: string | null;
  readonly openedAt: string | null;
  readonly clickedAt: string | null;
  readonly bouncedAt: string | null;
  readonly complainedAt: string | null;
  readonly unsubscribedAt: string | null;
  readonly leftTopicAt: string | null;
  readonly failedAt: string | null;
  readonly skippedAt: string | null;
  readonly cancelledAt: string | null;
};

/** The last of a workspace's next `most` old mails; null = none. */
export async function endOfOldMails(
  reader: Reader,
  { workspace, after, before }: ExpiryRange,
  most: number,
): Promise<number | null> {
  const row = await reader.get<{ last: number | null }>`
    select max(seq) as last from (
      select seq, created_at from emails where workspace = ${workspace} and seq > ${after} order by seq limit ${most}) as next
    where created_at < ${before}`;
  return row?.last ?? null;
}

function within({ workspace, after, upTo, before }: ExpiryPiece): Sql {
  return sql`e.workspace = ${workspace} and e.seq > ${after} and e.seq <= ${upTo} and e.created_at < ${before}`;
}

/**
 * A settled mail stays settled. A campaign's mail is all that is left of an erased person, and only its campaign can
 * tell the outcome: it stays, without a name.
 */
const MAY_GO = sql`e.due_at is null and e.status not in ('QUEUED', 'SENDING') and e.source_type <> 'INBOUND'
  and (e.campaign is null or e.contact is not null)`;

/** The settled mails of a piece; mails that another process is changing are left for the next time. */
export function takeOldMails(tx: Tx, piece: ExpiryPiece): Promise<OldMail[]> {
  return tx.all<OldMail>`
    select e.seq, e.content, e.campaign, e.contact, e.status, e.error, e.bounce_type as "bounceType", e.opens, e.clicks,
      e.created_at as "queuedAt", e.sent_at as "sentAt", e.delivered_at as "deliveredAt", e.opened_at as "openedAt",
      e.clicked_at as "clickedAt", e.bounced_at as "bouncedAt", e.complained_at as "complainedAt",
      e.unsubscribed_at as "unsubscribedAt", e.left_topic_at as "leftTopicAt", e.failed_at as "failedAt", e.skipped_at as "skippedAt",
      e.cancelled_at as "cancelledAt"
    from emails e where ${within(piece)} and ${MAY_GO}${tx.dialect.skipLocked}`;
}

/** With their attempts, and visits by machines. */
export function deleteOldMails(tx: Tx, seqs: readonly number[]): Promise<number> {
  return tx.run`delete from emails where ${tx.dialect.isAmong(sql`seq`, seqs)} and due_at is null`;
}

export async function countOldMails(reader: Reader, workspace: number, before: string): Promise<number> {
  const row = await reader.get<{ mails: number }>`
    select count(*) as mails from emails e where e.workspace = ${workspace} and e.created_at < ${before} and ${MAY_GO}`;
  return row?.mails ?? 0;
}

/** Deletes the attempts of the settled mails of a piece. Answers how many. */
export async function deleteOldAttempts(tx: Tx, piece: ExpiryPiece): Promise<number> {
  const settled = sql`(select e.seq from emails e where ${within(piece)} and e.due_at is null)`;
  const attempts = await tx.run`delete from email_attempts where email in ${settled} and at < ${piece.before}`;
  return attempts + (await tx.run`delete from machine_visits where email in ${settled} and at < ${piece.before}`);
}

export async function countOldAttempts(reader: Reader, workspace: number, before: string): Promise<number> {
  const settled = sql`(select e.seq from emails e where e.workspace = ${workspace} and e.created_at < ${before} and e.due_at is null)`;
  const row = await reader.get<{ rows: number }>`
    select (select count(*) from email_attempts where email in ${settled} and at < ${before})
      + (select count(*) from machine_visits where email in ${settled} and at < ${before}) as rows`;
  return Number(row?.rows ?? 0);
}

export function deleteReceived(tx: Tx, seqs: readonly number[]): Promise<number> {
  return tx.run`delete from emails where ${tx.dialect.isAmong(sql`seq`, seqs)} and source_type = 'INBOUND'`;
}
