// The effect of a complaint to a feedback-loop address: on the one mail that it proves, and on no other.
//
// - A signed mark proves its mail, from any reporter: only a person who got the mail has seen it. It identifies one
//   recipient, so the report need not name one: reports redact the address (RFC 6590).
// - An unsigned id is as hard to guess, but is seen by others (replies name it). It counts if the report does not fail
//   DMARC, and the recipient that it names, if any, may be the mail's.
// - The Message-ID of a message to a group is known to the whole group, and one that a client chose may be guessed:
//   neither counts.
import { domainOf } from "../../../base/addresses.ts";
import { readToken } from "../../../content/rendering/links.ts";
import { findLeftMail } from "../../emails/feedback/feedback.ts";
import type { Mail } from "../../emails/queries.ts";
import { readSignedId } from "../../emails/return-path.ts";
import type { Secrets } from "../../../base/secrets.ts";
import type { Reader, Tx } from "../../../store/store.ts";
import type { Complaint, ComplaintMark } from "./complaint.ts";
import { applyNotice, type NoticeOutcome } from "./take-notice.ts";

export type Proofs = {
  readonly secrets: Secrets;
  /** The mail of a pixel's token; null = not signed by us. */
  readonly mailOfPixel: (token: string) => string | null;
};

/** `nothing`: no mail of ours is proved. A repeated complaint changes nothing, and is `taken`. */
export async function takeComplaint(tx: Tx, complaint: Complaint, proofs: Proofs): Promise<NoticeOutcome> {
  const { mail } = (await provenMail(tx, complaint, proofs)) ?? { mail: null };
  if (mail === null || mail === "early") return mail ?? "nothing";
  return applyNotice(tx, mail, { kind: "complaint", recipients: [] });
}

/** `mail`: as `findLeftMail` answers it. */
export type ProvenMail = { readonly id: string; readonly mail: Mail | "early" };

/** The mail that the marks in a report prove; null = none of ours. */
export async function provenMail(reader: Reader, complaint: Complaint, proofs: Proofs): Promise<ProvenMail | null> {
  for (const mark of complaint.marks) {
    const id = signedId(mark, proofs);
    if (id === null) continue;
    const mail = await findLeftMail(reader, id);
    return mail && { id, mail };
  }
  for (const id of complaint.isForged ? [] : complaint.ids) {
    const mail = await findLeftMail(reader, id);
    if (mail === "early" || (mail !== null && mayBeFrom(complaint.recipients, mail))) return { id, mail };
  }
  return null;
}

function signedId({ kind, token }: ComplaintMark, { secrets, mailOfPixel }: Proofs): string | null {
  if (kind === "path") return readSignedId(secrets, token);
  return kind === "link" ? (readToken(secrets, token)?.emailId ?? null) : mailOfPixel(token);
}

/** Redaction keeps the domain. */
function mayBeFrom(recipients: readonly string[], { toAddress }: Mail): boolean {
  const domain = domainOf(toAddress).toLowerCase();
  return recipients.length === 0 || recipients.some((one) => domainOf(one).toLowerCase() === domain);
}
