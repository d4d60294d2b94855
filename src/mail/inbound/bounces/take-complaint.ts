// What a complaint to an address for feedback loops does: to the one mail that it proves, and to no other.
//
// - A mark that we have signed proves its mail, whoever sends the report: only somebody who got the mail has seen it. It names one
//   recipient, so nothing else has to: reports redact the address (RFC 6590).
// - An id that nobody has signed is as hard to guess, but is seen by others (replies name it). It counts if the report
//   does not fail DMARC, and the recipient that it names, if any, may be the mail's.
// - The Message-ID of a message to a group is known to the whole group, and one that a client chose may be guessed:
//   neither counts.
import { domainOf } from "../../../base/addresses.ts";
import { readToken } from "../../../audience/contacts/sign-up/links.ts";
import { findLeftMail } from "../../emails/feedback.ts";
import type { Mail } from "../../emails/queries.ts";
import { readSignedId } from "../../emails/return-path.ts";
import type { Secrets } from "../../../base/secrets.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { Complaint, ComplaintMark } from "./complaint.ts";
import { applyNotice, type NoticeOutcome } from "./take-notice.ts";

export type Proofs = {
  readonly secrets: Secrets;
  /** The mail whose pixel has this token; null = we have not signed it. */
  readonly mailOfPixel: (token: string) => string | null;
};

/** `nothing`: no mail of ours is proved. A complaint that comes twice changes nothing, and is `taken`. */
export async function takeComplaint(tx: Tx, complaint: Complaint, proofs: Proofs): Promise<NoticeOutcome> {
  const mail = await mailOf(tx, complaint, proofs);
  if (mail === null || mail === "early") return mail ?? "nothing";
  return applyNotice(tx, mail, { kind: "complaint", recipients: [] });
}

async function mailOf(reader: Reader, complaint: Complaint, proofs: Proofs): Promise<Mail | "early" | null> {
  for (const mark of complaint.marks) {
    const id = signedId(mark, proofs);
    if (id !== null) return findLeftMail(reader, id);
  }
  for (const id of complaint.isForged ? [] : complaint.ids) {
    const mail = await findLeftMail(reader, id);
    if (mail === "early" || (mail !== null && mayBeFrom(complaint.recipients, mail))) return mail;
  }
  return null;
}

function signedId({ kind, token }: ComplaintMark, { secrets, mailOfPixel }: Proofs): string | null {
  if (kind === "path") return readSignedId(secrets, token);
  return kind === "link" ? (readToken(secrets, token)?.emailId ?? null) : mailOfPixel(token);
}

/** Redacted, the domain stays. */
function mayBeFrom(recipients: readonly string[], { toAddress }: Mail): boolean {
  const domain = domainOf(toAddress).toLowerCase();
  return recipients.length === 0 || recipients.some((one) => domainOf(one).toLowerCase() === domain);
}
