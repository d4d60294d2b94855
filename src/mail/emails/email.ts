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
import { domainOf } from "../../base/addresses.ts";
import { HOUR_MS, iso } from "../../base/clock.ts";
import { unsubscribe } from "../../audience/contacts/contact.ts";
import { suppressReturned } from "../../audience/contacts/suppression.ts";
import { AppError } from "../../base/errors.ts";
import type { MailEvent, MailFacts } from "../../tenant/events/catalog.ts";
import { emit, emitAll, type NewEvent } from "../../tenant/events/emit.ts";
import { tellEndpoints } from "../../tenant/events/notices.ts";
import { toldLabels } from "../../base/labels.ts";
import { notifyChange } from "../../tenant/events/notify.ts";
import { countMail } from "../statistics/counting.ts";
import type { Reader, Tx } from "../../store/store.ts";
import { lockWorkspace } from "../../tenant/workspaces/queries.ts";
import { setHeld } from "./campaign-queries.ts";
import { deletePrivateData } from "./content/queries.ts";
import { addresseeOf, mergedAddresseeOf } from "./soft-bounces/feedback-queries.ts";
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

/** Signalled when a mail has hard-bounced or was complained about. */
export const MAIL_RETURNED = "mail-returned";

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
  for (const { mail, answer } of sent) if (isNamed.has(mail.seq)) countMail(tx, "sent", { ...mail, hop: answer.hop });
  const told = sent.filter(({ mail }) => isNamed.get(mail.seq));
  for (const { mail } of told) await forgetSecret(tx, mail);
  await emitAll(
    tx,
    told.map(({ mail, answer }) =>
      eventAbout({ ...mail, renderedSubject: rendered(mail, answer) }, "email.sent", { sentAt: tx.now }),
    ),
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
  const facts = { ...noticeFacts(mail), reason: reply, attempts, nextAttemptAt: dueAt };
  if (!mail.isPrivate) await tellEndpoints(tx, mail, "email.deferred", facts);
  notifyChange(tx, "mails", mail.workspace);
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
  if ((await outcomes.setSkipped(tx, mail, why)) > 0) countMail(tx, "skipped", mail);
  notifyChange(tx, "mails", mail.workspace);
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
  if (settled) countMail(tx, "failed", { ...mail, hop });
  if (!settled?.isNamed) return;
  await forgetSecret(tx, mail);
  await insertAttempt(tx, mail.seq, { number: mail.attempts, outcome: "failed", reply: reason, tookMs, hop });
  const facts = { ...noticeFacts(mail), reason, attempts: mail.attempts };
  if (!mail.isPrivate) await tellEndpoints(tx, mail, "email.failed", facts);
  notifyChange(tx, "mails", mail.workspace);
}

function noticeFacts(mail: MailToSend) {
  const { id: emailId, toAddress: to, fromAddress: from, templateId, campaignId, sourceType } = mail;
  const subject = mail.renderedSubject ?? mail.subject;
  const message = { fromName: mail.fromName ?? "", messageId: messageIdOf(mail) };
  return { emailId, to, subject, from, ...message, templateId, campaignId, sourceType, ...toldLabels(mail) };
}

/** SENDING → BOUNCED; emits email.bounce. A hard bounce also unsubscribes the contact, a soft one never does. */
export async function markBounced(
  tx: Tx,
  mail: MailToSend,
  { subject, reply, tookMs, hop }: HopAnswer,
  type: BounceType,
): Promise<void> {
  const rendered = subject === mail.subject ? null : subject;
  if (type === "Permanent") tx.signal(MAIL_RETURNED);
  const settled = await outcomes.setBounced(tx, mail, { error: reply, type, subject: rendered });
  if (settled) countMail(tx, bounceOf(type), { ...mail, hop });
  if (!settled?.isNamed) return;
  await forgetSecret(tx, mail);
  await insertAttempt(tx, mail.seq, { number: mail.attempts, outcome: "bounced", reply, tookMs, hop });
  await emitAbout(tx, { ...mail, renderedSubject: rendered }, "email.bounce", bounceFacts(tx, type));
  if (type === "Permanent") await unsubscribeAddressee(tx, mail, "bounce");
  else await noteSoftBounce(tx, mail);
}

export function bounceOf(type: BounceType) {
  return type === "Permanent" ? "hard_bounced" : "soft_bounced";
}

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

export function bounceFacts({ now }: Tx, type: BounceType): MailFacts<"email.bounce"> {
  return type === "Permanent" ? { bounceType: type, bouncedAt: now } : { bounceType: type, transientBounce: true };
}

export async function emitAbout<Name extends MailEvent>(
  tx: Tx,
  mail: Mail,
  name: Name,
  facts: MailFacts<Name>,
): Promise<void> {
  await emit(tx, eventAbout(mail, name, facts));
}

/** The fields of a mail in events. */
export type MailInEvents = Pick<
  Mail,
  | "seq"
  | "id"
  | "workspace"
  | "contact"
  | "templateId"
  | "campaignId"
  | "sourceType"
  | "subject"
  | "renderedSubject"
  | "fromAddress"
  | "fromName"
  | "messageId"
  | "group"
  | "tags"
  | "metadata"
>;

/** Adds the base fields of all events about a mail. */
export function eventAbout<Name extends MailEvent>(mail: MailInEvents, name: Name, facts: MailFacts<Name>): NewEvent {
  const { id: emailId, templateId, campaignId, sourceType } = mail;
  const base = {
    subject: mail.renderedSubject ?? mail.subject,
    from: mail.fromAddress,
    fromName: mail.fromName ?? "",
    messageId: messageIdOf(mail),
    emailId,
    templateId,
    campaignId,
    sourceType,
    ...toldLabels(mail),
  };
  const { workspace, contact, seq: email } = mail;
  return { workspace, name, contact, email, data: { ...base, ...facts } };
}

/** `<email id@sender domain>` (RFC 5322 §3.6.4). */
export function messageIdFor(id: string, senderAddress: string): string {
  return `<${id}@${domainOf(senderAddress)}>`;
}

/** The message's own, or else ours, which a group shares. */
export function messageIdOf({
  id,
  group,
  fromAddress,
  messageId,
}: Pick<Mail, "id" | "group" | "fromAddress" | "messageId">): string {
  return messageId ?? messageIdFor(group ?? id, fromAddress);
}
