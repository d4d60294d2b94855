// The SQL of the recipients of a campaign: its frozen audience.
import { mergedAmong } from "../../../audience/contacts/past/merged-queries.ts";
import { C_PRESENT, contactOf, type Contact, type ContactRow } from "../../../audience/contacts/queries.ts";
import type { NumberedMail } from "../../../mail/emails/accept.ts";
import type { MailContact } from "../../../mail/emails/door/request.ts";
import { changing, insertion } from "../../../store/row-statement.ts";
import { sqlList, sql, steadyList } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { withPast } from "./pruning-queries.ts";
import type { Campaign } from "../queries.ts";
import type { CampaignRecipient } from "./recipient-record.ts";

const MADE = insertion("recipients", { campaign: "bigint", contact: "bigint" }, "on conflict do nothing");
const PIECES = insertion("audience_pieces", { campaign: "bigint", number: "bigint", people: "text" });

/** `people`: contacts, with commas between; merged ones become the contacts they were merged into. */
export async function insertRecipients(tx: Tx, campaign: number, people: string): Promise<void> {
  const found = people.split(",").map(Number);
  const merged = await mergedAmong(tx, found);
  const contacts = [...new Set(found.map((contact) => merged.get(contact) ?? contact))].toSorted(
    (one, other) => one - other,
  );
  await tx.runEach(
    MADE,
    contacts.map((contact) => [campaign, contact]),
  );
}

export async function insertPieces(tx: Tx, campaign: number, pieces: readonly string[]): Promise<void> {
  await tx.runEach(
    PIECES,
    pieces.map((people, number) => [campaign, number, people]),
  );
}

export async function hasPieces(reader: Reader, campaign: number): Promise<boolean> {
  return (await reader.get`select 1 as found from audience_pieces where campaign = ${campaign} limit 1`) !== null;
}

/** The next people who are to become recipients; null = there are no more. */
export async function takePiece(tx: Tx, campaign: number): Promise<string | null> {
  const row = await tx.get<{ people: string }>`
    delete from audience_pieces
    where campaign = ${campaign} and number = (select min(number) from audience_pieces where campaign = ${campaign})
    returning people`;
  return row?.people ?? null;
}

/** The seqs of the next recipients who have neither a mail nor a reason why not. */
export async function nextRecipients(
  reader: Reader,
  { seq, queuedTo }: Pick<Campaign, "seq" | "queuedTo">,
  limit: number,
): Promise<number[]> {
  const rows = await reader.all<{ contact: number }>`
    select contact from recipients where campaign = ${seq} and contact > ${queuedTo}
      and email is null and reason is null and past is null
    order by contact limit ${limit}`;
  return rows.map(({ contact }) => contact);
}

/** The contact was merged into another, which gets the mail; 0 = that one is a recipient itself. */
export function passOn(
  tx: Tx,
  campaign: number,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<number> {
  return tx.run`
    update recipients set contact = ${to} where campaign = ${campaign} and contact = ${from}
      and not exists (select 1 from recipients o where o.campaign = ${campaign} and o.contact = ${to})`;
}

/** A recipient as the person is known now. */
export type RecipientCandidate = MailContact & Pick<Contact, "status" | "suppressed">;

/** Without contacts that are being erased; no other contact is erased until this transaction ends. */
export async function candidatesAmong(tx: Tx, contacts: readonly number[]): Promise<RecipientCandidate[]> {
  const rows = await tx.all<Pick<ContactRow, keyof RecipientCandidate>>`
    select c.seq, c.id, c.email, c.subscribed, c.status, c.suppressed, c.topics, c.paused_until as "pausedUntil", "json"(c.data) as data from contacts c
    where ${tx.dialect.isAmong(sql`c.seq`, contacts)} and ${C_PRESENT} order by c.seq${tx.dialect.forReference}`;
  return rows.map(contactOf);
}

const MAILED = changing(
  "recipients",
  { campaign: "bigint", contact: "bigint", email: "bigint" },
  ({ campaign, contact, email }) => ({
    set: `email = ${email}`,
    where: `recipients.campaign = ${campaign} and recipients.contact = ${contact}`,
    returning: "recipients.contact",
  }),
);

export async function setMails(tx: Tx, campaign: number, queued: readonly NumberedMail[]): Promise<void> {
  await tx.runEach(
    MAILED,
    queued.map(({ contact, seq }) => [campaign, contact?.seq ?? null, seq]),
  );
}

export function setReason(
  tx: Tx,
  campaign: number,
  contacts: readonly number[],
  reason: RecipientSkipReason,
): Promise<number> {
  return tx.run`
    update recipients set reason = ${reason} where campaign = ${campaign} and ${tx.dialect.isAmong(sql`contact`, contacts)}`;
}

export function deleteRecipients(tx: Tx, campaign: number, limit: number): Promise<number> {
  return tx.run`
    delete from recipients where campaign = ${campaign} and contact in (
      select contact from recipients where campaign = ${campaign} order by contact limit ${limit})`;
}

/** Deletes some of the recipients of a workspace's campaigns; answers how many. */
export function deleteRecipientsOf(tx: Tx, workspace: number, most: number): Promise<number> {
  return tx.run`
    delete from recipients where (campaign, contact) in (
      select r.campaign, r.contact from campaigns k join recipients r on r.campaign = k.seq
      where k.workspace = ${workspace} limit ${most})`;
}

/** Why nothing is queued for a recipient. */
const REASONS = ["erased", "suppressed", "pending", "unsubscribed", "topic", "paused", "merged"] as const;
export type RecipientSkipReason = (typeof REASONS)[number];

type RecipientCount = { readonly campaign: number; readonly people: number };

/** Includes recipients whose rows were pruned. */
export function countRecipients(reader: Reader, campaigns: readonly number[]): Promise<RecipientCount[]> {
  return reader.all<RecipientCount>`
    select k.seq as campaign, k.recipients_gone + (select count(*) from recipients r where r.campaign = k.seq) as people
    from campaigns k where k.seq in (${sqlList(campaigns)})`;
}

export async function countAfter(reader: Reader, campaign: number, contact: number): Promise<number> {
  const row = await reader.get<{ people: number }>`
    select count(*) as people from recipients where campaign = ${campaign} and contact > ${contact}`;
  return row?.people ?? 0;
}

/** Includes recipients whose rows were pruned. */
export async function countSkipped(reader: Reader, campaign: number): Promise<number> {
  const row = await reader.get<{ people: number }>`
    select k.skipped_gone + (
      select count(*) from recipients r where r.campaign = k.seq and r.reason in (${sqlList(REASONS)})) as people
    from campaigns k where k.seq = ${campaign}`;
  return row?.people ?? 0;
}

const RECIPIENT = sql`r.contact, r.reason, r.past, c.id as "contactId",
      case when c.seq is not null then coalesce(e.to_address, c.email) end as email,
      e.id as "emailId", e.status, e.error, e.created_at as "queuedAt", e.sent_at as "sentAt", e.delivered_at as "deliveredAt",
      e.opened_at as "openedAt", e.clicked_at as "clickedAt", e.bounced_at as "bouncedAt",
      case when e.bounced_at is not null then e.bounce_type end as "bounceType", e.complained_at as "complainedAt",
      e.unsubscribed_at as "unsubscribedAt", e.left_topic_at as "leftTopicAt", e.failed_at as "failedAt", e.skipped_at as "skippedAt", e.cancelled_at as "cancelledAt"
    from recipients r left join emails e on e.seq = r.email
    left join contacts c on c.seq = coalesce(e.contact, r.contact) and ${C_PRESENT}`;

type RecipientRow = CampaignRecipient & { readonly past: string | null };

/** In the order of the contacts. The page is cut on the narrow rows before the others are fetched. */
export async function recipientsPage(
  reader: Reader,
  campaign: number,
  limit: number,
  offset: number,
): Promise<CampaignRecipient[]> {
  const rows = await reader.all<RecipientRow>`
    select ${RECIPIENT}
    where r.campaign = ${campaign} and r.contact in (
      select contact from recipients where campaign = ${campaign} order by contact limit ${limit} offset ${offset})
    order by r.contact`;
  return rows.map(withPast);
}

/** In their order. */
export async function recipientsNumbered(
  reader: Reader,
  campaign: number,
  contacts: readonly number[],
): Promise<CampaignRecipient[]> {
  if (contacts.length === 0) return [];
  const rows = await reader.all<RecipientRow>`
    select ${RECIPIENT} where r.campaign = ${campaign} and r.contact in (${steadyList(contacts)}) order by r.contact`;
  return rows.map(withPast);
}
