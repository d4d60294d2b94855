// Applying a notice to its mail: the address of the notice names that mail.
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
} from "../../emails/feedback/feedback.ts";
import { readReturnPath, type ReturnPathOptions } from "../../emails/return-path.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { DeliveryNotice } from "./notice.ts";
import { kindOf, type RecipientReport } from "./report.ts";

/** `early`: the hand-over of the mail is not recorded yet; the notice has to be taken again later. */
export type NoticeOutcome = "taken" | "early" | "nothing";

/**
 * Takes a notice (`readNotice`) to `address`, the envelope recipient. A notice to an address that we did not make,
 * about a mail that is gone, or a repeated one, changes nothing.
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

/** The addressees of the mails that these return paths name, for `readNotice`. */
export async function addresseesOf(
  reader: Reader,
  addresses: readonly string[],
  options: ReturnPathOptions,
): Promise<string[]> {
  const ids = addresses.flatMap((address) => readReturnPath(options, address) ?? []);
  const mails = await Promise.all(ids.map((id) => findLeftMail(reader, id)));
  return mails.flatMap((mail) => (mail === null || mail === "early" || mail.toAddress === "" ? [] : mail.toAddress));
}

/** The same if the mail is known already. */
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
    // The writer knows its return path, so the mail has arrived: an absence note.
    await markKnownSent(tx, mail);
    return "nothing";
  }
  return "taken";
}

/**
 * The reports on the mail to this address, if the notice names it: failures at other addresses are not the mail's own.
 */
function noticeAbout(notice: DeliveryNotice, address: string): DeliveryNotice {
  const own = notice.recipients.filter(({ recipient }) => parseAddress(recipient ?? "") === address);
  const isReport = ["bounce", "delivered", "delayed"].includes(notice.kind);
  if (!isReport || own.length === 0) return notice;
  // A mail that was delivered there, or expanded by a list, has arrived, even if its copies have failed.
  const arrived = own.filter(({ action }) => action === "delivered" || action === "expanded");
  const counted = arrived.length > 0 ? arrived : own;
  return { ...notice, kind: kindOf(counted), recipients: counted };
}

/** The reason, with its code, from which the pacing learns about a mailbox provider. */
function delayOf(recipients: readonly RecipientReport[]): string {
  const { status = null, diagnostic = "" } = recipients.find(({ action }) => action === "delayed") ?? {};
  return status === null || diagnostic.includes(status) ? diagnostic : `${status} ${diagnostic}`.trim();
}

/** The provider did not try, so nothing is known about the mailbox: no soft bounce is counted. */
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
 * A mail goes to one recipient; a report with more is about a mail that was forwarded to several, not all of whom may
 * have failed.
 */
function mildest(recipients: readonly RecipientReport[]): RecipientReport {
  const failed = recipients.filter(({ action }) => action === "failed");
  const order = ["passing", "unclear", "sender", "recipient"] as const;
  const worst = order.find((blame) => failed.some((one) => one.blame === blame));
  return failed.find(({ blame }) => blame === worst) as RecipientReport;
}
