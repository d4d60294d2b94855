// The fate of a mail after it has left, and the verbs that record it: delivery, bounces, complaints.
//
//   SENT → DELIVERED → BOUNCED → COMPLAINED   only to the right, however often and in whatever order notices come
//   SENT → FAILED                             refused by a later server, and not because of the recipient
//   PERHAPS_DELIVERED → SENT                  first of all, as a notice about a mail proves that it was accepted
//
// A mail of an erased person keeps only its state, without the reason, which may name the address; no event is emitted.
import { unsubscribe } from "../../../audience/contacts/contact.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import { noteUnsubscribed } from "./departures.ts";
import { bounced, isErased, SOFT, unsubscribeAddressee } from "../email.ts";
import { happenedToMail, mailChanged } from "../happened.ts";
import * as queries from "../soft-bounces/feedback-queries.ts";
import { insertAttempt, insertDelay } from "../past-queries.ts";
import { mailOfAnyWorkspace, type Mail } from "../queries.ts";
import { noteSoftBounce } from "../soft-bounces/soft-bounces.ts";
import type { BounceType } from "../queue/outcome-queries.ts";
import type { EmailStatus } from "../shape.ts";

function withErased(mail: Mail) {
  return { ...mail, isErased: isErased(mail) };
}

const NEVER_LEAVE: readonly EmailStatus[] = ["RECEIVED", "SKIPPED", "CANCELLED"];

/**
 * A mail that has left, by its public id: for signed tokens, so of any workspace. `"early"` = its hand-over is not
 * recorded yet. Null = no such mail, or it has never left.
 */
export async function findLeftMail(reader: Reader, id: string): Promise<Mail | "early" | null> {
  const mail = await mailOfAnyWorkspace(reader, id);
  if (!mail || NEVER_LEAVE.includes(mail.status)) return null;
  const isWaiting = mail.status === "QUEUED" || mail.status === "SENDING";
  if (isWaiting) return mail.attempts > 0 ? "early" : null;
  return mail;
}

/** PERHAPS_DELIVERED → SENT; emits email.sent. Pending late repeats are cancelled. */
export async function markKnownSent(tx: Tx, mail: Mail): Promise<void> {
  if (mail.status !== "PERHAPS_DELIVERED" || (await queries.setKnownSent(tx, mail.seq)) === 0) return;
  await happenedToMail(tx, "email.sent", withErased(mail), { sentAt: tx.now });
}

/** SENT → DELIVERED; emits email.delivery. */
export async function markDelivered(tx: Tx, mail: Mail): Promise<void> {
  await markKnownSent(tx, mail);
  if ((await queries.setDelivered(tx, mail.seq)) === 0) return;
  await happenedToMail(tx, "email.delivery", withErased(mail), { deliveredAt: tx.now });
}

/** A report on a mail after it had left. */
export type FeedbackReason = {
  readonly reason: string;
  /**
   * The report comes from the server that took the mail; else it may come from anyone who has got the mail or seen its
   * return path.
   */
  readonly byCarrier: boolean;
};

function toldOf(mail: Mail, { reason, byCarrier }: FeedbackReason) {
  return { number: mail.attempts, reply: reason, tookMs: null, hop: byCarrier ? mail.hop : null };
}

const RETURNS = {
  Permanent: queries.setReturned,
  Transient: queries.setReturnedForNow,
  Unexplained: queries.setReturnedUnlessDelivered,
};

/**
 * An accepted mail came back and is not retried: SENT, DELIVERED → BOUNCED; emits email.bounce. Permanent: the contact
 * is unsubscribed. Transient: the contact stays unchanged. Unexplained: as Transient, but it may be a reply to a mail
 * that has arrived, so a DELIVERED mail stays so and does not count as a bounce.
 */
export async function markReturned(tx: Tx, mail: Mail, told: FeedbackReason, how: keyof typeof RETURNS): Promise<void> {
  const type: BounceType = how === "Permanent" ? how : "Transient";
  await markKnownSent(tx, mail);
  const isBounced = (await RETURNS[how](tx, mail.seq, isErased(mail) ? null : told.reason)) > 0;
  if (!isBounced && (how !== "Unexplained" || (await queries.noteReturnOfDelivered(tx, mail.seq)) === 0)) return;
  const said = withErased(mail);
  if (!said.isErased) {
    mailChanged(tx, "email.returned", mail);
    await insertAttempt(tx, mail.seq, { ...toldOf(mail, told), outcome: "bounced" });
  }
  await (isBounced ? bounced(tx, said, type) : happenedToMail(tx, "email.bounce", said, SOFT));
  if (said.isErased) return;
  if (type === "Permanent") await unsubscribeAddressee(tx, mail, "bounce");
  else if (how === "Transient") await noteSoftBounce(tx, mail);
}

/** SENT → FAILED, with the reason: a later server refused it because of the sender. The contact stays unchanged. */
export async function markUndelivered(tx: Tx, mail: Mail, told: FeedbackReason): Promise<void> {
  await markKnownSent(tx, mail);
  if ((await queries.setUndelivered(tx, mail.seq, isErased(mail) ? null : told.reason)) === 0) return;
  mailChanged(tx, "email.undelivered", withErased(mail));
  if (isErased(mail)) return;
  await insertAttempt(tx, mail.seq, { ...toldOf(mail, told), outcome: "failed" });
}

/** A later server has deferred it, and the relay retries. It stays SENT; recorded once. */
export async function noteDelay(tx: Tx, mail: Mail, told: FeedbackReason): Promise<void> {
  await markKnownSent(tx, mail);
  if (told.reason === "" || isErased(mail) || !(await insertDelay(tx, mail.seq, toldOf(mail, told)))) return;
  notifyChange(tx, "mails", mail.workspace);
}

/** → COMPLAINED from any state; emits email.complaint, and unsubscribes the contact. `said`: by the provider. */
export async function markComplained(tx: Tx, mail: Mail, said?: string): Promise<void> {
  await markKnownSent(tx, mail);
  if ((await queries.setComplained(tx, mail.seq)) === 0) return;
  await happenedToMail(tx, "email.complaint", withErased(mail), { complainedAt: tx.now });
  if (!isErased(mail)) await unsubscribeAddressee(tx, mail, "complaint", said);
}

/** Its reader has unsubscribed at the provider that carries our mail. The mail's state stays unchanged. */
export async function markUnsubscribed(tx: Tx, mail: Mail, said?: string): Promise<void> {
  await markKnownSent(tx, mail);
  const reader = isErased(mail) ? null : await queries.readerOf(tx, mail.seq);
  if (!reader) return;
  await unsubscribe(tx, mail.workspace, reader, { door: "provider", evidence: { email: mail.id, said } });
  if (reader.subscribed) await noteUnsubscribed(tx, mail.id);
}
