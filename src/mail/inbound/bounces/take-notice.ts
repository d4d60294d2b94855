// What a notice does to the mail that it is about: the address to which the notice came names that mail.
import type { Mail } from "../../emails/queries.ts";
import { domainOf, parseAddress } from "../../../base/addresses.ts";
import {
  findLeftMail,
  markComplained,
  markDelivered,
  markKnownSent,
  markReturned,
  markUndelivered,
  markUnsubscribed,
  noteDelay,
  type FeedbackReason,
} from "../../emails/feedback.ts";
import { readReturnPath, type ReturnPathOptions } from "../../emails/return-path.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { DeliveryNotice } from "./notice.ts";
import { kindOf, type RecipientReport } from "./report.ts";

/** `early`: the hand-over of the mail is not recorded yet; the notice is to be taken again later. */
export type NoticeOutcome = "taken" | "early" | "nothing";

/**
 * Takes a notice (`readNotice`) that came for `address`, the envelope recipient. One for an address that we did not
 * make, or for a mail that is gone, changes nothing; nor does one that comes twice.
 */
export async function takeNotice(
  tx: Tx,
  notice: DeliveryNotice,
  address: string,
  options: ReturnPathOptions,
): Promise<NoticeOutcome> {
  const id = readReturnPath(options, address);
  const mail = id === null ? null : await findLeftMail(tx, id);
  if (mail === null) return "nothing";
  if (mail === "early") return "early";
  return applyNotice(tx, mail, notice);
}

/** Whom the mails went to that these addresses name, for `readNotice`. */
export async function addresseesOf(
  reader: Reader,
  addresses: readonly string[],
  options: ReturnPathOptions,
): Promise<string[]> {
  const ids = addresses.flatMap((address) => readReturnPath(options, address) ?? []);
  const mails = await Promise.all(ids.map((id) => findLeftMail(reader, id)));
  return mails.flatMap((mail) => (mail === null || mail === "early" || mail.toAddress === "" ? [] : mail.toAddress));
}

/** The same where the mail is known already. */
export async function applyNotice(tx: Tx, mail: Mail, notice: DeliveryNotice): Promise<NoticeOutcome> {
  const { kind, recipients, byCarrier = false, said, listed } = noticeAbout(notice, mail.toAddress);
  const told = (reason: string): FeedbackReason => ({ reason, byCarrier });
  if (kind === "complaint") await markComplained(tx, mail, said);
  else if (kind === "unsubscribed") await markUnsubscribed(tx, mail, said);
  else if (kind === "delivered") await markDelivered(tx, mail);
  else if (kind === "bounce" && listed) await takeListed(tx, mail, listed, told(mildest(recipients).diagnostic));
  else if (kind === "bounce") await takeBounce(tx, mail, mildest(recipients), told);
  else if (kind === "unexplained") await markReturned(tx, mail, told(mildest(recipients).diagnostic), "Unexplained");
  else if (kind === "delayed") {
    await noteDelay(tx, mail, told(delayOf(recipients)));
    return "nothing";
  } else {
    // Whoever writes to its return path has got it: an absence.
    await markKnownSent(tx, mail);
    return "nothing";
  }
  return "taken";
}

/** What it says of the mail that went to this address, if it names that: what others got of it is no fault of its own. */
function noticeAbout(notice: DeliveryNotice, address: string): DeliveryNotice {
  const own = notice.recipients.filter(({ recipient }) => parseAddress(recipient ?? "") === address);
  const isReport = ["bounce", "delivered", "delayed"].includes(notice.kind);
  if (!isReport || own.length === 0) return notice;
  // What was delivered there, or passed on to a list, has arrived, whatever became of those to whom it was sent on.
  const arrived = own.filter(({ action }) => action === "delivered" || action === "expanded");
  const counted = arrived.length > 0 ? arrived : own;
  return { ...notice, kind: kindOf(counted), recipients: counted };
}

/** The reason, with its code: what a mailbox provider says of our pace is told by that. */
function delayOf(recipients: readonly RecipientReport[]): string {
  const { status = null, diagnostic = "" } = recipients.find(({ action }) => action === "delayed") ?? {};
  return status === null || diagnostic.includes(status) ? diagnostic : `${status} ${diagnostic}`.trim();
}

/** It was not tried, which says nothing of the mailbox: no soft bounce that counts. */
async function takeListed(
  tx: Tx,
  mail: Mail,
  listed: NonNullable<DeliveryNotice["listed"]>,
  told: FeedbackReason,
): Promise<void> {
  await markReturned(tx, mail, told, "Unexplained");
  await (listed === "complained" ? markComplained : markUnsubscribed)(tx, mail, told.reason);
}

async function takeBounce(
  tx: Tx,
  mail: Mail,
  { recipient, blame, diagnostic }: RecipientReport,
  told: (reason: string) => FeedbackReason,
): Promise<void> {
  if (blame === "sender") return markUndelivered(tx, mail, told(diagnostic));
  const isPermanent = blame === "recipient" && isAbout(recipient, mail.toAddress);
  await markReturned(tx, mail, told(diagnostic), isPermanent ? "Permanent" : "Transient");
}

/** An alias of the addressee has the same domain; an address to which the mail was forwarded has another one. */
function isAbout(recipient: string | null, address: string): boolean {
  const named = recipient === null ? null : parseAddress(recipient);
  return named === null || domainOf(named) === domainOf(address);
}

/**
 * A mail goes to one recipient; a report with more is of a mail that was forwarded to several, not all of whom may have
 * failed.
 */
function mildest(recipients: readonly RecipientReport[]): RecipientReport {
  const failed = recipients.filter(({ action }) => action === "failed");
  const order = ["passing", "unclear", "sender", "recipient"] as const;
  const worst = order.find((blame) => failed.some((one) => one.blame === blame));
  return failed.find(({ blame }) => blame === worst) as RecipientReport;
}
