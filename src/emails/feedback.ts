// What becomes of a mail after it has left, and the verbs that say so (interface.md "Bounce rules", interface-gaps.md §7 "Bounces").
//
//   SENT → DELIVERED → BOUNCED → COMPLAINED   only ever to the right, however often and in whatever order it is told
//   SENT → FAILED                             refused later on, for a fault that is not the recipient's
//
// Of a mail whose person was erased the state alone is kept, without the reason, which may name the address; nobody is told.
import type { Reader, Tx } from "../store/store.ts";
import {
  mailOutside,
  setComplained,
  setDelivered,
  setReturned,
  setReturnedForNow,
  setReturnedPerhaps,
  setUndelivered,
  type MailOutside,
} from "./feedback-queries.ts";
import { bounceFacts, emitAbout, isErased, MAIL_RETURNED, unsubscribeAddressee, type BounceType } from "./email.ts";
import { mailFacts, type MailFacts } from "./engagement-queries.ts";
import { insertAttempt } from "./queries.ts";

export type LeftMail = MailFacts & MailOutside;

/**
 * A mail that has left, by its public id: for whoever carries a token of ours, so of any workspace. `"early"` = it is being
 * handed over, and that will be recorded first. Null = there is none, or it has never left.
 */
export async function findLeftMail(reader: Reader, id: string): Promise<LeftMail | "early" | null> {
  const facts = await mailFacts(reader, id);
  const outside = facts && (await mailOutside(reader, facts.seq));
  if (!outside || outside.status === "RECEIVED") return null;
  const isWaiting = outside.status === "QUEUED" || outside.status === "SENDING";
  if (isWaiting) return outside.attempts > 0 ? "early" : null;
  return { ...facts, ...outside };
}

/** SENT → DELIVERED; emits email.delivery. */
export async function markDelivered(tx: Tx, mail: LeftMail): Promise<void> {
  if ((await setDelivered(tx, mail.seq)) === 0 || isErased(mail)) return;
  await emitAbout(tx, mail, "email.delivery", { deliveredAt: tx.now });
}

const RETURNS = { Permanent: setReturned, Transient: setReturnedForNow, Unexplained: setReturnedPerhaps };

/**
 * A mail that was accepted came back, and will not be tried again: SENT, DELIVERED → BOUNCED; emits email.bounce. Permanent: the
 * person it went to is unsubscribed. Transient: the contact stays as it is, as after the same refusal by the relay. Unexplained:
 * as Transient, but it may be an answer to a mail that has arrived, so what is DELIVERED stays so.
 */
export async function markReturned(tx: Tx, mail: LeftMail, reason: string, how: keyof typeof RETURNS): Promise<void> {
  const type: BounceType = how === "Permanent" ? how : "Transient";
  if (type === "Permanent") tx.signal(MAIL_RETURNED);
  const set = RETURNS[how];
  if (isErased(mail)) return void (await set(tx, mail.seq, null));
  if ((await set(tx, mail.seq, reason)) === 0) return;
  await insertAttempt(tx, mail.seq, { number: mail.attempts, outcome: "bounced", reply: reason });
  await emitAbout(tx, mail, "email.bounce", bounceFacts(tx, type));
  if (type === "Permanent") await unsubscribeAddressee(tx, mail, "bounce");
}

/** SENT → FAILED, with the reason: a server further on refused it for the sender's sake. The contact is left alone. */
export async function markUndelivered(tx: Tx, mail: LeftMail, reason: string): Promise<void> {
  if (isErased(mail)) return void (await setUndelivered(tx, mail.seq, null));
  if ((await setUndelivered(tx, mail.seq, reason)) === 0) return;
  await insertAttempt(tx, mail.seq, { number: mail.attempts, outcome: "failed", reply: reason });
}

/** → COMPLAINED, whatever it was; emits email.complaint, and unsubscribes whoever it went to. */
export async function markComplained(tx: Tx, mail: LeftMail): Promise<void> {
  tx.signal(MAIL_RETURNED);
  if ((await setComplained(tx, mail.seq)) === 0 || isErased(mail)) return;
  await emitAbout(tx, mail, "email.complaint", { complainedAt: tx.now });
  await unsubscribeAddressee(tx, mail, "complaint");
}
