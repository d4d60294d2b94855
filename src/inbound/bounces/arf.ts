// Feedback reports (RFC 5965): a recipient has marked a mail as spam.
import { fieldGroups } from "./report-fields.ts";

/** Types that a recipient causes; virus scanners, DMARC reports and "not spam" are no complaints. */
const COMPLAINTS = new Set(["abuse", "fraud", "opt-out", "opt-out-list"]);

/** Whether the text of a message/feedback-report part is a complaint. */
export function readFeedback(text: string): boolean {
  const type = fieldGroups(text)
    .find((fields) => fields.has("feedback-type"))
    ?.get("feedback-type");
  return COMPLAINTS.has((type ?? "").toLowerCase());
}
