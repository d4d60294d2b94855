// An email as Resend shows it.
import { isErased } from "../../../mail/emails/email.ts";
import { messageIdOf } from "../../../mail/emails/content/message-id.ts";
import type { GroupMember } from "../../../mail/emails/past-queries.ts";
import type { ToldMail } from "../../../mail/emails/queries.ts";
import type { EmailStatus } from "../../../mail/emails/shape.ts";
import { asWritten } from "../../../content/templates/liquid/render.ts";

const LAST_EVENT: Readonly<Record<EmailStatus, string>> = {
  QUEUED: "queued",
  SENDING: "queued",
  PERHAPS_DELIVERED: "sent",
  SENT: "sent",
  DELIVERED: "delivered",
  FAILED: "failed",
  SKIPPED: "suppressed",
  CANCELLED: "canceled",
  BOUNCED: "bounced",
  COMPLAINED: "complained",
  RECEIVED: "delivered",
};

function lastEventOf({ status, clicks, opens }: ToldMail, isLater: boolean): string {
  if (isLater) return "scheduled";
  if (status !== "SENT" && status !== "DELIVERED") return LAST_EVENT[status];
  return clicks > 0 ? "clicked" : opens > 0 ? "opened" : LAST_EVENT[status];
}

/** `members`: of its group; empty = it has none. */
export function emailRecord(mail: ToldMail, members: readonly GroupMember[], nowMs: number) {
  const { id, status, dueAt, fromAddress, fromName, toAddress, replyTo, createdAt, renderedSubject, subject } = mail;
  const inRole = (role: string) => members.filter((one) => one.role === role).map(({ to }) => to);
  const isLater = status === "QUEUED" && dueAt !== null && Date.parse(dueAt) > nowMs && mail.attempts === 0;
  return {
    id,
    message_id: messageIdOf(mail),
    to: members.length === 0 ? [toAddress] : inRole("TO"),
    cc: inRole("CC"),
    bcc: inRole("BCC"),
    from: fromName ? `${fromName} <${fromAddress}>` : fromAddress,
    reply_to: replyTo === null ? [] : [replyTo],
    subject: isErased(mail) ? "" : (renderedSubject ?? asWritten(subject) ?? subject),
    created_at: createdAt,
    last_event: lastEventOf(mail, isLater),
    scheduled_at: isLater ? dueAt : null,
  };
}
