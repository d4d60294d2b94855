// An email as Postmark shows it.
import { isErased } from "../../../mail/emails/email.ts";
import type { GroupMember } from "../../../mail/emails/past-queries.ts";
import type { ToldMail } from "../../../mail/emails/queries.ts";
import type { EmailStatus } from "../../../mail/emails/shape.ts";
import { labelsIn } from "../../../base/labels.ts";
import { asWritten } from "../../../content/templates/liquid/render.ts";
import { numberOf } from "../../webhooks/formats/postmark.ts";

const STATUS: Partial<Readonly<Record<EmailStatus, string>>> = { QUEUED: "Queued", SENDING: "Queued" };

/** `members`: of its group; empty = it has none. */
export function messageRecord(mail: ToldMail, members: readonly GroupMember[]) {
  const { id, status, fromAddress, fromName, toAddress, toName, createdAt } = mail;
  const inRole = (role: string) =>
    members.filter((one) => one.role === role).map((one) => ({ Email: one.to, Name: one.toName }));
  const { tags, metadata } = labelsIn(mail);
  return {
    MessageID: id,
    Status: STATUS[status] ?? "Sent",
    To: members.length === 0 ? [{ Email: toAddress, Name: toName }] : inRole("TO"),
    Cc: inRole("CC"),
    Bcc: inRole("BCC"),
    Recipients: members.length === 0 ? [toAddress] : members.map(({ to }) => to),
    From: fromName ? `${fromName} <${fromAddress}>` : fromAddress,
    Subject: subjectOf(mail),
    ReceivedAt: createdAt,
    Tag: tags[0] ?? null,
    Metadata: metadata,
    MessageStream: "outbound",
  };
}

/** `isInactive`: its address gets no email since. */
export function bounceRecord(mail: ToldMail, isInactive: boolean) {
  const isHard = mail.bounceType === "Permanent";
  return {
    ID: numberOf(mail.id),
    MessageID: mail.id,
    Type: isHard ? "HardBounce" : "SoftBounce",
    TypeCode: isHard ? 1 : 4_096,
    Email: mail.toAddress,
    From: mail.fromAddress,
    Subject: subjectOf(mail),
    BouncedAt: mail.bouncedAt,
    Details: isErased(mail) ? "" : (mail.error ?? ""),
    Inactive: isInactive,
    CanActivate: isInactive,
    MessageStream: "outbound",
  };
}

function subjectOf(mail: ToldMail): string {
  return isErased(mail) ? "" : (mail.renderedSubject ?? asWritten(mail.subject) ?? mail.subject);
}
