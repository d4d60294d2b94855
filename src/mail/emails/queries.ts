// The SQL of the records of mails.
import { HELD, MARKETING } from "./queue/holds.ts";
import type { Mailbox } from "../../base/addresses.ts";
import type { StoredLabels } from "../../base/labels.ts";
import type { Language } from "../../base/languages/language.ts";
import { isTrulyDue } from "../../store/clock-queries.ts";
import { sql, steadyList, type Sql } from "../../store/sql.ts";
import type { Suppression } from "../../audience/suppressions/queries.ts";
import type { Reader } from "../../store/store.ts";
import type { TemplateType } from "../../content/templates/queries.ts";
import { emailShape, type EmailStatus } from "./shape.ts";

type EmailRecordBody = typeof emailShape.static;

/** Fields that a record derives from a mail. */
type DerivedField = "projectId" | "from" | "to" | "returnPath" | "messageId" | "scheduledFor" | "tags" | "metadata";

/** One mail for lists and records: without its texts, which may be megabytes. */
export type Mail = Readonly<Omit<EmailRecordBody, DerivedField | keyof RecordDetails>> &
  StoredLabels & {
    readonly seq: number;
    readonly workspace: number;
    readonly workspaceId: string;
    readonly contact: number | null;
    /** The current address; null if the contact is being erased. */
    readonly contactEmail: string | null;
    readonly content: number;
    readonly campaign: number | null;
    readonly dueAt: string | null;
    readonly renderedSubject: string | null;
    /** The number of the mail server that took it, or may have. */
    readonly hop: number | null;
    readonly fromAddress: string;
    readonly toAddress: string;
    readonly attachments: number;
    /** Its text is for the recipient alone, and it counts in no figures; 0 and 1 as the store has it. */
    readonly isPrivate: boolean | 0 | 1;
    /** Its own; null = made from the mail's id. A complete message has one, and email from outside. */
    readonly messageId: string | null;
    /** For email from outside: the sender of its envelope. */
    readonly returnPath: string | null;
  };

/** Fields of records only. `cancelledBy`: JSON. */
type RecordDetails = Pick<EmailRecordBody, "workflowId" | "resentFrom" | "resentAt" | "bounceType" | "held"> & {
  readonly cancelledBy: string | null;
};
export type ToldMail = Mail & RecordDetails;

/** The one message of a group, with the recipients of all its mails. */
export type GroupMessage = {
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  /** The recipient with whose data it was rendered. */
  readonly reader: Mailbox;
  readonly subscribed: boolean;
  readonly variables: string | null;
  /** The time of the group's first attempt; null = none. */
  readonly attemptedAt: string | null;
};

/** A mail with everything that composing it needs. */
export type MailToSend = Mail & {
  readonly workspaceDisabledAt: string | null;
  readonly marketingStopped: string | null;
  readonly subscribed: boolean;
  /** The recipient has left its topic. */
  readonly hasLeftTopic: boolean;
  /** The end of the recipient's pause of marketing mail. */
  readonly pausedUntil: string | null;
  readonly campaignStatus: string | null;
  readonly campaignPaused: boolean;
  /** JSON text, like `headers` and `data`: only the thread that composes the mail parses it. */
  readonly variables: string | null;
  readonly kind: TemplateType;
  readonly postalAddress: string | null;
  readonly language: Language | null;
  readonly preheader: string | null;
  readonly html: string;
  readonly text: string | null;
  readonly headers: string | null;
  readonly data: string | null;
  readonly tracking: boolean;
  readonly test: boolean;
  readonly isPrivate: boolean;
  /** It leaves even to a suppressed address. */
  readonly passesSuppressions: boolean;
  /** The suppression of its address; null = none. */
  readonly suppression: Suppression | null;
  /** When its body was pruned; null = it is there. */
  readonly bodyGoneAt: string | null;
  /** The message with its recipients; null = its recipient alone. */
  readonly message: GroupMessage | null;
  /** Null unless it is, or was before this attempt, PERHAPS_DELIVERED. */
  readonly repeatsLeft: number | null;
  /** The number of the rule that decides by which ways it leaves; null = none. */
  readonly rule: number | null;
  /** The sender domain; 0 = it is gone. */
  readonly senderDomain: number;
  readonly domain: string | null;
  readonly domainVerifiedAt: string | null;
  readonly selector: string | null;
  readonly privateKey: string | null;
};

export const SUMMARY = sql`
  e.seq, e.id, e.workspace, w.id as "workspaceId", e.contact, p.id as "contactId", p.email as "contactEmail", e.content,
  e.campaign, k.id as "campaignId", e.source_type as "sourceType", e.status, e.due_at as "dueAt", e.attempts,
  e.to_address as "toAddress", e.to_name as "toName", e.role, c.group_id as "group", e.subject as "renderedSubject", e.remote_id as "remoteId", e.hop, e.error,
  e.created_at as "createdAt", e.attempted_at as "attemptedAt", e.sent_at as "sentAt", e.failed_at as "failedAt",
  e.skipped_at as "skippedAt", e.cancelled_at as "cancelledAt", e.bounced_at as "bouncedAt", e.opens, e.opened_at as "openedAt", e.clicks, e.clicked_at as "clickedAt",
  e.delivered_at as "deliveredAt", e.complained_at as "complainedAt", c.template_id as "templateId",
  c.from_address as "fromAddress", c.from_name as "fromName", c.reply_to as "replyTo", c.subject, c.attachments,
  c.message_id as "messageId", c.return_path as "returnPath", c.tags, c.metadata, c.private as "isPrivate"`;

/** For `onLeave`: campaigns are counted from their mails, and what waits is not left behind. */
export function mailGoesSince(row: Sql, moment: string): Sql {
  return sql`(${row}.created_at >= ${moment} or ${row}.campaign is not null or ${row}.due_at is not null)`;
}

export const MAILS = sql`
  from emails e
  join workspaces w on w.seq = e.workspace
  join contents c on c.seq = e.content
  left join contacts p on p.seq = e.contact
  left join campaigns k on k.seq = e.campaign`;

const TOLD = sql`
  e.workflow_id as "workflowId", o.id as "resentFrom", e.resent_at as "resentAt", e.cancelled_by as "cancelledBy",
  case when e.bounced_at is not null then e.bounce_type end as "bounceType",
  case when e.status <> 'QUEUED' then null when e.${HELD.workspace} then 'WORKSPACE_DISABLED'
    when e.${HELD.operator} then 'OPERATOR'
    when e.${HELD.pace} then 'PROVIDER_PACE'
    when e.${HELD.campaign} then case when k.paused = 1 then 'CAMPAIGN_PAUSED' else 'CAMPAIGN_BLOCKED' end
    when e.lane = ${MARKETING} and w.marketing_stopped is not null then 'MARKETING_STOPPED'
    when not ${isTrulyDue(sql`e.due_at`)} then 'CLOCK_IN_DOUBT' end as held`;
const TOLD_OF = sql`left join emails o on o.seq = e.resent_from`;

export function mailById(reader: Reader, workspace: number, id: string): Promise<ToldMail | null> {
  return reader.get<ToldMail>`
    select ${SUMMARY}, ${TOLD} ${MAILS} ${TOLD_OF} where e.workspace = ${workspace} and e.id = ${id}`;
}

/** Newest first. */
export async function mailsNumbered(reader: Reader, seqs: readonly number[]): Promise<ToldMail[]> {
  if (seqs.length === 0) return [];
  return reader.all<ToldMail>`
    select ${SUMMARY}, ${TOLD} ${MAILS} ${TOLD_OF} where e.seq in (${steadyList(seqs)}) order by e.seq desc`;
}

/** For signed tokens, which name only the mail. */
export function mailOfAnyWorkspace(reader: Reader, id: string): Promise<Mail | null> {
  return reader.get<Mail>`select ${SUMMARY} ${MAILS} where e.id = ${id}`;
}

/** The address to which a mail of any workspace goes; null if there is no such mail. */
export async function recipientOf(reader: Reader, id: string): Promise<string | null> {
  const mail = await reader.get<{ address: string }>`select to_address as address from emails where id = ${id}`;
  return mail?.address ?? null;
}

/** The seqs of a mail and of its campaign; null = the mail is gone. */
export function mailWithId(
  reader: Reader,
  id: string,
): Promise<{ readonly seq: number; readonly campaign: number | null } | null> {
  return reader.get`select seq, campaign from emails where id = ${id}`;
}

/** The key of a mail's topic; null = it has none. */
export async function topicOfMail(reader: Reader, id: string): Promise<string | null> {
  const row = await reader.get<{ topic: string | null }>`
    select c.topic from emails e join contents c on c.seq = e.content where e.id = ${id} and c.kind = 'MARKETING'`;
  return row?.topic ?? null;
}

type EmailFilter = { readonly workspace: number; readonly status: EmailStatus | null };

function matching({ workspace, status }: EmailFilter) {
  return status === null ? sql`workspace = ${workspace}` : sql`workspace = ${workspace} and status = ${status}`;
}

/** Newest first. The page is cut on the narrow index before the rows are fetched. */
export function mailsPage(reader: Reader, filter: EmailFilter, limit: number, offset: number): Promise<ToldMail[]> {
  return reader.all<ToldMail>`
    select ${SUMMARY}, ${TOLD} ${MAILS} ${TOLD_OF} where e.seq in (select seq from emails where ${matching(filter)} order by seq desc limit ${limit} offset ${offset})
    order by e.seq desc`;
}

export async function countMails(reader: Reader, filter: EmailFilter): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from emails where ${matching(filter)}`;
  return row?.total ?? 0;
}
