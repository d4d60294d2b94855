// The record of one mail to one recipient: its states, and the verbs that move it (interface-gaps.md §2 "Email record states").
//
//   QUEUED   waits for its time, for its turn, or for another try
//   SENDING  the send loop has claimed it and holds a lease; a lease that ran out may be claimed again
//   SENT     the next hop has accepted it; what becomes of it then is in feedback.ts
//   FAILED   will not be sent: refused for a fault that is not the recipient's, or the schedule of retries is used up
//   BOUNCED  refused for the recipient's sake
//
// A mail of a campaign whose person is erased while it is in hand is settled all the same, without its person.
import { unsubscribe } from "../contacts/contact.ts";
import { AppError } from "../errors.ts";
import type { MailEvent, MailFacts as FactsOf } from "../events/catalog.ts";
import { emit } from "../events/emit.ts";
import type { Reader, Tx } from "../store/store.ts";
import { lockWorkspace } from "../workspaces/queries.ts";
import { addresseeOf } from "./feedback-queries.ts";
import type { MailFacts } from "./engagement-queries.ts";
import { deleteClaimed, setHeld, setUnsubscribed } from "./campaign-queries.ts";
import { deleteUnusedContents } from "./erasure-queries.ts";
import { messageIdOf } from "./message-id.ts";
import {
  deleteQueued,
  insertAttempt,
  mailById,
  setBounced,
  setFailed,
  setParked,
  setQueuedAgain,
  setSent,
  setUntried,
  type MailRow,
  type MailSummary,
} from "./queries.ts";

/** @throws AppError EMAIL_NOT_FOUND, also for another workspace's mail */
export async function findEmail(reader: Reader, workspace: number, id: string): Promise<MailSummary> {
  const mail = await mailById(reader, workspace, id);
  if (!mail) throw new AppError("EMAIL_NOT_FOUND", `There is no e-mail ${id}.`);
  return mail;
}

/** Takes back what has not been handed over. @throws AppError EMAIL_NOT_FOUND, EMAIL_STATE if it is not QUEUED */
export async function takeBack(tx: Tx, workspace: number, id: string): Promise<void> {
  const mail = await findEmail(tx, workspace, id);
  if ((await deleteQueued(tx, mail.seq)) === 0) throw tooLate(await findEmail(tx, workspace, id));
  await deleteUnusedContents(tx, [mail.content]);
}

function tooLate(mail: MailSummary): AppError {
  return new AppError("EMAIL_STATE", `The e-mail is ${mail.status} and cannot be taken back.`);
}

/** Whether its person was erased, or is being so: nothing more is kept of what becomes of it but its state (erasure.ts). */
export function isErased({
  to_address: to,
  contact_email: email,
}: Pick<MailRow, "to_address" | "contact_email">): boolean {
  return to === "" || (email !== null && !email.includes("@"));
}

/** Signalled when a mail has bounced for good or was complained of. */
export const MAIL_RETURNED = "mail-returned";

type Acceptance = { readonly subject: string; readonly reply: string; readonly remoteId: string | null };

/** SENDING → SENT; emits email.sent. A second settlement of the same attempt changes nothing. */
export async function markSent(tx: Tx, mail: MailRow, { subject, remoteId }: Acceptance): Promise<void> {
  const rendered = subject === mail.subject ? null : subject;
  if ((await setSent(tx, mail.seq, { subject: rendered, remoteId }))?.named !== 1) return;
  await emitAbout(tx, { ...mail, rendered_subject: rendered }, "email.sent", { sentAt: tx.now });
}

/** SENDING → QUEUED, to be tried again at `dueAt`. */
export async function putOff(tx: Tx, mail: MailRow, reply: string, dueAt: string): Promise<void> {
  if ((await setQueuedAgain(tx, mail, dueAt, reply))?.named !== 1) return;
  await insertAttempt(tx, mail.seq, { number: mail.attempts, outcome: "later", reply });
}

/** SENDING → QUEUED as if it had not been tried: the next hop could not be talked to. */
export async function handBack(tx: Tx, mail: MailRow, dueAt: string): Promise<void> {
  await setUntried(tx, mail, dueAt);
}

/** SENDING → QUEUED in a lane that waits until the workspace is enabled again; if it has been meanwhile, in its own lane. */
export async function park(tx: Tx, mail: MailRow): Promise<void> {
  // Locked, or the mail could be parked just after all others were let go.
  const workspace = await lockWorkspace(tx, mail.workspace);
  if (workspace?.disabled_at) await setParked(tx, mail);
  else await setUntried(tx, mail, tx.now);
}

/** SENDING → QUEUED in a lane that waits until the mail's campaign goes on. */
export async function hold(tx: Tx, mail: MailRow): Promise<void> {
  await setHeld(tx, mail);
}

/** SENDING → gone: it was claimed when its campaign was being cancelled. */
export async function discard(tx: Tx, mail: MailRow): Promise<void> {
  await deleteClaimed(tx, mail);
}

/** Its reader unsubscribed through the mail with this id. */
export async function noteUnsubscribed(tx: Tx, id: string): Promise<void> {
  await setUnsubscribed(tx, id);
}

/** SENDING → FAILED, with the reason. */
export async function markFailed(tx: Tx, mail: MailRow, reason: string): Promise<void> {
  if ((await setFailed(tx, mail, reason))?.named !== 1) return;
  await insertAttempt(tx, mail.seq, { number: mail.attempts, outcome: "failed", reply: reason });
}

export type BounceType = "Permanent" | "Transient";

/**
 * SENDING → BOUNCED; emits email.bounce. A permanent bounce also unsubscribes the contact (interface.md "Bounce rules"),
 * a transient one never does.
 */
export async function markBounced(
  tx: Tx,
  mail: MailRow,
  { subject, reply }: Omit<Acceptance, "remoteId">,
  type: BounceType,
): Promise<void> {
  const rendered = subject === mail.subject ? null : subject;
  if (type === "Permanent") tx.signal(MAIL_RETURNED);
  if ((await setBounced(tx, mail, { error: reply, type, subject: rendered }))?.named !== 1) return;
  await insertAttempt(tx, mail.seq, { number: mail.attempts, outcome: "bounced", reply });
  await emitAbout(tx, { ...mail, rendered_subject: rendered }, "email.bounce", bounceFacts(tx, type));
  if (type === "Permanent") await unsubscribeAddressee(tx, mail, "bounce");
}

/** Whoever the mail went to, unless the contact has another address by now. */
export async function unsubscribeAddressee(
  tx: Tx,
  { seq, workspace }: Pick<MailFacts, "seq" | "workspace">,
  reason: "bounce" | "complaint",
): Promise<void> {
  const addressee = await addresseeOf(tx, seq);
  if (addressee) await unsubscribe(tx, workspace, addressee.contact, reason);
}

/** What email.bounce tells beside the base fields (interface.md "Event data"). */
export function bounceFacts({ now }: Tx, type: BounceType): FactsOf<"email.bounce"> {
  return type === "Permanent" ? { bounceType: type, bouncedAt: now } : { bounceType: type, transientBounce: true };
}

/** An event about a mail, with the base fields that all of them carry (interface.md "Event data: base fields"). */
export async function emitAbout<Name extends MailEvent>(
  tx: Tx,
  mail: MailFacts,
  name: Name,
  facts: FactsOf<Name>,
): Promise<void> {
  const base = {
    subject: mail.rendered_subject ?? mail.subject,
    from: mail.from_address,
    fromName: mail.from_name ?? "",
    messageId: messageIdOf(mail),
    emailId: mail.id,
    templateId: mail.template_id,
    campaignId: mail.campaign_id,
    sourceType: mail.source_type,
  };
  const { workspace, contact, seq: email } = mail;
  await emit(tx, { workspace, name, contact, email, data: { ...base, ...facts } });
}
