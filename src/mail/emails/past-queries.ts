// The SQL of a mail's timeline: attempts, and the facts of its own row. Events and visits have their own.
import { jsonOrNull } from "../../store/columns.ts";
import type { ChangeAuthor } from "../../tenant/access/caller.ts";
import type { Reader, Tx } from "../../store/store.ts";
import type { memberShape, RecipientRole } from "./shape.ts";

export type PastAttempt = {
  readonly number: number;
  readonly at: string;
  readonly outcome: string;
  readonly reply: string;
  /** Null = not a hand-over. */
  readonly tookMs: number | null;
  /** The mail server of the attempt, or of the later report; null = none. */
  readonly host: string | null;
};

type NewAttempt = Omit<PastAttempt, "at" | "host"> & { readonly hop: number | null };

export function insertAttempt(tx: Tx, email: number, attempt: NewAttempt): Promise<number> {
  return tx.run`
    insert into email_attempts (email, number, at, outcome, reply, took_ms, hop)
    values (${email}, ${attempt.number}, ${tx.now}, ${attempt.outcome}, ${attempt.reply}, ${attempt.tookMs}, ${attempt.hop})
    on conflict do nothing`;
}

/** The mailbox provider for whose pace it waits, or has waited; null = none. */
export async function pacedBy(reader: Reader, email: number): Promise<string | null> {
  const row = await reader.get<{ mailbox: string }>`
    select s.mailbox from emails e join backlogs s on s.seq = e.backlog where e.seq = ${email}`;
  return row?.mailbox ?? null;
}

/**
 * A deferral by a later server; only the first one counts, and the first one that the carrier of the mail reports.
 * Answers whether it was the first.
 */
export async function insertDelay(
  tx: Tx,
  email: number,
  { number, reply, hop }: Pick<NewAttempt, "number" | "reply" | "hop">,
): Promise<boolean> {
  const added = await tx.run`
    insert into email_attempts (email, number, at, outcome, reply, hop)
    select e.seq, cast(${number} as smallint), ${tx.now}, 'delayed', cast(${reply} as text), cast(${hop} as bigint)
    from emails e
    where e.seq = ${email} and e.status = 'SENT' and not exists (
      select 1 from email_attempts a where a.email = e.seq and a.outcome = 'delayed'
        and (a.hop is not null or cast(${hop} as bigint) is null))
    on conflict do nothing`;
  return added > 0;
}

export function attemptsOf(reader: Reader, email: number): Promise<PastAttempt[]> {
  return reader.all<PastAttempt>`
    select a.number, a.at, a.outcome, a.reply, a.took_ms as "tookMs", h.name as host
    from email_attempts a left join hops h on h.seq = a.hop where a.email = ${email} order by a.number, a.at`;
}

/** The facts about a mail's past in its own row and its content. */
export type MailPast = {
  readonly requestId: string | null;
  /** The maker of the request; null = this server. */
  readonly by: ChangeAuthor | null;
  /** The reply of the next hop that accepted it. */
  readonly reply: string | null;
  readonly tookMs: number | null;
  readonly host: string | null;
  readonly unsubscribedAt: string | null;
  readonly leftTopicAt: string | null;
  readonly topic: string | null;
};

export async function recordedOf(reader: Reader, seq: number): Promise<MailPast | null> {
  const row = await reader.get<Omit<MailPast, "by"> & { readonly by: string | null }>`
    select c.request_id as "requestId", c.accepted_by as "by", e.reply, e.took_ms as "tookMs", h.name as host,
      e.unsubscribed_at as "unsubscribedAt", e.left_topic_at as "leftTopicAt", c.topic
    from emails e join contents c on c.seq = e.content left join hops h on h.seq = e.hop where e.seq = ${seq}`;
  return row && { ...row, by: jsonOrNull<ChangeAuthor>(row.by) };
}

export type GroupMember = typeof memberShape.static;

const IN_ORDER: readonly RecipientRole[] = ["TO", "CC", "BCC"];

/** The mails of a group: to, cc, bcc, without repeats. */
export async function membersOf(reader: Reader, content: number): Promise<GroupMember[]> {
  const members = await reader.all<GroupMember>`
    select id, role, to_address as "to", to_name as "toName", status from emails
    where content = ${content} and resent_from is null and role is not null order by seq`;
  return IN_ORDER.flatMap((role) => members.filter((one) => one.role === role));
}

export type MailRepeat = { readonly id: string; readonly createdAt: string };

/** The mails that repeat this one, oldest first. */
export function repeatsOf(reader: Reader, seq: number): Promise<MailRepeat[]> {
  return reader.all<MailRepeat>`
    select id, created_at as "createdAt" from emails where resent_from = ${seq} order by seq limit 100`;
}
