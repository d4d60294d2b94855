// The SQL of the outcomes of mails: each change of state is guarded by the state before, and by its attempt.
import { flag } from "../../../store/columns.ts";
import { changing } from "../../../store/row-statement.ts";
import { sql } from "../../../store/sql.ts";
import type { Tx } from "../../../store/store.ts";
import { HELD, IN_ANY_LANE, IN_TURN } from "./holds.ts";
import { NO_HOP, type MailAttempt } from "./queue-queries.ts";

export type BounceType = "Permanent" | "Transient";

/** 0 = the person has been erased, so only its state is recorded about the mail. */
type ErasureFlagRow = { readonly named: 0 | 1 };
/** Null = the mail was no longer in hand. */
type OutcomeChange = { readonly isNamed: boolean } | null;
const NAMED = sql`case when to_address = '' then 0 else 1 end as named`;
/** The value, unless the person was erased. */
const ifNamed = (value: string | null) => sql`case when to_address = '' then null else cast(${value} as text) end`;
/** The known subject, unless there is a new one. */
const renderedSubject = (subject: string | null) =>
  sql`case when to_address = '' then null else coalesce(cast(${subject} as text), subject) end`;

/** Whether the mail was still in hand, and its person has not been erased: then events are emitted. */
async function isToTell(change: Promise<ErasureFlagRow | null>): Promise<boolean> {
  return flag((await change)?.named ?? 0);
}

async function settled(change: Promise<ErasureFlagRow | null>): Promise<OutcomeChange> {
  const row = await change;
  return row && { isNamed: flag(row.named) };
}

/** `subject`: as rendered, if that differs from the content's. */
type AcceptanceOutcome = { readonly seq: number; readonly reply: string } & Readonly<
  Record<"subject" | "remoteId", string | null> & Record<"tookMs" | "hop", number | null>
>;

/** The longest part of the next hop's reply to an accepted mail that is stored. */
const MAX_REPLY_CHARS = 300;

const SENT = changing(
  "emails",
  { seq: "bigint", subject: "text", remote: "text", reply: "text", took: "bigint", hop: "bigint", now: "text" },
  ({ seq, subject, remote, reply, took, hop, now }) => ({
    set: `status = 'SENT', due_at = null, sent_at = ${now}, remote_id = ${remote}, error = null, took_ms = ${took}, hop = ${hop},
      subject = case when to_address = '' then null else ${subject} end, reply = case when to_address = '' then null else ${reply} end`,
    where: `emails.seq = ${seq} and status = 'SENDING'`,
    returning: "emails.seq, case when to_address = '' then 0 else 1 end as named",
  }),
);

/** Answers the mails that were still in hand, and whether their people are named. */
export async function setEachSent(tx: Tx, sent: readonly AcceptanceOutcome[]): Promise<ReadonlyMap<number, boolean>> {
  const rows = sent
    .toSorted((one, other) => one.seq - other.seq)
    .map(({ seq, subject, remoteId, reply, tookMs, hop }) => [
      seq,
      subject,
      remoteId,
      reply.slice(0, MAX_REPLY_CHARS).toWellFormed(),
      tookMs,
      hop,
      tx.now,
    ]);
  const changed = await tx.runEach<ErasureFlagRow & { readonly seq: number }>(SENT, rows);
  return new Map(changed.map(({ seq, named }) => [seq, flag(named)]));
}

/** `subject`: as rendered, if that differs from the content's. */
type FailureOutcome = { readonly error: string; readonly subject: string | null };

export function setQueuedAgain(
  tx: Tx,
  { seq, attempts }: MailAttempt,
  dueAt: string,
  { error, subject }: FailureOutcome,
): Promise<boolean> {
  return isToTell(tx.get<ErasureFlagRow>`
    update emails set status = 'QUEUED', due_at = ${dueAt}, error = ${ifNamed(error)}, subject = ${renderedSubject(subject)},
      ${NO_HOP}
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts} returning ${NAMED}`);
}

/** Restores the state before the attempt. */
export function setUntried(tx: Tx, { seq, attempts }: MailAttempt, dueAt: string | null): Promise<number> {
  return tx.run`
    update emails set status = case when repeats_left is null then 'QUEUED' else 'PERHAPS_DELIVERED' end, due_at = ${dueAt},
      attempts = attempts - 1, ${NO_HOP}
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts}`;
}

/** The same, with the reason for the wait. */
export function setKeptWaiting(tx: Tx, { seq, attempts }: MailAttempt, dueAt: string, error: string): Promise<boolean> {
  return isToTell(tx.get<ErasureFlagRow>`
    update emails set status = case when repeats_left is null then 'QUEUED' else 'PERHAPS_DELIVERED' end, due_at = ${dueAt},
      attempts = attempts - 1, error = ${ifNamed(error)}, ${NO_HOP}
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts} returning ${NAMED}`);
}

/**
 * Makes mails of a sender domain due that wait for a way that takes it (`why` begins their reason); answers their
 * number.
 */
export function letWaitingGo(tx: Tx, domain: string, why: string, most: number): Promise<number> {
  return tx.run`
    update emails set due_at = ${tx.now} where seq in (
      select e.seq from emails e where ${IN_ANY_LANE} and ${IN_TURN} and e.due_at > ${tx.now} and e.status = 'QUEUED'
        and e.error like ${`${why}%`}
        and e.content in (select c.seq from contents c join domains d on d.seq = c.domain where d.domain = ${domain})
      limit ${most}${tx.dialect.forUpdate})`;
}

type UnansweredOutcome = {
  readonly error: string;
  readonly subject: string | null;
  readonly repeatsLeft: number;
  readonly dueAt: string | null;
  /** The next hop that may have it. */
  readonly hop: number | null;
};

export function setUnanswered(tx: Tx, { seq, attempts }: MailAttempt, unanswered: UnansweredOutcome): Promise<boolean> {
  const { error, subject, repeatsLeft, dueAt, hop } = unanswered;
  return isToTell(tx.get<ErasureFlagRow>`
    update emails set status = 'PERHAPS_DELIVERED', due_at = ${dueAt}, repeats_left = ${repeatsLeft}, error = ${ifNamed(error)},
      subject = ${ifNamed(subject)}, hop = coalesce(${hop}, hop)
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts} returning ${NAMED}`);
}

export function setFailed(
  tx: Tx,
  { seq, attempts }: MailAttempt,
  { error, subject }: FailureOutcome,
): Promise<OutcomeChange> {
  return settled(tx.get<ErasureFlagRow>`
    update emails set status = 'FAILED', due_at = null, failed_at = ${tx.now}, error = ${ifNamed(error)},
      subject = ${renderedSubject(subject)}, hop = null
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts} returning ${NAMED}`);
}

type BounceOutcome = { readonly error: string; readonly type: BounceType; readonly subject: string | null };

export function setBounced(
  tx: Tx,
  { seq, attempts }: MailAttempt,
  { error, type, subject }: BounceOutcome,
): Promise<OutcomeChange> {
  return settled(tx.get<ErasureFlagRow>`
    update emails set status = 'BOUNCED', due_at = null, bounced_at = ${tx.now}, error = ${ifNamed(error)}, bounce_type = ${type},
      subject = ${ifNamed(subject)}, hop = null
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts} returning ${NAMED}`);
}

/** Does not count the attempt of the claimed mail. */
export function setSkipped(tx: Tx, { seq, attempts }: MailAttempt, why: string): Promise<number> {
  return tx.run`
    update emails set status = 'SKIPPED', due_at = null, skipped_at = ${tx.now}, error = ${why}, attempts = attempts - 1, hop = null
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts}`;
}

/** For a mail that was claimed before its workspace was disabled. */
export function setParked(tx: Tx, { seq, attempts }: MailAttempt): Promise<number> {
  return tx.run`
    update emails set status = 'QUEUED', due_at = ${tx.now}, attempts = attempts - 1, ${HELD.workspace}, ${NO_HOP}
    where seq = ${seq} and status = 'SENDING' and attempts = ${attempts} and ${IN_TURN}`;
}
