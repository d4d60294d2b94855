// The SQL of who gets a campaign: the audience before it is frozen, the recipients after.
import { C_PRESENT, type ContactRow } from "../contacts/queries.ts";
import type { Range } from "../contacts/selection-queries.ts";
import type { Addressee } from "../emails/accept.ts";
import type { BounceType } from "../emails/email.ts";
import type { EmailStatus } from "../emails/queries.ts";
import type { Queued } from "../emails/campaign-queries.ts";
import { joined, list, sql, type Sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";

/** Who may be sent marketing mail; over contacts `c`. */
const MAY_BE_SENT_MARKETING = sql`c.subscribed = 1 and c.status = 'ACTIVE' and c.suppressed is null`;

/** `condition`: one over contacts `c`. */
export type Audience = { readonly workspace: number; readonly condition: Sql };

type AudienceCount = {
  readonly matched: number;
  readonly suppressed: number;
  readonly pending: number;
  readonly unsubscribed: number;
};

/**
 * Whoever is left out for several reasons is counted under the first. The bound on seq has contacts read in the order in
 * which they lie.
 */
export async function countAudience(reader: Reader, { workspace, condition }: Audience): Promise<AudienceCount> {
  const row = await reader.get<AudienceCount>`
    select count(*) as matched, coalesce(sum(case when why = 1 then 1 else 0 end), 0) as suppressed,
      coalesce(sum(case when why = 2 then 1 else 0 end), 0) as pending,
      coalesce(sum(case when why = 3 then 1 else 0 end), 0) as unsubscribed
    from (
      select case when c.suppressed is not null then 1 when c.status = 'PENDING' then 2 when c.subscribed = 0 then 3 else 0 end as why
      from contacts c where c.workspace = ${workspace} and c.seq > 0 and (${condition}) and ${C_PRESENT}) as matching`;
  return row ?? { matched: 0, suppressed: 0, pending: 0, unsubscribed: 0 };
}

export async function hasAudience(reader: Reader, { workspace, condition }: Audience): Promise<boolean> {
  const row = await reader.get`
    select 1 as found from contacts c where c.workspace = ${workspace} and ${MAY_BE_SENT_MARKETING} and (${condition}) limit 1`;
  return row !== null;
}

/** Makes recipients of those in a stretch who match and may be sent marketing mail. */
export function insertRecipients(tx: Tx, campaign: number, audience: Audience, stretch: Range): Promise<number> {
  return tx.run`
    insert into recipients (campaign, contact)
    select ${campaign}, c.seq from contacts c
    where c.workspace = ${audience.workspace} and c.seq > ${stretch.after} and c.seq <= ${stretch.upTo} and ${MAY_BE_SENT_MARKETING}
      and (${audience.condition})
    order by c.seq`;
}

/** The numbers of the next who have neither a mail nor a reason why not. */
export async function nextRecipients(
  reader: Reader,
  campaign: { readonly seq: number; readonly fed_to: number },
  limit: number,
): Promise<number[]> {
  const rows = await reader.all<{ contact: number }>`
    select contact from recipients where campaign = ${campaign.seq} and contact > ${campaign.fed_to}
    order by contact limit ${limit}`;
  return rows.map(({ contact }) => contact);
}

/** A recipient as the person is known now. */
export type Candidate = Addressee & Pick<ContactRow, "status" | "suppressed">;

/** Without those who are being erased; nobody else is until this transaction is over. */
export function candidatesAmong(tx: Tx, contacts: readonly number[]): Promise<Candidate[]> {
  return tx.all<Candidate>`
    select c.seq, c.email, c.subscribed, c.status, c.suppressed, json(c.data) as data from contacts c
    where ${tx.dialect.isAmong(sql`c.seq`, contacts)} and ${C_PRESENT} order by c.seq${tx.dialect.forReference}`;
}

/** More values in one statement would make it longer than both engines take. */
const PAIRS_A_STATEMENT = 200;

export async function setMails(tx: Tx, campaign: number, queued: readonly Queued[]): Promise<void> {
  for (let from = 0; from < queued.length; from += PAIRS_A_STATEMENT) {
    const pairs = queued
      .slice(from, from + PAIRS_A_STATEMENT)
      .map(({ contact, seq }) => sql`(cast(${contact} as bigint), cast(${seq} as bigint))`);
    await tx.run`
      update recipients set email = made.column2 from (values ${joined(pairs, ", ")}) as made
      where recipients.campaign = ${campaign} and recipients.contact = made.column1`;
  }
}

export function setReason(tx: Tx, campaign: number, contacts: readonly number[], reason: Reason): Promise<number> {
  return tx.run`
    update recipients set reason = ${reason} where campaign = ${campaign} and ${tx.dialect.isAmong(sql`contact`, contacts)}`;
}

export function deleteRecipients(tx: Tx, campaign: number, limit: number): Promise<number> {
  return tx.run`
    delete from recipients where campaign = ${campaign} and contact in (
      select contact from recipients where campaign = ${campaign} order by contact limit ${limit})`;
}

/** A part of the recipients of all campaigns of a workspace; answers how many. */
export function deleteRecipientsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from recipients where (campaign, contact) in (
      select r.campaign, r.contact from campaigns k join recipients r on r.campaign = k.seq
      where k.workspace = ${workspace} limit ${most})`;
}

/** Why nothing is queued for somebody of the frozen audience. */
const REASONS = ["erased", "suppressed", "pending", "unsubscribed"] as const;
export type Reason = (typeof REASONS)[number];

type RecipientCount = { readonly campaign: number; readonly people: number };

export function countRecipients(reader: Reader, campaigns: readonly number[]): Promise<RecipientCount[]> {
  return reader.all<RecipientCount>`
    select campaign, count(*) as people from recipients where campaign in (${list(campaigns)}) group by campaign`;
}

export async function countAfter(reader: Reader, campaign: number, contact: number): Promise<number> {
  const row = await reader.get<{ people: number }>`
    select count(*) as people from recipients where campaign = ${campaign} and contact > ${contact}`;
  return row?.people ?? 0;
}

export async function countSkipped(reader: Reader, campaign: number): Promise<number> {
  const row = await reader.get<{ people: number }>`
    select count(*) as people from recipients where campaign = ${campaign} and reason in (${list(REASONS)})`;
  return row?.people ?? 0;
}

export type RecipientRow = {
  readonly contact: number;
  readonly reason: string | null;
  readonly contact_id: string | null;
  /** Where the mail goes or went, which may not be where the contact is now; null = erased. */
  readonly address: string | null;
  /** Whether a mail was queued, though it may have been taken back since. */
  readonly email: number | null;
  readonly email_id: string | null;
  readonly status: Exclude<EmailStatus, "RECEIVED"> | null;
  readonly error: string | null;
  readonly created_at: string | null;
  readonly sent_at: string | null;
  readonly delivered_at: string | null;
  readonly opened_at: string | null;
  readonly clicked_at: string | null;
  readonly bounced_at: string | null;
  /** Null unless the mail is bounced. */
  readonly bounce_type: BounceType | null;
  readonly complained_at: string | null;
  readonly unsubscribed_at: string | null;
  readonly failed_at: string | null;
};

/** In the order of the contacts. The page is cut on the narrow rows before the others are fetched. */
export function recipientsPage(
  reader: Reader,
  campaign: number,
  limit: number,
  offset: number,
): Promise<RecipientRow[]> {
  return reader.all<RecipientRow>`
    select r.contact, r.reason, c.id as contact_id,
      case when c.seq is not null then coalesce(e.to_address, c.email) end as address,
      r.email, e.id as email_id, e.status, e.error, e.created_at, e.sent_at, e.delivered_at, e.opened_at, e.clicked_at,
      e.bounced_at, case when e.bounced_at is not null then e.bounce_type end as bounce_type, e.complained_at, e.unsubscribed_at, e.failed_at
    from recipients r left join contacts c on c.seq = r.contact and ${C_PRESENT} left join emails e on e.seq = r.email
    where r.campaign = ${campaign} and r.contact in (
      select contact from recipients where campaign = ${campaign} order by contact limit ${limit} offset ${offset})
    order by r.contact`;
}
