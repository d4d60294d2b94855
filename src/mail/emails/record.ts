// The record of a mail, for the interface.
import type { PastEvent } from "../../tenant/events/queries.ts";
import { labelsIn } from "../../base/labels.ts";
import { json, jsonOrNull } from "../../store/columns.ts";
import type { ChangeAuthor } from "../../tenant/access/caller.ts";
import { isErased } from "./email.ts";
import { messageIdOf } from "./content/message-id.ts";
import type { MachineVisit } from "./visit-queries.ts";
import type { PastAttempt, MailPast, MailRepeat } from "./past-queries.ts";
import type { ToldMail } from "./queries.ts";
import { reasonIn, reasonOf } from "./refusals/reason.ts";
import { emailShape, timelineShape } from "./shape.ts";

/** `returnPath`: as `returnPathOf` answers it. */
export function emailRecord(mail: ToldMail, returnPath: string): typeof emailShape.static {
  const { seq, workspace, contact, contactEmail, content, campaign, attachments, hop: _, isPrivate, ...shown } = mail;
  const {
    id,
    workspaceId: projectId,
    status,
    renderedSubject,
    fromAddress,
    toAddress,
    dueAt,
    cancelledBy,
    ...same
  } = shown;
  const subject = isErased(mail) ? "" : (renderedSubject ?? mail.subject);
  return {
    id,
    projectId,
    status,
    from: fromAddress,
    to: toAddress,
    ...same,
    ...labelsIn(mail),
    cancelledBy: jsonOrNull(cancelledBy),
    subject,
    reason: reasonOf(mail),
    returnPath,
    messageId: messageIdOf(mail),
    /** Not handed over before this time; null once the mail is settled. */
    scheduledFor: status === "QUEUED" || status === "PERHAPS_DELIVERED" ? dueAt : null,
  };
}

type TimelineEntry = (typeof timelineShape.static)[number];

type MailHistory = {
  readonly attempts: readonly PastAttempt[];
  readonly events: readonly PastEvent[];
  readonly machineVisits: readonly MachineVisit[];
  readonly recorded: MailPast | null;
  readonly repeats: readonly MailRepeat[];
};

/** The history of a mail, in order. */
export function timeline(mail: ToldMail, past: MailHistory): TimelineEntry[] {
  const { attempts, events, machineVisits, recorded, repeats } = past;
  const { unsubscribedAt = null, leftTopicAt = null, topic = null } = recorded ?? {};
  const entries: TimelineEntry[] = [
    ...(mail.status === "RECEIVED" ? [] : [{ at: mail.createdAt, what: "queued", detail: acceptance(mail, recorded) }]),
    ...attempts.map(({ at, outcome, tookMs: durationMs, host, ...detail }) => ({
      at,
      what: `attempt.${outcome}`,
      detail: { ...detail, reason: reasonIn(detail.reply), durationMs, ...hostDetail(host) },
    })),
    ...events.map((event) => eventEntry(event, recorded)),
    ...machineVisits.map(({ at, kind, link }) => ({
      at,
      what: `email.${kind}`,
      detail: { bot: true, ...(link === null ? {} : { link }) },
    })),
    ...(unsubscribedAt === null ? [] : [{ at: unsubscribedAt, what: "unsubscribed", detail: null }]),
    ...(leftTopicAt === null ? [] : [{ at: leftTopicAt, what: "leftTopic", detail: { topic } }]),
    ...(mail.skippedAt === null ? [] : [{ at: mail.skippedAt, what: "skipped", detail: mail.error }]),
    ...(mail.cancelledAt === null ? [] : [{ at: mail.cancelledAt, what: "cancelled", detail: cancellation(mail) }]),
    ...repeats.map(({ id, createdAt: at }) => ({ at, what: "resent", detail: { emailId: id } })),
  ];
  return entries.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

/** A mail that repeats another one shares that one's content, which came with another request. */
function acceptance({ resentFrom }: ToldMail, recorded: MailPast | null): TimelineEntry["detail"] {
  if (resentFrom !== null) return { resentFrom };
  const { requestId = null, by = null } = recorded ?? {};
  if (by === null) return null;
  return requestId === null ? { via: "SMTP", by } : { via: "POST /v1/send", requestId, by };
}

/** Null = the author is unknown. */
function cancellation({ cancelledBy }: ToldMail): TimelineEntry["detail"] {
  return cancelledBy === null ? null : { by: json<ChangeAuthor>(cancelledBy) };
}

/** The next hop's reply to an accepted mail is part of the event. */
function eventEntry({ createdAt: at, name: what, data }: PastEvent, recorded: MailPast | null): TimelineEntry {
  const { reply = null, tookMs = null, host = null } = recorded ?? {};
  if (what !== "email.sent" || reply === null) return { at, what, detail: data };
  return { at, what, detail: { ...data, reply, durationMs: tookMs, ...hostDetail(host) } };
}

function hostDetail(host: string | null) {
  return host === null ? {} : { host };
}
