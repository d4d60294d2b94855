// The record of one mail to one recipient: its states, and the verbs that change them.
//
//   QUEUED   waits for its time, for its turn, or for a retry
//   SENDING  the send loop has claimed it and holds a lease; a lease that ran out may be claimed again
//   PERHAPS_DELIVERED  the next hop has received it and has not answered. A notice or a person settles it
//            (feedback.ts, by-hand.ts), or one of a few late repeats, for which it is claimed like a QUEUED mail.
//            It is not repeated otherwise
//   SENT     the next hop has accepted it; its further fate is in feedback.ts
//   FAILED   will not be sent: refused, and not because of the recipient, or the retry schedule is used up
//   SKIPPED  not sent, since its recipient was not subscribed any more, or was suppressed
//   CANCELLED  not sent, since it was cancelled, alone or with its campaign
//   BOUNCED  refused because of the recipient
//
// A campaign's mail whose person is erased while it is in hand is still settled, without its person.
import { HOUR_MS, iso } from "../../base/clock.ts";
import { unsubscribe } from "../../audience/contacts/contact.ts";
import { suppressReturned } from "../../audience/contacts/suppression.ts";
import { AppError } from "../../base/errors.ts";
import { notifyChange } from "../../tenant/events/notify.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { lockWorkspace } from "../../tenant/workspaces/queries.ts";
import { setHeld } from "./campaign-queries.ts";
import { deletePrivateData } from "./content/queries.ts";
import { addresseeOf, mergedAddresseeOf } from "./soft-bounces/feedback-queries.ts";
import { happenedToMail, mailChanged, type MailInEvents } from "./happened.ts";
import * as outcomes from "./queue/outcome-queries.ts";
import type { BounceType } from "./queue/outcome-queries.ts";
import { insertAttempt } from "./past-queries.ts";
import { noteSoftBounce } from "./soft-bounces/soft-bounces.ts";
import { mailById, type Mail, type MailToSend, type ToldMail } from "./queries.ts";

/** @throws AppError EMAIL_NOT_FOUND, also for another workspace's mail */
export async function findEmail(reader: Reader, workspace: number, id: string): Promise<ToldMail> {
  const mail = await mailById(reader, workspace, id);
  if (!mail) throw noEmail(id);
  return mail;
}

export function noEmail(id: string): AppError {
  return new AppError("EMAIL_NOT_FOUND", `There is no email ${id}.`);
}

/** Whether its person has been erased, or is being erased: then only its state is recorded (people/erasure.ts). */
export function isErased({ toAddress, contactEmail }: Pick<Mail, "toAddress" | "contactEmail">): boolean {
  return toAddress === "" || (contactEmail !== null && !contactEmail.includes("@"));
}

/** The duration of an attempt, and its next hop. */
type Exchange = { readonly tookMs: number | null; readonly hop: number | null };
const NONE: Exchange = { tookMs: null, hop: null };

/** The answer of an attempt. */
type HopAnswer = Exchange & { readonly subject: string; readonly reply: string };
type Acceptance = HopAnswer & { readonly remoteId: string | null };

export type SentMail = { readonly mail: MailToSend; readonly answer: Acceptance };

/** SENDING → SENT; emits email.sent. A second settlement of the same attempt changes nothing. */
export async function markEachSent(tx: Tx, sent: readonly SentMail[]): Promise<void> {
  const isNamed = await outcomes.setEachSent(
    tx,
    sent.map(({ mail, answer }) => ({ ...answer, seq: mail.seq, subject: rendered(mail, answer) })),
  );
  for (const { mail } of sent) if (isNamed.get(mail.seq)) await forgetSecret(tx, mail);
  await Promise.all(
    sent.map(({ mail, answer }) => {
      const named = isNamed.get(mail.seq);
      if (named === undefined) return undefined;
      const said = { ...mail, hop: answer.hop, renderedSubject: rendered(mail, answer), isErased: !named };
      return happenedToMail(tx, "email.sent", said, { sentAt: tx.now });
    }),
  );
}

/** Null = unchanged by rendering. */
function rendered({ subject }: MailToSend, answer: Pick<HopAnswer, "subject">): string | null {
  return answer.subject === subject ? null : answer.subject;
}

/** The text of a private mail is of no more use to us, and would let any reader of the store sign in. */
async function forgetSecret(tx: Tx, { isPrivate, content }: MailToSend): Promise<void> {
  if (isPrivate) await deletePrivateData(tx, [content]);
}

/** SENDING → QUEUED, to be retried at `dueAt`. */
export async function defer(tx: Tx, mail: MailToSend, answer: HopAnswer, dueAt: string): Promise<void> {
  const { reply, tookMs, hop } = answer;
  const failure = { error: reply, subject: rendered(mail, answer) };
  if (!(await outcomes.setQueuedAgain(tx, mail, dueAt, failure))) return;
  await insertAttempt(tx, mail.seq, { number: mail.attempts, outcome: "later", reply, tookMs, hop });
  const { attempts } = mail;
  await happenedToMail(tx, "email.deferred", mail, { reason: reply, attempts, nextAttemptAt: dueAt });
}

/** After each attempt with an unknown fate; by the same Message-ID most mail servers recognise a copy. */
const REPEAT_AFTER_MS = HOUR_MS;
const MOST_REPEATS = 2;

/**
 * SENDING → PERHAPS_DELIVERED: the next hop has received it and not answered, in this attempt or an earlier one. A
 * refused late repeat says nothing about the first copy; a repeat refused for good is the last.
 */
export async function markUnanswered(
  tx: Tx,
  mail: MailToSend,
  { outcome, ...answer }: HopAnswer & { readonly outcome: "unanswered" | "later" | "failed" | "bounced" },
): Promise<void> {
  const isLast = outcome === "failed" || outcome === "bounced";
  const repeatsLeft = mail.repeatsLeft === null ? MOST_REPEATS : isLast ? 0 : mail.repeatsLeft - 1;
  const { reply, tookMs, hop } = answer;
  const dueAt = repeatsLeft > 0 ? iso(tx.nowMs + REPEAT_AFTER_MS) : null;
  const unanswered = { error: reply, subject: rendered(mail, answer), repeatsLeft, dueAt, hop };
  if (!(await outcomes.setUnanswered(tx, mail, unanswered))) return;
  if (dueAt === null) await forgetSecret(tx, mail);
  await insertAttempt(tx, mail.seq, { number: mail.attempts, outcome, reply, tookMs, hop });
  notifyChange(tx, "mails", mail.workspace);
}

/** SENDING → PERHAPS_DELIVERED for good: a late repeat may not leave, and the fate of the first copy stays unknown. */
export async function endRepeats(tx: Tx, mail: MailToSend): Promise<void> {
  await outcomes.setUntried(tx, mail, null);
  await forgetSecret(tx, mail);
  notifyChange(tx, "mails", mail.workspace);
}

/**
 * SENDING → QUEUED without counting an attempt: the next hop could not be reached. A mail that was PERHAPS_DELIVERED
 * returns to that state. `why`: the reason on the mail's record; unless given, the previous one.
 */
export async function release(tx: Tx, mail: MailToSend, dueAt: string, why: string | null = null): Promise<void> {
  if (why === null) await outcomes.setUntried(tx, mail, dueAt);
  else if (await outcomes.setKeptWaiting(tx, mail, dueAt, why)) notifyChange(tx, "mails", mail.workspace);
}

/** SENDING → QUEUED, held until the workspace is enabled; if it is enabled already, not held. */
export async function park(tx: Tx, mail: MailToSend): Promise<void> {
  // Locked, or the mail could be parked just after all others were released.
  const workspace = await lockWorkspace(tx, mail.workspace);
  if (workspace?.disabledAt) await outcomes.setParked(tx, mail);
  else await outcomes.setUntried(tx, mail, tx.now);
}

/** SENDING → QUEUED, held until the mail's campaign is resumed. */
export async function hold(tx: Tx, mail: MailToSend): Promise<void> {
  await setHeld(tx, mail);
  notifyChange(tx, "mails", mail.workspace);
}

/** SENDING → SKIPPED: its recipient may not get it any more. `why`: for people, without the address. */
export async function skip(tx: Tx, mail: MailToSend, why: string): Promise<void> {
  if ((await outcomes.setSkipped(tx, mail, why)) > 0) mailChanged(tx, "email.skipped", mail);
}

/** SENDING → FAILED, with the reason. `tookMs` null = no attempt was made; `subject`: as rendered for the attempt. */
export async function markFailed(
  tx: Tx,
  mail: MailToSend,
  reason: string,
  { tookMs, hop, subject }: Exchange & Partial<Pick<HopAnswer, "subject">> = NONE,
): Promise<void> {
  const failure = { error: reason, subject: subject === undefined ? null : rendered(mail, { subject }) };
  const settled = await outcomes.setFailed(tx, mail, failure);
  if (!settled) return;
  if (settled.isNamed) {
    await forgetSecret(tx, mail);
    await insertAttempt(tx, mail.seq, { number: mail.attempts, outcome: "failed", reply: reason, tookMs, hop });
  }
  const said = { ...mail, hop, isErased: !settled.isNamed };
  await happenedToMail(tx, "email.failed", said, { reason, attempts: mail.attempts });
}

/** SENDING → BOUNCED; emits email.bounce. A hard bounce also unsubscribes the contact, a soft one never does. */
export async function markBounced(
  tx: Tx,
  mail: MailToSend,
  { subject, reply, tookMs, hop }: HopAnswer,
  type: BounceType,
): Promise<void> {
  const rendered = subject === mail.subject ? null : subject;
  const settled = await outcomes.setBounced(tx, mail, { error: reply, type, subject: rendered });
  if (!settled) return;
  const said = { ...mail, hop, renderedSubject: rendered, isErased: !settled.isNamed };
  if (said.isErased) return bounced(tx, said, type);
  await forgetSecret(tx, mail);
  await insertAttempt(tx, mail.seq, { number: mail.attempts, outcome: "bounced", reply, tookMs, hop });
  await bounced(tx, said, type);
  if (type === "Permanent") await unsubscribeAddressee(tx, mail, "bounce");
  else await noteSoftBounce(tx, mail);
}

export function bounced(tx: Tx, mail: MailInEvents, type: BounceType): Promise<void> {
  return type === "Permanent"
    ? happenedToMail(tx, "email.hard-bounce", mail, { bounceType: type, bouncedAt: tx.now })
    : happenedToMail(tx, "email.soft-bounce", mail, SOFT);
}

export const SOFT = { bounceType: "Transient", transientBounce: true } as const;

/** Unless the contact has changed its address. `said`: by the provider that carries our mail. */
export async function unsubscribeAddressee(
  tx: Tx,
  { seq, id: email, workspace }: Pick<Mail, "seq" | "id" | "workspace">,
  reason: "bounce" | "complaint",
  said?: string,
): Promise<void> {
  const addressee = await addresseeOf(tx, seq);
  const act = { door: reason, evidence: { email, said } };
  if (addressee) return unsubscribe(tx, workspace, addressee, { reason, ...act });
  const merged = await mergedAddresseeOf(tx, seq);
  if (!merged) return;
  // Undoing the merge finds the suppression. A complaint is by the same person, whichever address the mail went to.
  await suppressReturned(tx, workspace, merged.former, { reason, ...act });
  if (reason === "complaint") await unsubscribe(tx, workspace, merged, act);
}
