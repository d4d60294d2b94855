// Mails that will not leave: cancelled by a person, withdrawn with their campaign, or of an erased person.
import type { ChangeAuthor, Caller } from "../../../tenant/access/caller.ts";
import { AppError } from "../../../base/errors.ts";
import { notifyChange } from "../../../tenant/events/notify.ts";
import type { Tx } from "../../../store/store.ts";
import * as queries from "../cancel-queries.ts";
import type { CancelledMail } from "../cancel-queries.ts";
import { deletePrivateData } from "../content/queries.ts";
import { findEmail } from "../email.ts";
import { mailChanged } from "../happened.ts";
import type { Mail, MailToSend } from "../queries.ts";

/** QUEUED → CANCELLED. @throws AppError EMAIL_NOT_FOUND, EMAIL_STATE if it is not QUEUED */
export async function cancelEmail(
  tx: Tx,
  { workspace, by }: Pick<Caller, "workspace" | "by">,
  id: string,
): Promise<void> {
  const mail = await findEmail(tx, workspace, id);
  if ((await cancelEach(tx, [mail.seq], by)) === 0) throw tooLate(await findEmail(tx, workspace, id));
  await deletePrivateData(tx, [mail.content]);
  notifyChange(tx, "mails", workspace);
}

/** QUEUED → CANCELLED, for each that is QUEUED; answers their number. */
export async function cancelEach(tx: Tx, seqs: readonly number[], by: ChangeAuthor): Promise<number> {
  return countCancelled(tx, await queries.setCancelled(tx, seqs, by));
}

/** QUEUED → CANCELLED, for up to `most` mails of a cancelled campaign; answers their number. */
export async function withdrawQueued(tx: Tx, campaign: number, most: number): Promise<number> {
  return countCancelled(tx, await queries.cancelQueuedOf(tx, campaign, most));
}

/** Mails that will never leave count at the time of their acceptance. Answers their number. */
export function countCancelled(tx: Tx, mails: readonly CancelledMail[]): number {
  for (const mail of mails) mailChanged(tx, "email.cancelled", { ...mail, countedAt: mail.createdAt });
  return mails.length;
}

function tooLate(mail: Mail): AppError {
  return new AppError("EMAIL_STATE", `The email is ${mail.status} and cannot be cancelled.`);
}

/** SENDING → deleted: its person has been erased. */
export async function discard(tx: Tx, mail: MailToSend): Promise<void> {
  if ((await queries.deleteClaimed(tx, mail)) > 0) countCancelled(tx, [mail]);
}

/** SENDING → CANCELLED: its campaign was cancelled. */
export async function withdraw(tx: Tx, mail: MailToSend): Promise<void> {
  if ((await queries.cancelClaimed(tx, mail)) > 0) countCancelled(tx, [mail]);
  notifyChange(tx, "mails", mail.workspace);
}
