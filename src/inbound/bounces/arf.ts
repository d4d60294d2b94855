// Feedback reports (RFC 5965): a recipient has marked a mail as spam.
import { fieldGroups } from "./report-fields.ts";

/** Types that a recipient causes; virus scanners, DMARC reports and "not spam" are no complaints. */
const COMPLAINTS = new Set(["abuse", "fraud", "opt-out", "opt-out-list"]);

const JUNK_RECIPIENT = /^x-hmxmroriginalrecipient:/im;
const JUNK_SUBJECT = /^subject: complaint about message from /im;
const WITH_A_MAIL = /^content-type: message\/rfc822/im;
const MAX_HEAD_BYTES = 64 * 1024;

/** Whether the text of a message/feedback-report part is a complaint. */
export function readFeedback(text: string): boolean {
  const type = fieldGroups(text)
    .find((fields) => fields.has("feedback-type"))
    ?.get("feedback-type");
  return COMPLAINTS.has((type ?? "").toLowerCase());
}

/**
 * Whether it is a report of Microsoft's Junk Mail Reporting Program, which is older than RFC 5965: the mail itself, with a field that
 * names the recipient, under a subject of its own.
 */
export function isJunkReport(raw: Buffer): boolean {
  const head = raw.subarray(0, MAX_HEAD_BYTES).toString("latin1");
  return JUNK_RECIPIENT.test(head) || (JUNK_SUBJECT.test(head) && WITH_A_MAIL.test(head));
}
