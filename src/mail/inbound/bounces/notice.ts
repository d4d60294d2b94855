// The notice in a mail to one of our return paths, about the mail with that return path: bounce, delivery, delay,
// complaint. Knows no store.
import type { ParsedMail } from "mailparser";
import { textOfBytes } from "../../../content/mime/charset.ts";
import { isJunkReport, readDeliveryStatus, readFeedback } from "./dsn.ts";
import { isAutoReply, parsed } from "../reading/parsed.ts";
import { readFreeForm } from "./free-form.ts";
import { kindOf, type NoticeEnvelope, type RecipientReport } from "./report.ts";
import { reportText } from "./report-text.ts";

export type DeliveryNotice = {
  /**
   * - `unexplained`: a bounce, or a reply to a mail that has arrived; only Amazon SES does not distinguish them
   * - `unsubscribed`: the person has unsubscribed at the provider that carries our mail
   */
  readonly kind:
    ("bounce" | "unexplained" | "delivered" | "delayed" | "complaint" | "unsubscribed") | ("autoreply" | "unknown");
  readonly recipients: readonly RecipientReport[];
  /** For a bounce: the provider did not try, as the person is on its list for this reason. */
  readonly listed?: "unsubscribed" | "complained";
  /** The provider's words about an unsubscription or a complaint. */
  readonly said?: string;
  /**
   * The notice provably comes from the server that took the mail (from-carrier.ts), or from a provider by its own
   * proof.
   */
  readonly byCarrier?: true;
};

const NOTHING_KNOWN: NoticeEnvelope = { addressees: [], sender: null };

const FEEDBACK_TYPE = /^feedback-type:/im;

/** Reports come first and the returned mail last: a larger notice loses the end of that mail. */
const MAX_NOTICE_BYTES = 512 * 1024;

/**
 * Reads an incoming mail: RFC 3464 delivery reports, RFC 5965 feedback reports, and the free forms of servers that
 * write neither. Mail written by a person, a vacation program or a mail program (a receipt, RFC 8098) is `autoreply` or
 * `unknown`. Never throws.
 */
export async function readNotice(raw: Uint8Array, envelope = NOTHING_KNOWN): Promise<DeliveryNotice> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, MAX_NOTICE_BYTES));
  // A declared report type has precedence over the look of the mail.
  if (!FEEDBACK_TYPE.test(bytes.toString("latin1")) && isJunkReport(bytes))
    return { kind: "complaint", recipients: [] };
  try {
    return noticeOf(await parsed(bytes, { keepDeliveryStatus: true }), envelope);
  } catch {
    return { kind: "unknown", recipients: [] };
  }
}

function noticeOf(mail: ParsedMail, envelope: NoticeEnvelope): DeliveryNotice {
  const feedback = partOf(mail, /^message\/feedback-report$/);
  if (feedback !== null) return { kind: readFeedback(feedback) ? "complaint" : "unknown", recipients: [] };
  const text = reportText(mail);
  const status = partOf(mail, /^message\/(global-)?delivery-status$/) ?? text.fields;
  const recipients = readDeliveryStatus(status, text.lines);
  if (recipients.length > 0) return { kind: kindOf(recipients), recipients };
  if (partOf(mail, /^message\/disposition-notification$/) !== null) return { kind: "autoreply", recipients: [] };
  const freeForm = readFreeForm(mail, text, envelope);
  if (freeForm) return { kind: kindOf([freeForm]), recipients: [freeForm] };
  return { kind: isAutoReply(mail) ? "autoreply" : "unknown", recipients: [] };
}

/** Its fields are ASCII; server replies in it may have any charset, and no charset is declared. */
function partOf({ attachments }: ParsedMail, type: RegExp): string | null {
  const bytes = attachments.find(({ contentType }) => type.test(contentType))?.content;
  return bytes === undefined ? null : textOfBytes(bytes, null);
}
