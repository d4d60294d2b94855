// The SQL of mails and what they contain.
import type { Language } from "../languages/language.ts";
import { list, sql } from "../store/sql.ts";
import type { Reader, Tx } from "../store/store.ts";
import type { TemplateType } from "../templates/queries.ts";
import { PARKED_OFFSET } from "./queue-queries.ts";

export type EmailStatus =
  "QUEUED" | "SENDING" | "SENT" | "DELIVERED" | "FAILED" | "BOUNCED" | "COMPLAINED" | "RECEIVED";
export type SourceType = "TRANSACTIONAL" | "CAMPAIGN" | "WORKFLOW" | "INBOUND";

export type NewEmail = {
  readonly id: string;
  readonly workspace: number;
  /** Null: the recipient is no contact. */
  readonly contact: number | null;
  readonly content: number;
  readonly sourceType: SourceType;
  readonly lane: 0 | 1;
  readonly dueAt: string;
  readonly toAddress: string;
  readonly toName: string | null;
  readonly variables: string | null;
  readonly language: Language | null;
};

export function insertEmail(tx: Tx, email: NewEmail): Promise<number> {
  return tx.run`
    insert into emails (id, workspace, contact, content, source_type, status, lane, due_at, to_address, to_name, variables, language, created_at)
    values (${email.id}, ${email.workspace}, ${email.contact}, ${email.content}, ${email.sourceType}, 'QUEUED', ${email.lane},
      ${email.dueAt}, ${email.toAddress}, ${email.toName}, ${email.variables}, ${email.language}, ${tx.now})`;
}

/** One mail as lists and records show it: without what it says, which may be megabytes. */
export type MailSummary = {
  readonly seq: number;
  readonly id: string;
  readonly workspace: number;
  readonly workspace_id: string;
  readonly contact: number | null;
  readonly contact_id: string | null;
  /** As it is now: no address if the contact is being erased. */
  readonly contact_email: string | null;
  readonly content: number;
  readonly campaign: number | null;
  readonly campaign_id: string | null;
  readonly source_type: SourceType;
  readonly status: EmailStatus;
  readonly due_at: string | null;
  readonly attempts: number;
  readonly to_address: string;
  readonly to_name: string | null;
  readonly rendered_subject: string | null;
  readonly remote_id: string | null;
  readonly error: string | null;
  readonly created_at: string;
  readonly attempted_at: string | null;
  readonly sent_at: string | null;
  readonly failed_at: string | null;
  readonly bounced_at: string | null;
  readonly opens: number;
  readonly opened_at: string | null;
  readonly clicks: number;
  readonly clicked_at: string | null;
  readonly delivered_at: string | null;
  readonly complained_at: string | null;
  readonly template_id: string | null;
  readonly from_address: string;
  readonly from_name: string | null;
  readonly reply_to: string | null;
  readonly subject: string;
  readonly attachments: number;
  /** Not null = the message was handed in whole, or came from outside. */
  readonly message_id: string | null;
  /** The sender of the envelope of a message from outside. */
  readonly return_path: string | null;
};

/** One mail with all that is needed to compose it. */
export type MailRow = MailSummary & {
  readonly workspace_disabled_at: string | null;
  readonly marketing_stopped: string | null;
  readonly subscribed: 0 | 1 | null;
  readonly campaign_status: string | null;
  readonly campaign_paused: 0 | 1 | null;
  readonly variables: string | null;
  readonly kind: TemplateType;
  readonly postal_address: string | null;
  readonly language: Language | null;
  readonly html: string;
  readonly text: string | null;
  readonly headers: string | null;
  readonly data: string | null;
  readonly tracking: 0 | 1;
  readonly test: 0 | 1;
  readonly domain: string | null;
  readonly domain_verified_at: string | null;
  readonly selector: string | null;
  readonly private_key: string | null;
};

const SUMMARY = sql`
  e.seq, e.id, e.workspace, w.id as workspace_id, e.contact, p.id as contact_id, p.email as contact_email, e.content, e.campaign, k.id as campaign_id,
  e.source_type, e.status, e.due_at, e.attempts, e.to_address, e.to_name, e.subject as rendered_subject, e.remote_id, e.error,
  e.created_at, e.attempted_at, e.sent_at, e.failed_at, e.bounced_at, e.opens, e.opened_at, e.clicks, e.clicked_at,
  e.delivered_at, e.complained_at, c.template_id, c.from_address, c.from_name, c.reply_to, c.subject, c.attachments,
  c.message_id, c.return_path`;

const MAILS = sql`
  from emails e
  join workspaces w on w.seq = e.workspace
  join contents c on c.seq = e.content
  left join contacts p on p.seq = e.contact
  left join campaigns k on k.seq = e.campaign`;

export function mailById(reader: Reader, workspace: number, id: string): Promise<MailSummary | null> {
  return reader.get<MailSummary>`select ${SUMMARY} ${MAILS} where e.workspace = ${workspace} and e.id = ${id}`;
}

/** Which address a mail of whatever workspace goes to; null if there is no such mail. */
export async function recipientOf(reader: Reader, id: string): Promise<string | null> {
  const mail = await reader.get<{ to_address: string }>`select to_address from emails where id = ${id}`;
  return mail?.to_address ?? null;
}

/** The DKIM key is the one that signed at the time of the attempt, so that the mail can be composed again as it was. */
export function mailBySeq(reader: Reader, seq: number): Promise<MailRow | null> {
  return reader.get<MailRow>`
    select ${SUMMARY}, w.disabled_at as workspace_disabled_at, w.marketing_stopped, p.subscribed,
      k.status as campaign_status, k.paused as campaign_paused, e.variables, c.kind, c.postal_address, e.language, c.html,
      c.text, c.headers, c.data, c.tracking, c.test, d.domain, d.verified_at as domain_verified_at, s.selector, s.private_key
    ${MAILS}
    left join domains d on d.seq = c.domain
    left join domain_keys s on s.seq = (
      select seq from domain_keys where domain = c.domain and active_from <= coalesce(e.attempted_at, '9999')
      order by active_from desc limit 1)
    where e.seq = ${seq}`;
}

type EmailFilter = { readonly workspace: number; readonly status: EmailStatus | null };

function matching({ workspace, status }: EmailFilter) {
  return status === null ? sql`workspace = ${workspace}` : sql`workspace = ${workspace} and status = ${status}`;
}

/** Newest first. The page is cut on the narrow index before the rows are fetched. */
export function mailsPage(reader: Reader, filter: EmailFilter, limit: number, offset: number): Promise<MailSummary[]> {
  return reader.all<MailSummary>`
    select ${SUMMARY} ${MAILS} where e.seq in (select seq from emails where ${matching(filter)} order by seq desc limit ${limit} offset ${offset})
    order by e.seq desc`;
}

export async function countMails(reader: Reader, filter: EmailFilter): Promise<number> {
  const row = await reader.get<{ total: number }>`select count(*) as total from emails where ${matching(filter)}`;
  return row?.total ?? 0;
}

/** One mail that was claimed before its workspace was seen to be disabled. */
export function setParked(tx: Tx, { seq, attempts }: Attempt): Promise<number> {
  return tx.run`
    update emails set status = 'QUEUED', due_at = ${tx.now}, attempts = attempts - 1, lane = lane + ${PARKED_OFFSET}
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts} and lane in (0, 1)`;
}

/** Attempts that are under way stay with their process for longer; answers which, since another process may have begun the next. */
export async function renewLeases(tx: Tx, claims: readonly Attempt[], leaseUntil: string): Promise<number[]> {
  const renewed: { seq: number }[] = [];
  for (const number of new Set(claims.map(({ attempts }) => attempts))) {
    const seqs = claims.filter(({ attempts }) => attempts === number).map(({ seq }) => seq);
    renewed.push(
      ...(await tx.all<{ seq: number }>`
        update emails set due_at = ${leaseUntil}
        where status = 'SENDING' and attempts = ${number} and seq in (${list(seqs)}) returning seq`),
    );
  }
  return renewed.map(({ seq }) => seq);
}

/**
 * All that was claimed by a process that is gone may be claimed again at once; answers how many mails that are. Leases that ran out
 * before `since` are not looked for: to claim such a mail again nothing needs to be done.
 */
export function endLeases(tx: Tx, since: string): Promise<number> {
  return tx.run`update emails set due_at = ${tx.now} where status = 'SENDING' and due_at is not null and due_at > ${since}`;
}

/** Null = the mail was not in hand any more. `named` is 0 if its person was erased meanwhile: what is said of it is not kept. */
type Change = { readonly named: 0 | 1 } | null;
const CHANGE = sql`case when to_address = '' then 0 else 1 end as named`;
/** The value, if there is still somebody of whom it tells. */
const ifNamed = (value: string | null) => sql`case when to_address = '' then null else cast(${value} as text) end`;

type Sent = { readonly subject: string | null; readonly remoteId: string | null };

export function setSent(tx: Tx, seq: number, { subject, remoteId }: Sent): Promise<Change> {
  return tx.get<{ named: 0 | 1 }>`
    update emails set status = 'SENT', due_at = null, sent_at = ${tx.now}, subject = ${ifNamed(subject)}, remote_id = ${remoteId}, error = null
    where seq = ${seq} and status = 'SENDING' returning ${CHANGE}`;
}

/** The mail as the attempt found it: what an attempt says whose lease has run out, and which another has followed, is too late. */
export type Attempt = { readonly seq: number; readonly attempts: number };

export function setQueuedAgain(tx: Tx, { seq, attempts }: Attempt, dueAt: string, error: string): Promise<Change> {
  return tx.get<{ named: 0 | 1 }>`
    update emails set status = 'QUEUED', due_at = ${dueAt}, error = ${ifNamed(error)}
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts} returning ${CHANGE}`;
}

/** Back in the queue as if it had not been tried. */
export function setUntried(tx: Tx, { seq, attempts }: Attempt, dueAt: string): Promise<number> {
  return tx.run`
    update emails set status = 'QUEUED', due_at = ${dueAt}, attempts = attempts - 1 where seq = ${seq} and status = 'SENDING' and attempts = ${attempts}`;
}

export function setFailed(tx: Tx, { seq, attempts }: Attempt, error: string): Promise<Change> {
  return tx.get<{ named: 0 | 1 }>`
    update emails set status = 'FAILED', due_at = null, failed_at = ${tx.now}, error = ${ifNamed(error)}
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts} returning ${CHANGE}`;
}

type Bounced = {
  readonly error: string;
  readonly type: string;
  /** As rendered, if that is not what the content has. */ readonly subject: string | null;
};

export function setBounced(tx: Tx, { seq, attempts }: Attempt, { error, type, subject }: Bounced): Promise<Change> {
  return tx.get<{ named: 0 | 1 }>`
    update emails set status = 'BOUNCED', due_at = null, bounced_at = ${tx.now}, error = ${ifNamed(error)}, bounce_type = ${type},
      subject = ${ifNamed(subject)}
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts} returning ${CHANGE}`;
}

export function deleteQueued(tx: Tx, seq: number): Promise<number> {
  return tx.run`delete from emails where seq = ${seq} and status = 'QUEUED'`;
}

export type AttemptRow = {
  readonly number: number;
  readonly at: string;
  readonly outcome: string;
  readonly reply: string;
};

export function insertAttempt(tx: Tx, email: number, attempt: Omit<AttemptRow, "at">): Promise<number> {
  return tx.run`
    insert into attempts (email, number, at, outcome, reply)
    values (${email}, ${attempt.number}, ${tx.now}, ${attempt.outcome}, ${attempt.reply}) on conflict do nothing`;
}

export function attemptsOf(reader: Reader, email: number): Promise<AttemptRow[]> {
  return reader.all<AttemptRow>`select number, at, outcome, reply from attempts where email = ${email} order by number, at`;
}
