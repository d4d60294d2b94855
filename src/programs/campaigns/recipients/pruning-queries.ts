// The SQL of the counts that campaigns keep of pruned mails: the number of each kind, by state.
import { reasonOf } from "../../../mail/emails/refusals/reason.ts";
import { jsonOrNull } from "../../../store/columns.ts";
import { joined, sqlList, sql } from "../../../store/sql.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { CampaignRecipient } from "./recipient-record.ts";
import type { OldMail } from "../../../mail/emails/pruning/mail-queries.ts";

/** A mail of a campaign, whose person has not been erased. */
type CampaignMail = OldMail & { readonly campaign: number; readonly contact: number };

/** More values in one statement would make it longer than both engines take. */
const PAIRS_A_STATEMENT = 200;

/** The mails are about to go, in this transaction. */
export async function keepFigures(tx: Tx, mails: readonly OldMail[]): Promise<void> {
  const theirs = mails.filter((mail): mail is CampaignMail => mail.campaign !== null && mail.contact !== null);
  for (const [campaign, some] of [...Map.groupBy(theirs, ({ campaign }) => campaign)].sort(([a], [b]) => a - b)) {
    for (const alike of Map.groupBy(some, ({ status }) => status).values()) await addCounts(tx, campaign, alike);
    for (let from = 0; from < some.length; from += PAIRS_A_STATEMENT)
      await keepPasts(tx, campaign, some.slice(from, from + PAIRS_A_STATEMENT));
  }
}

/** Adds the counts of mails in one state. The campaign may have been deleted while its mails were being detached. */
function addCounts(tx: Tx, campaign: number, mails: readonly CampaignMail[]): Promise<number> {
  const count = (is: (mail: CampaignMail) => boolean) => mails.filter(is).length;
  return tx.run`
    insert into pruned_mails (campaign, status, mails, opened, clicked, hard_bounced, refused, unsubscribed, left_topic)
    select seq, ${mails[0]?.status ?? ""}, ${mails.length}, ${count((mail) => mail.opens > 0)}, ${count((mail) => mail.clicks > 0)},
      ${count(({ status, bounceType }) => status === "BOUNCED" && bounceType === "Permanent")},
      ${count(({ status, sentAt }) => status === "BOUNCED" && sentAt === null)},
      ${count(({ unsubscribedAt }) => unsubscribedAt !== null)},
      ${count(({ leftTopicAt }) => leftTopicAt !== null)}
    from campaigns where seq = ${campaign}
    on conflict (campaign, status) do update set mails = pruned_mails.mails + excluded.mails,
      opened = pruned_mails.opened + excluded.opened, clicked = pruned_mails.clicked + excluded.clicked,
      hard_bounced = pruned_mails.hard_bounced + excluded.hard_bounced, refused = pruned_mails.refused + excluded.refused,
      unsubscribed = pruned_mails.unsubscribed + excluded.unsubscribed,
      left_topic = pruned_mails.left_topic + excluded.left_topic`;
}

function keepPasts(tx: Tx, campaign: number, mails: readonly CampaignMail[]): Promise<number> {
  const pairs = mails.map((mail) => sql`(cast(${mail.contact} as bigint), ${JSON.stringify(pastOf(mail))})`);
  return tx.run`
    update recipients set past = made.column2 from (values ${joined(pairs, ", ")}) as made
    where recipients.campaign = ${campaign} and recipients.contact = made.column1`;
}

/** The past that a recipient's row keeps, without nulls. */
type RecipientHistory = Partial<Omit<CampaignRecipient, "contact" | "reason" | "contactId" | "email" | "emailId">>;

/** Without the server's reply, which may name the address. */
function pastOf(mail: OldMail): RecipientHistory {
  const { seq, content, campaign, contact, opens, clicks, error, bounceType, bouncedAt, ...kept } = mail;
  const bounce = bouncedAt === null ? {} : { bouncedAt, bounceType };
  const refusal = reasonOf({ status: mail.status, error, bounceType });
  const all = { ...kept, ...bounce, refusal };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** A recipient with the past that its row keeps of a pruned mail. */
export function withPast({
  past,
  ...recipient
}: CampaignRecipient & { readonly past: string | null }): CampaignRecipient {
  const kept = jsonOrNull<RecipientHistory>(past);
  return recipient.status === null && kept !== null ? { ...recipient, ...kept } : recipient;
}

export type PrunedCount = {
  readonly campaign: number;
  readonly status: OldMail["status"];
  readonly mails: number;
  readonly opened: number;
  readonly clicked: number;
  readonly hardBounced: number;
  readonly refused: number;
  readonly unsubscribed: number;
  readonly leftTopic: number;
};

/** The mails of campaigns, at least one, that were pruned, by state. */
export function countPruned(reader: Reader, campaigns: readonly number[]): Promise<PrunedCount[]> {
  return reader.all<PrunedCount>`
    select campaign, status, mails, opened, clicked, hard_bounced as "hardBounced", refused, unsubscribed,
      left_topic as "leftTopic"
    from pruned_mails where campaign in (${sqlList(campaigns)})`;
}
